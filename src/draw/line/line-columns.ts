/** A line reduced to what a picture can show: the lowest and the highest point of each column. */
import type { Points } from '../../model/points.ts';
import { dayMs } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { drawColumns } from './draw-columns.ts';
import type { ColumnPoints } from './line-path.ts';
import type { ColumnExtremes, LineDrawing, LineLook, LineShape } from './line-shape.ts';

/** The part of a line that is drawn, and its resolution. */
interface LineColumnsOptions {
  /** The first and the last time, in Unix milliseconds, both included; points outside are left out. */
  readonly from: number;
  readonly to: number;
  /** About one for two pixels of the picture: `columnCountFor`. */
  readonly columnCount: number;
  /** Points further apart than this are not joined: `gapLimitMs`. */
  readonly maxGapMs: number;
}

/** The number of columns for a picture of this width in pixels. */
export function columnCountFor(width: number): number {
  return Math.max(1, Math.round(width / 2));
}

/** The usual interval of points: half an hour. */
const usualIntervalMs = 30 * 60 * 1000;

const intervalsPerGap = 2.5;

/** The longest gap that a line bridges, in milliseconds: 2.5 times the median interval of the newest points. */
export function gapLimitMs(newestTimestamps: ArrayLike<number>): number {
  const last = newestTimestamps.length - 1;
  const intervals = new Float64Array(Math.min(99, Math.max(0, last)));
  for (let index = 0; index < intervals.length; index++)
    intervals[index] = (newestTimestamps[last - index] ?? 0) - (newestTimestamps[last - index - 1] ?? 0);
  const median = intervals.sort()[intervals.length >> 1] ?? usualIntervalMs;
  return intervalsPerGap * (median > 0 ? median : usualIntervalMs);
}

/**
 * Takes the points of a line run by run, in ascending order, and keeps two for each column. Memory depends on the columns alone,
 * and no peak is lost.
 */
export class LineColumns implements LineShape, ColumnPoints {
  readonly from: number;
  readonly to: number;
  readonly columnCount: number;
  readonly lowValues: Float64Array;
  readonly lowTimestamps: Float64Array;
  readonly highValues: Float64Array;
  readonly highTimestamps: Float64Array;
  readonly starts: Uint8Array;
  readonly #maxGapMs: number;
  #pointCount = 0;
  #low = Number.POSITIVE_INFINITY;
  #high = Number.NEGATIVE_INFINITY;
  #latestTimestamp = Number.NEGATIVE_INFINITY;
  #latestValue = Number.NaN;
  readonly #firstDay = new FirstDay();

  constructor({ from, to, columnCount, maxGapMs }: LineColumnsOptions) {
    this.from = from;
    this.to = to;
    this.columnCount = columnCount;
    // One allocation instead of five: bytes outside the heap are what the collector is called for.
    const room = new ArrayBuffer(columnCount * (4 * Float64Array.BYTES_PER_ELEMENT + 1));
    const column = (index: number) =>
      new Float64Array(room, index * columnCount * Float64Array.BYTES_PER_ELEMENT, columnCount);
    this.lowValues = column(0).fill(Number.POSITIVE_INFINITY);
    this.lowTimestamps = column(1);
    this.highValues = column(2).fill(Number.NEGATIVE_INFINITY);
    this.highTimestamps = column(3);
    this.starts = new Uint8Array(room, 4 * columnCount * Float64Array.BYTES_PER_ELEMENT);
    // A gap within one column is too narrow to be seen.
    this.#maxGapMs = Math.max(maxGapMs, (to - from) / columnCount);
  }

  get pointCount(): number {
    return this.#pointCount;
  }

  get latestTimestamp(): number {
    return this.#latestTimestamp;
  }

  get latestValue(): number {
    return this.#latestValue;
  }

  get endValue(): number {
    return this.#latestValue;
  }

  get low(): number {
    return this.#low;
  }

  get high(): number {
    return this.#high;
  }

  get indexBase(): number | undefined {
    return this.#firstDay.mean;
  }

  get extremes(): ColumnExtremes {
    return { lows: this.lowValues, highs: this.highValues };
  }

  draw(look: LineLook, drawing: LineDrawing): string {
    return drawColumns(this, look, drawing);
  }

  /** Adds a run of points, which follow those added before. Their values are finite. */
  add(points: Points): void {
    const { timestamps } = points;
    let start = 0;
    let end = timestamps.length;
    while (start < end && (timestamps[start] ?? 0) < this.from) start++;
    while (start < end && (timestamps[end - 1] ?? 0) > this.to) end--;
    this.#firstDay.add(points, start, end);
    for (let index = start; index < end; ) index = this.#fillColumn(points, index, end);
    this.#pointCount += end - start;
  }

  /** Adds the points of one column, from index `start` on; returns the index after them. */
  #fillColumn({ timestamps, values }: Points, start: number, end: number): number {
    const { from, to, columnCount } = this;
    const timestamp = timestamps[start] ?? 0;
    // A line of one point has no length in time.
    const share = to > from ? (timestamp - from) / (to - from) : 0;
    const column = Math.min(Math.floor(share * columnCount), columnCount - 1);
    const columnEnd = from + ((column + 1) / columnCount) * (to - from);
    if (timestamp - this.#latestTimestamp > this.#maxGapMs) this.starts[column] = 1;
    let lowIndex = start;
    let highIndex = start;
    let low = values[start] ?? 0;
    let high = low;
    let index = start + 1;
    for (; index < end && (timestamps[index] ?? 0) < columnEnd; index++) {
      const value = values[index] ?? 0;
      if (value < low) {
        low = value;
        lowIndex = index;
      } else if (value > high) {
        high = value;
        highIndex = index;
      }
    }
    low = clamp(low);
    high = clamp(high);
    if (low < (this.lowValues[column] ?? 0)) {
      this.lowValues[column] = low;
      this.lowTimestamps[column] = timestamps[lowIndex] ?? 0;
    }
    if (high > (this.highValues[column] ?? 0)) {
      this.highValues[column] = high;
      this.highTimestamps[column] = timestamps[highIndex] ?? 0;
    }
    this.#low = Math.min(this.#low, low);
    this.#high = Math.max(this.#high, high);
    this.#latestTimestamp = timestamps[index - 1] ?? 0;
    this.#latestValue = clamp(values[index - 1] ?? 0);
    return index;
  }
}

/** The mean of the day that begins with the first value that is not zero. */
class FirstDay {
  #end = Number.POSITIVE_INFINITY;
  #count = 0;
  #sum = 0;

  get mean(): number | undefined {
    return this.#sum === 0 ? undefined : this.#sum / this.#count;
  }

  /** Adds points between two indexes, which follow those added before. */
  add({ timestamps, values }: Points, start: number, end: number): void {
    for (let index = start; index < end; index++) {
      const timestamp = timestamps[index] ?? 0;
      const value = values[index] ?? 0;
      if (timestamp >= this.#end) return;
      if (this.#count === 0 && value === 0) continue;
      if (this.#count === 0) this.#end = timestamp + dayMs;
      this.#count++;
      this.#sum += clamp(value);
    }
  }
}
