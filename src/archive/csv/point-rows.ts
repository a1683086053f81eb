/** Parses the rows of a CSV file as points. The first row determines the two columns. */
import { AppError, quote } from '../../model/app-error.ts';
import { type Columns, copyColumns, lineOf, sliceColumns, valuesOf } from '../../model/columns.ts';
import { refuseFuture } from '../../model/future-points.ts';
import { maxTimestamp } from '../../model/window.ts';
import type { Delimiter } from './first-line.ts';
import { type TimestampOptions, timestampParser } from './timestamps.ts';
import { type ValueOptions, valueParser } from './values.ts';

/** Number of points in a run: one megabyte. */
const pointsPerRun = 65_536;

/** Points of consecutive rows. */
export interface PointRun {
  readonly points: Columns;
  /** Time and line of the oldest point; the time is infinite for an empty run. */
  readonly oldest: { readonly time: number; readonly line: number };
}

/** Options for parsing rows. */
export interface PointRowsOptions extends TimestampOptions, ValueOptions {
  /** Columns of times and values, by name or number, such as `Date,Players`. */
  readonly columns?: string | undefined;
  /** Latest allowed time of a point, in Unix milliseconds; no limit by default. */
  readonly latestTimestamp?: number;
}

/** Collects points from rows, in row order. */
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

  /** First line of the current row. */
  get line(): number {
    return this.#line;
  }

  /**
   * Takes the next row. Blank rows and rows without a value are skipped.
   * @returns true if the row filled a run.
   * @throws AppError `invalid` if the row is not a point.
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

  /** Returns the runs filled since the last call. */
  fullRuns(): readonly PointRun[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /**
   * Returns the last, partly filled run.
   * @throws AppError `invalid` if there were no rows.
   */
  rest(): PointRun {
    if (this.#columns === undefined) throw new AppError('invalid', 'the file is empty');
    // A copy, because with many files, each view of a few points would keep a megabyte alive.
    return { points: copyColumns(sliceColumns(this.#points, 0, this.#pointCount)), oldest: this.#oldest };
  }

  #takeCells(row: readonly string[]): void {
    if (this.#columns === undefined) {
      if (isDeclaration(row)) return;
      this.#columns = findColumns(row, this.#delimiter, this.#options.columns);
      if (this.#columns.isHeader) return;
    }
    const { time, value, count } = this.#columns;
    // Spreadsheets omit empty cells at the end of some rows, and add some to others.
    if (row.length > count && row.slice(count).some((cell) => cell.trim() !== '')) {
      const got = quote(row.join(this.#delimiter));
      const hint = this.#delimiter === ',' ? '; a comma in a number needs quotes around it' : '';
      throw new AppError('invalid', `the row must have ${count} columns, got ${row.length}: ${got}${hint}`);
    }
    const timestamp = this.#parseTimestamp(row[time]?.trim() ?? '');
    const text = row[value]?.trim() ?? '';
    if (text === '') return;
    // The store enforces the same rule but cannot name the line.
    refuseFuture(timestamp, this.#options.latestTimestamp ?? maxTimestamp);
    this.#points.times[this.#pointCount] = timestamp;
    valuesOf(this.#points)[this.#pointCount] = this.#parseValue(text);
    this.#pointCount++;
    if (timestamp < this.#oldest.time) this.#oldest = { time: timestamp, line: this.#line };
  }
}

/** Oldest point of an empty run. */
const noPoint = { time: Number.POSITIVE_INFINITY, line: 1 };

function emptyRun(): Columns {
  return lineOf(new Float64Array(pointsPerRun), new Float64Array(pointsPerRun));
}

/** Detects the row in which Excel declares the delimiter: `sep=;`. */
function isDeclaration([first = '', ...others]: readonly string[]): boolean {
  return /^sep=.?$/i.test(first) && others.every((cell) => cell === '');
}

/** Counts the lines of a row; csv-parse counts a CRLF inside a cell as two. */
function lineCountOf(row: readonly string[]): number {
  let count = 1;
  for (const cell of row) if (/[\r\n]/.test(cell)) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
  return count;
}

/** Columns that hold the points. */
interface PointColumns {
  readonly time: number;
  readonly value: number;
  /** Total number of columns; further cells of a row must be empty. */
  readonly count: number;
  /** True if the first row is a header. */
  readonly isHeader: boolean;
}

/**
 * Finds the columns in the first row. The row is a header unless its time cell begins like a time.
 * @param wanted both columns by name or number, such as `Date,Players` or `1,3`; required for more than two
 * columns unless they include `timestamp` and `value`.
 * @throws AppError `invalid` if the row lacks these columns.
 */
function findColumns(row: readonly string[], delimiter: Delimiter, wanted: string | undefined): PointColumns {
  const cells = row.map((cell) => cell.trim());
  const filled = cells.findLastIndex((cell) => cell !== '') + 1;
  const isData = (index: number) => beginsLikeTime.test(cells[index] ?? '');
  if (wanted !== undefined) {
    const [time, value] = findWanted(cells, wanted);
    const count = Math.max(filled, time.index + 1, value.index + 1);
    const isHeader = time.isNamed || value.isNamed || !isData(time.index);
    return { time: time.index, value: value.index, count, isHeader };
  }
  const [time, value] = ['timestamp', 'value'].map((name) => findColumn(cells, name)?.index);
  if (time !== undefined && value !== undefined) return { time, value, count: filled, isHeader: true };
  if (row.length > 1 && filled <= 2) return { time: 0, value: 1, count: 2, isHeader: !isData(0) };
  const rule =
    filled > 2
      ? `there are ${filled} columns: --columns TIME,VALUE says which two are meant, by name or number`
      : 'there must be a column of times and one of values, with a comma, a semicolon or a tab between them';
  throw new AppError('invalid', `${rule}; got ${quote(row.join(delimiter))}`);
}

/** Matches a date or a number, even a malformed one: mistaking a data row for a header would lose it. */
const beginsLikeTime = /^[+-]?\d/;

/** Column with the way in which it was found. */
interface FoundColumn {
  readonly index: number;
  /** False if it was found by its number. */
  readonly isNamed: boolean;
}

function findWanted(
  cells: readonly string[],
  wanted: string,
): readonly [time: FoundColumn, value: FoundColumn] {
  const parts = wanted.split(',');
  // A column name may contain commas.
  for (let length = 1; length < parts.length; length++) {
    const time = findColumn(cells, parts.slice(0, length).join(','));
    const value = findColumn(cells, parts.slice(length).join(','));
    if (time !== undefined && value !== undefined && time.index !== value.index) return [time, value];
  }
  const rule = 'must name two columns of the first row, each by its number or by a name that no other has';
  throw new AppError('invalid', `--columns ${wanted} ${rule}; got ${quote(cells.join())}`);
}

/**
 * Finds a column by number, or by name ignoring case; undefined if no column, or more than one, has the name.
 */
function findColumn(cells: readonly string[], wanted: string): FoundColumn | undefined {
  const number = /^\s*\d{1,5}\s*$/.test(wanted) ? Number(wanted) : 0;
  if (number > 0 && number <= cells.length) return { index: number - 1, isNamed: false };
  const name = wanted.trim().toLowerCase();
  const [index, other] = [...cells.keys()].filter((at) => cells[at]?.toLowerCase() === name);
  return index === undefined || other !== undefined ? undefined : { index, isNamed: true };
}
