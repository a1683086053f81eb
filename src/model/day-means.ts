/** Daily means of a line, and the change from the first to the second half of the days. */

import { type Columns, valuesOf } from './columns.ts';
import { dayMs } from './window.ts';

/** Usual interval of points. */
const usualIntervalMs = 30 * 60 * 1000;

/** Returns the start of the first of `dayCount` whole UTC days; the last of them ends by the newest point. A day counts as whole once it has its last half-hour. */
export function startOfDays(newest: number, dayCount: number): number {
  return Math.floor((newest + usualIntervalMs) / dayMs) * dayMs - dayCount * dayMs;
}

/** Adds up points, which must come in ascending order, by day. */
export class DayMeans {
  readonly #start: number;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  /** @param newest time of the newest point of the line, in Unix milliseconds. */
  constructor(newest: number, dayCount: number) {
    this.#start = startOfDays(newest, dayCount);
    this.#sums = new Float64Array(dayCount);
    this.#counts = new Float64Array(dayCount);
  }

  /** Mean of each day; NaN for a day without points. */
  get means(): Float64Array {
    return this.#sums.map((sum, day) => sum / (this.#counts[day] ?? 0));
  }

  /** Adds points; points of other days are ignored. */
  add(points: Columns): void {
    const [times, values] = [points.times, valuesOf(points)];
    if ((times.at(-1) ?? 0) < this.#start) return;
    for (let at = 0; at < times.length; at++) {
      const day = Math.floor(((times[at] ?? 0) - this.#start) / dayMs);
      if (day < 0 || day >= this.#sums.length) continue;
      this.#sums[day] = (this.#sums[day] ?? 0) + (values[at] ?? 0);
      this.#counts[day] = (this.#counts[day] ?? 0) + 1;
    }
  }
}

/** Relative change from the mean of the first half of the days to that of the second half: 0.1 means 10% more. Undefined if the first mean is not above 0, or if a half has too few days with points. */
export function changeOfHalves(means: Float64Array): number | undefined {
  const half = means.length / 2;
  return changeBetween(meanOfDays(means.subarray(0, half)), meanOfDays(means.subarray(half)));
}

/** Relative change between two means, as in {@link changeOfHalves}. */
export function changeBetween(before: number | undefined, now: number | undefined): number | undefined {
  const change = before !== undefined && before > 0 && now !== undefined ? now / before - 1 : Number.NaN;
  // Sums of huge numbers may overflow.
  return Number.isFinite(change) ? change : undefined;
}

/** Mean of the days with points; NaN marks a day without. Undefined if fewer than four of seven days have points. */
export function meanOfDays(days: Float64Array): number | undefined {
  const known = days.filter((mean) => !Number.isNaN(mean));
  if (known.length * 7 < days.length * 4) return undefined;
  return known.reduce((sum, mean) => sum + mean, 0) / known.length;
}
