/** Parses rows of a CSV file as points. The first row shows where the two columns are. */
import { AppError, quote } from '../../model/app-error.ts';
import { type Columns, copyColumns, lineOf, sliceColumns, valuesOf } from '../../model/columns.ts';
import { refuseFuture } from '../../model/future-points.ts';
import { maxTimestamp } from '../../model/window.ts';
import { findColumns, type PointColumns } from './columns.ts';
import type { Delimiter } from './first-line.ts';
import { type TimestampOptions, timestampParser } from './timestamps.ts';
import { type ValueOptions, valueParser } from './values.ts';

/** Columns per run: a megabyte. */
const pointsPerRun = 65_536;

/** Columns of consecutive rows. */
export interface PointRun {
  readonly points: Columns;
  /** Its oldest point, with its line; an infinite time if there is none. */
  readonly oldest: { readonly time: number; readonly line: number };
}

/** The rules for rows. */
export interface PointRowsOptions extends TimestampOptions, ValueOptions {
  /** The columns of times and values, by name or number, such as `Date,Players`. */
  readonly columns?: string | undefined;
  /** The latest time that a point may have, in Unix milliseconds; any by default. */
  readonly latestTimestamp?: number;
}

/** Collects points from rows in their order. */
export class PointRows {
  readonly #options: PointRowsOptions;
  readonly #delimiter: Delimiter;
  readonly #parseTimestamp: (text: string) => number;
  readonly #parseValue: (text: string) => number;
  #columns: PointColumns | undefined;
  #full: PointRun[] = [];
  #points = emptyRun();
  #pointCount = 0;
  #oldest = noPoint;
  #line = 1;

  constructor(options: PointRowsOptions, delimiter: Delimiter) {
    this.#options = options;
    this.#delimiter = delimiter;
    this.#parseTimestamp = timestampParser(options);
    this.#parseValue = valueParser(options, delimiter);
  }

  /** The first line of the row that is being read. */
  get line(): number {
    return this.#line;
  }

  /**
   * Takes the next row. Blank rows and rows without a value are skipped.
   * @returns true if it filled a run.
   * @throws AppError `invalid` for a row that is no point.
   */
  take(row: readonly string[]): boolean {
    if (row.some((cell) => cell.trim() !== '')) this.#takeCells(row);
    this.#line += lineCountOf(row);
    if (this.#pointCount < pointsPerRun) return false;
    this.#full.push({ points: this.#points, oldest: this.#oldest });
    this.#points = emptyRun();
    this.#pointCount = 0;
    this.#oldest = noPoint;
    return true;
  }

  /** Returns the runs that were filled since the last call. */
  fullRuns(): readonly PointRun[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /**
   * Returns the points of the last run, which is not full.
   * @throws AppError `invalid` if there was no row.
   */
  rest(): PointRun {
    if (this.#columns === undefined) throw new AppError('invalid', 'the file is empty');
    // A copy, since a view of a few points would hold a megabyte for each of many files.
    return { points: copyColumns(sliceColumns(this.#points, 0, this.#pointCount)), oldest: this.#oldest };
  }

  #takeCells(row: readonly string[]): void {
    if (this.#columns === undefined) {
      if (isDeclaration(row)) return;
      this.#columns = findColumns(row, this.#delimiter, this.#options.columns);
      if (this.#columns.isHeader) return;
    }
    const { time, value, count } = this.#columns;
    // Spreadsheets leave empty cells out at the end of some rows, and add some to others.
    if (row.length > count && row.slice(count).some((cell) => cell.trim() !== '')) {
      const got = quote(row.join(this.#delimiter));
      const hint = this.#delimiter === ',' ? '; a comma in a number needs quotes around it' : '';
      throw new AppError('invalid', `the row must have ${count} columns, got ${row.length}: ${got}${hint}`);
    }
    const timestamp = this.#parseTimestamp(row[time]?.trim() ?? '');
    const text = row[value]?.trim() ?? '';
    if (text === '') return;
    // The store has the same rule, but does not know the line for the message.
    refuseFuture(timestamp, this.#options.latestTimestamp ?? maxTimestamp);
    this.#points.times[this.#pointCount] = timestamp;
    valuesOf(this.#points)[this.#pointCount] = this.#parseValue(text);
    this.#pointCount++;
    if (timestamp < this.#oldest.time) this.#oldest = { time: timestamp, line: this.#line };
  }
}

/** The oldest point of a run without points. */
const noPoint = { time: Number.POSITIVE_INFINITY, line: 1 };

function emptyRun(): Columns {
  return lineOf(new Float64Array(pointsPerRun), new Float64Array(pointsPerRun));
}

/** Detects the row in which Excel declares the delimiter: `sep=;`. */
function isDeclaration([first = '', ...others]: readonly string[]): boolean {
  return /^sep=.?$/i.test(first) && others.every((cell) => cell === '');
}

/** Counts the lines of a row, because csv-parse counts a CRLF in a cell as two. */
function lineCountOf(row: readonly string[]): number {
  let count = 1;
  for (const cell of row) if (/[\r\n]/.test(cell)) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  return count;
}
