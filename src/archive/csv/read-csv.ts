/** Reads a CSV file that holds the points of one line. */

import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError, placed } from '../../model/app-error.ts';
import { type Delimiter, maxRowBytes, openText } from './first-line.ts';
import { PointRows, type PointRowsOptions, type PointRun } from './point-rows.ts';

/** CSV file as bytes. */
interface CsvInput {
  /** Name of the file in messages. */
  readonly name: string;
  readonly blocks: () => AsyncIterable<Uint8Array>;
}

/** Options for reading a CSV file. */
export interface CsvOptions extends PointRowsOptions {
  /** Delimiter of columns; by default detected from the first line. */
  readonly delimiter?: Delimiter | undefined;
}

/**
 * Yields points in row order.
 * @throws AppError `invalid` with the line that cannot be read.
 */
export async function* readCsv(input: CsvInput, options: CsvOptions): AsyncGenerator<PointRun> {
  let rows: PointRows | undefined;
  try {
    const text = await openText(input.blocks());
    const delimiter = options.delimiter ?? text.delimiter;
    rows = new PointRows(options, delimiter);
    yield* readRuns(text.bytes, rows, delimiter);
  } catch (error) {
    const fault = error instanceof CsvError ? notCsv(error) : error;
    throw placed(fault, `${input.name}:${rows?.line ?? 1}`);
  }
}

async function* readRuns(
  bytes: AsyncIterable<Uint8Array>,
  rows: PointRows,
  delimiter: Delimiter,
): AsyncGenerator<PointRun> {
  const parser = parse({
    bom: true,
    delimiter,
    // Accepts the line ends of all systems, even mixed.
    record_delimiter: ['\r\n', '\n', '\r'],
    // PointRows itself refuses rows with too many cells.
    relax_column_count: true,
    max_record_size: maxRowBytes,
    // Rows are taken here because the stream drops buffered rows, and their lines, when a later row fails. A
    // row is passed on only to signal that full runs are ready.
    on_record: (row: string[]) => (rows.take(row) ? row : null),
  });
  // A failing input destroys the parser, which then fails with the same error.
  pipeline(Readable.from(bytes), parser, () => {});
  for await (const _ of parser) yield* rows.fullRuns();
  yield rows.rest();
}

function notCsv(error: CsvError): AppError {
  const reasons: Readonly<Record<string, string>> = {
    CSV_MAX_RECORD_SIZE: `the row is longer than ${maxRowBytes} bytes; perhaps a quote is not closed`,
    CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and never closed',
  };
  const otherwise = 'a quote stands inside a cell; quotes must enclose a whole cell';
  return new AppError('invalid', reasons[error.code] ?? otherwise, { cause: error });
}
