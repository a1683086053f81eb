/** Insights of a line: changes of its daily means, and its highest values. */

import type { LatestPoint, RecentChanges } from '../model/plugin-list.ts';
import { changeBetween, dayMs, dayStart, firstFrom, meanOfDays, startOfDays } from '../model/window.ts';

/** Insights of a line. */
export interface LineInsights {
  readonly chartId: string;
  readonly now: LatestPoint;
  /** Each is null where a mean is not known. */
  readonly changes: RecentChanges & { readonly '1y': number | null };
  readonly peak30d: LatestPoint;
  readonly record: LatestPoint;
}

/**
 * Number of days by which the two means of a year are apart: whole weeks, so that weekends are compared with
 * weekends.
 */
const yearDays = 364;

const peakMs = 30 * dayMs;

/**
 * Lists the last whole days of a line as their beginnings, the newest first.
 * @param newest the time of its newest point.
 */
export function lastDays(newest: number, dayCount: number): readonly number[] {
  const last = startOfDays(newest, 1);
  return Array.from({ length: dayCount }, (_, index) => last - index * dayMs);
}

/** Lists the days that all changes need in the same way. */
export function daysOfChanges(newest: number): readonly number[] {
  return [...lastDays(newest, 56), ...lastDays(newest, 28).map((day) => day - yearDays * dayMs)];
}

/** Collects the points of a line, in ascending parts. */
export class LineDays {
  readonly #newest: number;
  readonly #days: Map<number, { sum: number; count: number }>;
  #record: LatestPoint = [0, Number.NEGATIVE_INFINITY];
  #peak: LatestPoint = [0, Number.NEGATIVE_INFINITY];
  #last: LatestPoint | undefined;

  /** @param newest time of the newest point. @param days starts of the days whose means are needed. */
  constructor(newest: number, days: Iterable<number>) {
    this.#newest = newest;
    this.#days = new Map(Array.from(days, (day) => [day, { sum: 0, count: 0 }]));
  }

  add(times: Float64Array, values: Float64Array): void {
    const last = times.length - 1;
    if (last < 0) return;
    this.#last = [times[last] ?? 0, values[last] ?? 0];
    this.#record = highest(this.#record, times, values, 0);
    const peakFrom = this.#newest - peakMs;
    // A point from exactly 30 days ago belongs to the previous window.
    if (this.#last[0] > peakFrom)
      this.#peak = highest(this.#peak, times, values, firstFrom(times, peakFrom + 1));
    for (let at = 0; at <= last; ) {
      const start = dayStart(times[at] ?? 0);
      const day = this.#days.get(start);
      let sum = day?.sum ?? 0;
      const first = at;
      for (; at <= last && (times[at] ?? 0) < start + dayMs; at++) sum += values[at] ?? 0;
      if (day === undefined) continue;
      day.sum = sum;
      day.count += at - first;
    }
  }

  /**
   * Returns the mean of consecutive days; undefined if too few of them have points. The constructor must have
   * received these days.
   */
  mean(start: number, dayCount: number): number | undefined {
    return meanOfDays(this.#means(start, dayCount));
  }

  /** The mean of each of the last whole days; NaN for a day without points. */
  lastMeans(dayCount: number): Float64Array {
    return this.#means(startOfDays(this.#newest, dayCount), dayCount);
  }

  /** The changes of the last days from the days before. */
  get recentChanges(): RecentChanges {
    return { '7d': this.#change(7, 7), '28d': this.#change(28, 28) };
  }

  /** Returns the insights; undefined without points. */
  insights(chartId: string): LineInsights | undefined {
    if (this.#last === undefined) return undefined;
    return {
      chartId,
      now: this.#last,
      changes: { ...this.recentChanges, '1y': this.#change(28, yearDays) },
      peak30d: this.#peak,
      record: this.#record,
    };
  }

  #means(start: number, dayCount: number): Float64Array {
    return Float64Array.from({ length: dayCount }, (_, index) => {
      const { sum, count } = this.#days.get(start + index * dayMs) ?? { sum: 0, count: 0 };
      return sum / count;
    });
  }

  /**
   * Returns the change of the mean of the last `dayCount` days, compared with the same number of days
   * `daysBefore` days earlier.
   */
  #change(dayCount: number, daysBefore: number): number | null {
    const start = startOfDays(this.#newest, dayCount);
    const before = this.mean(start - daysBefore * dayMs, dayCount);
    return ratio(changeBetween(before, this.mean(start, dayCount)));
  }
}

/** Rounds a ratio to four decimals; null if it is undefined or infinite. */
export function ratio(value: number | undefined): number | null {
  if (value === undefined || !Number.isFinite(value)) return null;
  // Without the sign of a zero.
  return (Math.sign(value) * Math.round(Math.abs(value) * 10_000)) / 10_000 || 0;
}

/** Finds the highest point from an index on; the earliest wins a tie, even against `before`. */
function highest(before: LatestPoint, times: Float64Array, values: Float64Array, from: number): LatestPoint {
  let [index, most] = [-1, before[1]];
  for (let at = from; at < values.length; at++) {
    const value = values[at] ?? 0;
    if (value > most) [index, most] = [at, value];
  }
  return index === -1 ? before : [times[index] ?? 0, most];
}
