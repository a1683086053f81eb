/** The means of the last days of a line, and their change from one half of the days to the other. */

import { type Columns, valuesOf } from './columns.ts';
import { dayMs } from './window.ts';

/** The usual interval of points. */
const usualIntervalMs = 30 * 60 * 1000;

/** The beginning of the first of some whole days in UTC, the last of which ends before the newest point. With its last half-hour a day is whole. */
export function startOfDays(newest: number, dayCount: number): number {
  return Math.floor((newest + usualIntervalMs) / dayMs) * dayMs - dayCount * dayMs;
}

/** Takes ascending points, and keeps the sums of days. */
export class DayMeans {
  readonly #start: number;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  /** @param newest the time of the newest point of the line in Unix milliseconds */
  constructor(newest: number, dayCount: number) {
    this.#start = startOfDays(newest, dayCount);
    this.#sums = new Float64Array(dayCount);
    this.#counts = new Float64Array(dayCount);
  }

  /** The mean of each day; NaN for a day without points. */
  get means(): Float64Array {
    return this.#sums.map((sum, day) => sum / (this.#counts[day] ?? 0));
  }

  /** Adds points; those of other days are left out. */
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

/**
 * The change from the mean of the first half of some days to that of the second, as a share: 0.1 is a tenth more. Undefined if the first was not
 * above 0, and if one of them has too few days with points.
 */
export function changeOfHalves(means: Float64Array): number | undefined {
  const half = means.length / 2;
  return changeBetween(meanOfDays(means.subarray(0, half)), meanOfDays(means.subarray(half)));
}

/** The change from one mean to another in the same way. */
export function changeBetween(before: number | undefined, now: number | undefined): number | undefined {
  const change = before !== undefined && before > 0 && now !== undefined ? now / before - 1 : Number.NaN;
  // The sum of huge numbers may not be a number.
  return Number.isFinite(change) ? change : undefined;
}

/** The mean of the days that have points, NaN being one without; undefined if fewer than four of seven have. */
export function meanOfDays(days: Float64Array): number | undefined {
  const known = days.filter((mean) => !Number.isNaN(mean));
  if (known.length * 7 < days.length * 4) return undefined;
  return known.reduce((sum, mean) => sum + mean, 0) / known.length;
}
