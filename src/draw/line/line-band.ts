/** A line over a long time: the mean of each step, in a band from its lowest to its highest value. */

import type { Points } from '../../model/points.ts';
import { stepStart } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import type { TimeStep } from '../time-step.ts';
import { type BandShape, type DrawnSteps, drawBand } from './draw-band.ts';
import type { ColumnExtremes, LineDrawing, LineLook, LineShape } from './line-shape.ts';

/** With fewer points for each step there is little to summarize, and the points themselves are drawn. */
const sparsePointsPerStep = 1.5;

/** The part of a line that is drawn, and its resolution. */
interface LineBandOptions {
  /** The first and the last time, in Unix milliseconds, both included. */
  readonly from: number;
  readonly to: number;
  readonly step: TimeStep;
}

/** Values by step: an element of each column for each step that has points, in the order of time. */
export interface StepSummaries {
  /** A time of the step. */
  readonly times: Float64Array;
  /** The number of points, and their sum. */
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  readonly lows: Float64Array;
  readonly highs: Float64Array;
}

/** Takes the points of a line, or summaries of shorter steps, in ascending order. Memory depends on the steps alone. */
export class LineBand implements BandShape {
  readonly from: number;
  readonly to: number;
  readonly step: TimeStep;
  /** The beginning of the first step. */
  readonly #start: number;
  // For each step from the first to the last, also for those without points.
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;
  #drawn: DrawnSteps | undefined;
  pointCount = 0;
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  latestTimestamp = Number.NEGATIVE_INFINITY;
  latestValue = Number.NaN;

  constructor({ from, to, step }: LineBandOptions) {
    this.from = from;
    this.to = to;
    this.step = step;
    this.#start = stepStart(from, step.ms);
    const stepCount = this.#indexOf(to) + 1;
    this.#counts = new Float64Array(stepCount);
    this.#sums = new Float64Array(stepCount);
    this.#lows = new Float64Array(stepCount).fill(Number.POSITIVE_INFINITY);
    this.#highs = new Float64Array(stepCount).fill(Number.NEGATIVE_INFINITY);
  }

  /** The steps that have points; what is added later is not in them. */
  get drawn(): DrawnSteps {
    this.#drawn ??= this.#drawnSteps();
    return this.#drawn;
  }

  /** True if most steps have a single point. */
  get isSparse(): boolean {
    return this.pointCount <= sparsePointsPerStep * this.drawn.starts.length;
  }

  get indexBase(): number | undefined {
    return this.#wholeMeans().find((mean) => mean !== 0);
  }

  get endValue(): number {
    return this.#wholeMeans().at(-1) ?? Number.NaN;
  }

  get means(): NonNullable<LineShape['means']> {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    const means = this.#wholeMeans();
    for (let index = 0; index < means.length; index++) {
      const mean = means[index] ?? 0;
      low = Math.min(low, mean);
      high = Math.max(high, mean);
    }
    const { means: all } = this.drawn;
    return { step: this.step, low, high, extremes: { lows: all, highs: all } };
  }

  get extremes(): ColumnExtremes {
    return this.drawn;
  }

  draw(look: LineLook, drawing: LineDrawing): string {
    return drawBand(this, look, drawing);
  }

  /** Adds points; those outside the range are left out. Their values are finite. */
  add({ timestamps, values }: Points): void {
    const end = firstFrom(timestamps, this.to + 1, 0, timestamps.length);
    for (let at = firstFrom(timestamps, this.from, 0, end); at < end; ) {
      const index = this.#indexOf(timestamps[at] ?? 0);
      const stepEnd = firstFrom(timestamps, this.#start + (index + 1) * this.step.ms, at, end);
      // In the order of time, so that the mean does not depend on how the points are divided into runs.
      let sum = this.#sums[index] ?? 0;
      let low = values[at] ?? 0;
      let high = low;
      for (let point = at; point < stepEnd; point++) {
        const value = values[point] ?? 0;
        sum += value;
        if (value < low) low = value;
        else if (value > high) high = value;
      }
      this.#addStep(index, { count: stepEnd - at, sum, low, high });
      this.setLatest(timestamps[stepEnd - 1] ?? 0, values[stepEnd - 1] ?? 0);
      at = stepEnd;
    }
  }

  /** Adds steps that are in the range; the newest point is then to be set. */
  addSummaries({ times, counts, sums, lows, highs }: StepSummaries): void {
    for (let at = 0; at < times.length; at++) {
      const count = counts[at] ?? 0;
      const index = this.#indexOf(Math.max(this.from, times[at] ?? 0));
      const sum = (this.#sums[index] ?? 0) + (sums[at] ?? 0);
      this.#addStep(index, { count, sum, low: lows[at] ?? 0, high: highs[at] ?? 0 });
    }
  }

  /** Sets the newest point. */
  setLatest(timestamp: number, value: number): void {
    this.latestTimestamp = timestamp;
    this.latestValue = clamp(value);
  }

  #wholeMeans(): Float64Array {
    const { means, whole } = this.drawn;
    return means.subarray(whole.start, whole.end);
  }

  #indexOf(timestamp: number): number {
    return Math.floor((timestamp - this.#start) / this.step.ms);
  }

  #addStep(index: number, { count, sum, ...extremes }: StepSum): void {
    const [low, high] = [clamp(extremes.low), clamp(extremes.high)];
    this.#counts[index] = (this.#counts[index] ?? 0) + count;
    this.#sums[index] = sum;
    this.#lows[index] = Math.min(this.#lows[index] ?? low, low);
    this.#highs[index] = Math.max(this.#highs[index] ?? high, high);
    this.pointCount += count;
    this.low = Math.min(this.low, low);
    this.high = Math.max(this.high, high);
  }

  #drawnSteps(): DrawnSteps {
    // Loops: `reduce` and `from` take ten times as long.
    let stepCount = 0;
    for (let index = 0; index < this.#counts.length; index++) if (this.#counts[index] !== 0) stepCount++;
    const starts = new Float64Array(stepCount);
    const means = new Float64Array(stepCount);
    const lows = new Float64Array(stepCount);
    const highs = new Float64Array(stepCount);
    let at = 0;
    for (let index = 0; index < this.#counts.length; index++) {
      const count = this.#counts[index] ?? 0;
      if (count === 0) continue;
      const low = this.#lows[index] ?? 0;
      const high = this.#highs[index] ?? 0;
      starts[at] = this.#start + index * this.step.ms;
      lows[at] = low;
      highs[at] = high;
      means[at] = clamp((this.#sums[index] ?? 0) / count);
      at++;
    }
    const isWhole = (start: number) =>
      Math.min(this.to, start + this.step.ms) - Math.max(this.from, start) >= 0.9 * this.step.ms;
    const first = starts.findIndex(isWhole);
    const end = starts.findLastIndex(isWhole) + 1;
    const whole = first === -1 ? { start: 0, end: stepCount } : { start: first, end };
    return { starts, lows, highs, means, whole };
  }
}

/** Finds the first of ascending timestamps, between two indexes, that is not before a time. */
function firstFrom(timestamps: Float64Array, time: number, start: number, end: number): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((timestamps[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface StepSum {
  readonly count: number;
  /** Includes that of the step so far. */
  readonly sum: number;
  readonly low: number;
  readonly high: number;
}
