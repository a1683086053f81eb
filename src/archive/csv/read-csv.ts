/** Reads a CSV file with the points of one line chart as a source of records. */

import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../model/app-error.ts';
import type { ChartData } from '../../model/chart-data.ts';
import { shapeOf } from '../../model/data-shapes.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import { noPoints, orderPoints, type Points } from '../../model/points.ts';
import { PointRows, type PointRowsOptions, type PointRun } from './point-rows.ts';

/** The bytes of a CSV file. */
interface CsvInput {
  /** Its name in messages. */
  readonly name: string;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** The chart of the points in a CSV file. */
export interface CsvOptions extends PointRowsOptions {
  readonly pluginId: number;
  readonly chartId: string;
}

/** The longest row, so that an open quote does not take the rest of a file into memory. */
const maxRowBytes = 1024 * 1024;

/**
 * Yields the points as data records. The first is empty, so that an unknown chart is refused before the file is read.
 * @throws AppError `invalid`, placed at the line that cannot be read.
 */
export async function* readCsv(
  input: CsvInput,
  { pluginId, chartId, ...options }: CsvOptions,
): AsyncGenerator<readonly MetricsRecord[]> {
  const record = (points: Points, place: string): MetricsRecord => {
    return { kind: 'data', place, pluginId, chartId, dataFor: (typeName) => dataFor(typeName, points) };
  };
  yield [record(noPoints, input.name)];
  for await (const { points, line } of readRuns(input, options))
    yield [record(points, `${input.name}:${line}`)];
  yield [{ kind: 'end', place: input.name }];
}

function dataFor(typeName: string, points: Points): ChartData {
  const { storage } = shapeOf(typeName);
  if (storage === 'series') return { storage, points: orderPoints(points) };
  throw new AppError('invalid', `only a line chart takes points from a CSV file, this one is a ${typeName}`);
}

async function* readRuns(input: CsvInput, options: PointRowsOptions): AsyncGenerator<PointRun> {
  const rows = new PointRows(options);
  const parser = parse({
    bom: true,
    // Line ends of all systems, even mixed.
    record_delimiter: ['\r\n', '\n', '\r'],
    // PointRows refuses rows of another length.
    relax_column_count: true,
    max_record_size: maxRowBytes,
    // Rows are taken here, because a row that waits in the stream is lost, with its line, when an error follows it. A row comes
    // out only to signal that there are full runs.
    on_record: (row: string[]) => (rows.take(row) ? row : null),
  });
  // If the input fails, it destroys the parser, which then fails with the same error.
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
