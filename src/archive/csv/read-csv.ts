/** A CSV file with the points of one line chart, as a source of records. */

import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../model/app-error.ts';
import type { ChartData } from '../../model/chart-data.ts';
import { shapeOf } from '../../model/data-shapes.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { noPoints, orderPoints, type Points } from '../../model/points.ts';
import { PointRows, type PointRowsOptions } from './point-rows.ts';

/** The bytes of a CSV file. */
export interface CsvInput {
  /** Its name in messages. */
  readonly name: string;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** Whose points a CSV file has. */
export interface CsvOptions extends PointRowsOptions {
  readonly pluginId: number;
  readonly chartId: string;
}

/** The longest row: an open quote must not take the rest of a file into memory. */
const maxRowBytes = 1024 * 1024;

/**
 * The points as data records, the first of them empty: the chart is looked for before anything is read.
 * @throws AppError `invalid` with the line of what cannot be read.
 */
export async function* readCsv(
  input: CsvInput,
  { pluginId, chartId, ...options }: CsvOptions,
): AsyncGenerator<readonly MetricsRecord[]> {
  const place = input.name;
  const record = (points: Points): MetricsRecord => {
    return { kind: 'data', place, pluginId, chartId, dataFor: (typeName) => dataFor(typeName, points) };
  };
  yield [record(noPoints)];
  for await (const points of readPoints(input, options)) yield [record(points)];
  yield [{ kind: 'end', place }];
}

function dataFor(typeName: string, points: Points): ChartData {
  const { storage } = shapeOf(typeName);
  if (storage === 'series') return { storage, points: orderPoints(points) };
  throw new AppError('invalid', `only a line chart takes points from a CSV file, this one is a ${typeName}`);
}

async function* readPoints(input: CsvInput, options: PointRowsOptions): AsyncGenerator<Points> {
  const rows = new PointRows(options);
  const parser = parse({
    bom: true,
    // Any of them, also mixed, as editors on several systems leave them.
    record_delimiter: ['\r\n', '\n', '\r'],
    // Rows of another length are refused by PointRows.
    relax_column_count: true,
    max_record_size: maxRowBytes,
    // Every row is taken here: one that waits in the stream is lost where an error comes behind it, and its line with it.
    // A row comes out only as a sign that there are full runs.
    on_record: (row: string[]) => (rows.take(row) ? row : null),
  });
  // A failed input destroys the parser, which then fails with the same error.
  pipeline(Readable.from(input.blocks()), parser, () => {});
  try {
    for await (const _ of parser) yield* rows.fullRuns();
    yield rows.rest();
  } catch (error) {
    const fault = error instanceof CsvError ? notCsv(error) : error;
    throw fault instanceof AppError ? fault.at(`${input.name}:${rows.line}`) : fault;
  }
}

function notCsv(error: CsvError): AppError {
  const reasons: Readonly<Record<string, string>> = {
    CSV_MAX_RECORD_SIZE: `the row is longer than ${maxRowBytes} bytes; perhaps a quote is not closed`,
    CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  };
  const otherwise = 'a quote stands inside a cell; quotes must enclose a whole cell';
  return new AppError('invalid', reasons[error.code] ?? otherwise, { cause: error });
}
