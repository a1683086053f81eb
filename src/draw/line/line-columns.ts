/** A line reduced to what a picture can show: the lowest and the highest point of each of its columns. */
import type { Points } from '../../model/points.ts';

/** What part of a line is drawn, and how finely. */
export interface LineColumnsOptions {
  /** Unix milliseconds, included like `to`; points outside are left out. */
  readonly from: number;
  readonly to: number;
  /** The picture is about two pixels wide for each: `columnCountFor`. */
  readonly columnCount: number;
  /** Points further apart than this are not joined: `gapLimitMs`. */
  readonly maxGapMs: number;
}

/** How many columns a picture of this width needs. */
export function columnCountFor(width: number): number {
  return Math.max(1, Math.round(width / 2));
}

/**
 * Takes the points of a line run by run, in ascending order, and keeps two points for each column: however many there are,
 * the memory is that of the columns, and no peak is lost.
 */
export class LineColumns {
  readonly from: number;
  readonly to: number;
  readonly columnCount: number;
  /** Lowest values and their times; `Infinity` in a column without points. */
  readonly lowValues: Float64Array;
  readonly lowTimestamps: Float64Array;
  /** Highest values and their times; `-Infinity` in a column without points. */
  readonly highValues: Float64Array;
  readonly highTimestamps: Float64Array;
  /** 1 for columns that are not joined to the column before. */
  readonly starts: Uint8Array;
  readonly #maxGapMs: number;
  #pointCount = 0;
  #latestTimestamp = Number.NEGATIVE_INFINITY;
  #latestValue = Number.NaN;
  #firstNonzero: number | undefined;

  constructor({ from, to, columnCount, maxGapMs }: LineColumnsOptions) {
    this.from = from;
    this.to = to;
    this.columnCount = columnCount;
    this.lowValues = new Float64Array(columnCount).fill(Number.POSITIVE_INFINITY);
    this.lowTimestamps = new Float64Array(columnCount);
    this.highValues = new Float64Array(columnCount).fill(Number.NEGATIVE_INFINITY);
    this.highTimestamps = new Float64Array(columnCount);
    this.starts = new Uint8Array(columnCount);
    // A gap within one column is too narrow to be seen.
    this.#maxGapMs = Math.max(maxGapMs, (to - from) / columnCount);
  }

  /** How many points were in time. */
  get pointCount(): number {
    return this.#pointCount;
  }

  /** The time and value of the newest point; `-Infinity` and `NaN` while there is none. */
  get latestTimestamp(): number {
    return this.#latestTimestamp;
  }

  get latestValue(): number {
    return this.#latestValue;
  }

  /** The lowest value of all; `Infinity` while there is no point. */
  get low(): number {
    return this.lowValues.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  }

  /** The highest value of all; `-Infinity` while there is no point. */
  get high(): number {
    return this.highValues.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  }

  /** The first value that is not zero: what an indexed line is measured by. */
  get firstNonzero(): number | undefined {
    return this.#firstNonzero;
  }

  /** Adds a run of points, which follow those added before. Values that are not finite are left out. */
  add({ timestamps, values }: Points): void {
    const { from, to, columnCount, lowValues, highValues } = this;
    let pointCount = 0;
    let latestTimestamp = this.#latestTimestamp;
    let latestValue = this.#latestValue;
    let firstNonzero = this.#firstNonzero ?? 0;
    let column = 0;
    // Below it a timestamp is in the same column as the one before.
    let columnEnd = Number.NEGATIVE_INFINITY;
    let low = 0;
    let high = 0;
    for (let index = 0; index < timestamps.length; index++) {
      const timestamp = timestamps[index] ?? Number.NaN;
      const value = values[index] ?? Number.NaN;
      if (timestamp < from || timestamp > to || value - value !== 0) continue;
      if (timestamp >= columnEnd) {
        // `from` may be `to`.
        const share = to > from ? (timestamp - from) / (to - from) : 0;
        column = Math.min(Math.floor(share * columnCount), columnCount - 1);
        columnEnd = from + ((column + 1) / columnCount) * (to - from);
        low = lowValues[column] ?? 0;
        high = highValues[column] ?? 0;
        if (timestamp - latestTimestamp > this.#maxGapMs) this.starts[column] = 1;
      }
      if (value < low) {
        low = value;
        lowValues[column] = value;
        this.lowTimestamps[column] = timestamp;
      }
      if (value > high) {
        high = value;
        highValues[column] = value;
        this.highTimestamps[column] = timestamp;
      }
      if (firstNonzero === 0) firstNonzero = value;
      latestTimestamp = timestamp;
      latestValue = value;
      pointCount++;
    }
    this.#latestTimestamp = latestTimestamp;
    this.#latestValue = latestValue;
    if (firstNonzero !== 0) this.#firstNonzero = firstNonzero;
    this.#pointCount += pointCount;
  }
}
