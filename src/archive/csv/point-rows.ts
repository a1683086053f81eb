/** Parses rows of a CSV file as points. The first row shows where the two columns are. */
import { AppError, quote } from '../../model/app-error.ts';
import { refuseFuture } from '../../model/future-points.ts';
import { maxTimestamp, type Points, slicePoints } from '../../model/points.ts';
import { type TimeUnit, timestampParser } from './timestamps.ts';

/** Points per run: a megabyte, and few rewritten chunks if rows are not sorted by time. */
const pointsPerRun = 65_536;

/** The columns of the points. */
interface Columns {
  readonly timestamp: number;
  readonly value: number;
  readonly count: number;
  readonly isHeader: boolean;
}

const decimalNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Points of consecutive rows. */
export interface PointRun {
  readonly points: Points;
  /** The line of its oldest point. */
  readonly line: number;
}

/** Rules for timestamps. */
export interface PointRowsOptions {
  /** Unit of timestamps that are numbers; by default recognized by the number of digits. */
  readonly timeUnit?: TimeUnit | undefined;
  /** The latest time that a point may have, in Unix milliseconds; any by default. */
  readonly latestTimestamp?: number;
}

/** Collects points from rows in their order. */
export class PointRows {
  readonly #parseTimestamp: (text: string) => number;
  readonly #latestTimestamp: number;
  #columns: Columns | undefined;
  #full: PointRun[] = [];
  #points = emptyRun();
  #pointCount = 0;
  #oldest = noPoint;
  #line = 1;

  constructor({ timeUnit, latestTimestamp = maxTimestamp }: PointRowsOptions) {
    this.#parseTimestamp = timestampParser(timeUnit);
    this.#latestTimestamp = latestTimestamp;
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
    this.#full.push({ points: this.#points, line: this.#oldest.line });
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
    if (this.#columns !== undefined)
      return { points: slicePoints(this.#points, 0, this.#pointCount), line: this.#oldest.line };
    throw new AppError('invalid', `the file is empty; ${columnsRule}`);
  }

  #takeCells(row: readonly string[]): void {
    if (this.#columns === undefined) {
      this.#columns = findColumns(row);
      if (this.#columns.isHeader) return;
    }
    const { timestamp, value, count } = this.#columns;
    if (row.length !== count) throw wrongCount(row.length, count);
    const time = this.#parseTimestamp(row[timestamp]?.trim() ?? '');
    const text = row[value]?.trim() ?? '';
    if (text === '') return;
    // The store has the same rule, but does not know the line for the message.
    refuseFuture(time, this.#latestTimestamp);
    this.#points.timestamps[this.#pointCount] = time;
    this.#points.values[this.#pointCount] = parseValue(text);
    this.#pointCount++;
    if (time < this.#oldest.time) this.#oldest = { time, line: this.#line };
  }
}

/** The oldest point of a run without points. */
const noPoint = { time: Number.POSITIVE_INFINITY, line: 1 };

const columnsRule =
  'the columns must be timestamp and value, separated by a comma, or a header must name columns so';

function emptyRun(): Points {
  return { timestamps: new Float64Array(pointsPerRun), values: new Float64Array(pointsPerRun) };
}

/** Counts the lines of a row, because csv-parse counts a CRLF in a cell as two. */
function lineCountOf(row: readonly string[]): number {
  let count = 1;
  for (const cell of row) if (/[\r\n]/.test(cell)) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  return count;
}

/** Finds the columns of the points in the first row, which is a header unless it begins like a timestamp. */
function findColumns(row: readonly string[]): Columns {
  const names = row.map((cell) => cell.trim().toLowerCase());
  const timestamp = names.indexOf('timestamp');
  const value = names.indexOf('value');
  const isRepeated = timestamp !== names.lastIndexOf('timestamp') || value !== names.lastIndexOf('value');
  if (timestamp !== -1 && value !== -1 && !isRepeated)
    return { timestamp, value, count: row.length, isHeader: true };
  const isTimestampFirst = /^\d/.test(names[0] ?? '');
  if (isTimestampFirst && row.length === 2 && !/[;\t]/.test(row.join('')))
    return { timestamp: 0, value: 1, count: 2, isHeader: false };
  throw new AppError('invalid', `${columnsRule}; got ${quote(row.join())}`);
}

function wrongCount(found: number, expected: number): AppError {
  const message = `the row must have ${expected} columns, got ${found}; decimals are written with a point`;
  return new AppError('invalid', message);
}

function parseValue(text: string): number {
  const value = decimalNumber.test(text) ? Number(text) : Number.NaN;
  // -0 becomes 0, as in an archive.
  if (Number.isFinite(value)) return value + 0;
  throw new AppError('invalid', `value must be a finite number such as 12 or -3.5, got ${quote(text)}`);
}
