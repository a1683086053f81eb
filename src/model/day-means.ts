/** Means of whole UTC days, and relative changes between them. */

import { dayMs } from './window.ts';

/** Usual interval of points. */
const usualIntervalMs = 30 * 60 * 1000;

/** Returns the start of the first of the last `dayCount` whole UTC days before the newest point. A day counts as whole once it has its last half-hour. */
export function startOfDays(newest: number, dayCount: number): number {
  return Math.floor((newest + usualIntervalMs) / dayMs) * dayMs - dayCount * dayMs;
}

/** Relative change between two means: 0.1 means 10% more. Undefined if one is unknown, or if the first is not above 0. */
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
