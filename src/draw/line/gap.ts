/** How far apart two points may be before the line between them is left open. */

/** The interval of points that a chart usually has: half an hour. */
export const usualIntervalMs = 30 * 60 * 1000;

const intervalsPerGap = 2.5;

/** The longest distance of points that are joined, in milliseconds: 2.5 times the median interval of the newest points. */
export function gapLimitMs(newestTimestamps: ArrayLike<number>): number {
  const last = newestTimestamps.length - 1;
  const intervals = new Float64Array(Math.min(99, Math.max(0, last)));
  for (let index = 0; index < intervals.length; index++)
    intervals[index] = (newestTimestamps[last - index] ?? 0) - (newestTimestamps[last - index - 1] ?? 0);
  const median = intervals.sort()[intervals.length >> 1] ?? usualIntervalMs;
  return intervalsPerGap * (median > 0 ? median : usualIntervalMs);
}
