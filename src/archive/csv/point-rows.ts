/** Rows of a CSV file into points: the first row says where the two columns are. */
import { AppError, quote } from '../../model/app-error.ts';
import { refuseFuture } from '../../model/future-points.ts';
import { maxTimestamp, type Points, slicePoints } from '../../model/points.ts';
import { type TimeUnit, timestampParser } from './timestamps.ts';

/** How many points are handed on together: a megabyte, and few rewritten chunks where rows are not sorted by time. */
const pointsPerRun = 65_536;

/** Which columns the points are in. */
interface Columns {
  readonly timestamp: number;
  readonly value: number;
  readonly count: number;
  readonly isHeader: boolean;
}

const decimalNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Rules for timestamps. */
export interface PointRowsOptions {
  /** Unit of timestamps that are numbers; left out where their digits tell. */
  readonly timeUnit?: TimeUnit | undefined;
  /** Points may not be later, in Unix milliseconds; any time unless given. */
  readonly latestTimestamp?: number;
}

/** Takes rows in their order. */
export class PointRows {
  readonly #parseTimestamp: (text: string) => number;
  readonly #latestTimestamp: number;
  #columns: Columns | undefined;
  #full: Points[] = [];
  #points = emptyRun();
  #pointCount = 0;
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
   * Takes the next row. A row of blanks is left out, and so is one without a value.
   * @returns whether it has filled a run.
   * @throws AppError `invalid` for a row that is no point.
   */
  take(row: readonly string[]): boolean {
    if (row.some((cell) => cell.trim() !== '')) this.#takeCells(row);
    this.#line += lineCountOf(row);
    if (this.#pointCount < pointsPerRun) return false;
    this.#full.push(this.#points);
    this.#points = emptyRun();
    this.#pointCount = 0;
    return true;
  }

  /** The runs that have been filled since the last call. */
  fullRuns(): readonly Points[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /**
   * The points of the last run, which is not full.
   * @throws AppError `invalid` where there was no row at all.
   */
  rest(): Points {
    if (this.#columns !== undefined) return slicePoints(this.#points, 0, this.#pointCount);
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
    // A store has the same rule, but does not know the line.
    refuseFuture(time, this.#latestTimestamp);
    this.#points.timestamps[this.#pointCount] = time;
    this.#points.values[this.#pointCount] = parseValue(text);
    this.#pointCount++;
  }
}

const columnsRule =
  'the columns must be timestamp and value, separated by a comma, or a header must name columns so';

function emptyRun(): Points {
  return { timestamps: new Float64Array(pointsPerRun), values: new Float64Array(pointsPerRun) };
}

/** csv-parse would count a CRLF in a cell as two lines. */
function lineCountOf(row: readonly string[]): number {
  let count = 1;
  for (const cell of row) if (/[\r\n]/.test(cell)) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  return count;
}

/** A first row is a header where it does not begin as a timestamp does. */
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
