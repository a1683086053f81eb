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
  /** The lowest and the highest value; `Infinity` and `-Infinity` while there is no point. */
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  /** The first value that is not zero: what an indexed line is measured by. */
  firstNonzero: number | undefined;
  latestTimestamp = Number.NEGATIVE_INFINITY;
  latestValue = Number.NaN;
  pointCount = 0;
  readonly #maxGapMs: number;

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

  /** Adds a run of points, which follow those added before. */
  add({ timestamps, values }: Points): void {
    const { from, to, columnCount, lowValues, highValues } = this;
    const columnsPerMs = columnCount / (to - from);
    for (let index = 0; index < timestamps.length; index++) {
      const timestamp = timestamps[index] ?? Number.NaN;
      const value = values[index] ?? Number.NaN;
      // The comparisons are false for NaN.
      if (!(timestamp >= from && timestamp <= to && Math.abs(value) <= Number.MAX_VALUE)) continue;
      // One moment, from === to, gives NaN and column 0.
      const column = Math.min(((timestamp - from) * columnsPerMs) | 0, columnCount - 1);
      if (timestamp - this.latestTimestamp > this.#maxGapMs) this.starts[column] = 1;
      if (value < (lowValues[column] ?? value)) {
        lowValues[column] = value;
        this.lowTimestamps[column] = timestamp;
        if (value < this.low) this.low = value;
      }
      if (value > (highValues[column] ?? value)) {
        highValues[column] = value;
        this.highTimestamps[column] = timestamp;
        if (value > this.high) this.high = value;
      }
      this.latestTimestamp = timestamp;
      this.latestValue = value;
      this.pointCount++;
      if (this.firstNonzero === undefined && value !== 0) this.firstNonzero = value;
    }
  }
}
