/** How far apart two points may be before the line between them is left open. */

/** The interval of points that a chart usually has: half an hour. */
export const usualIntervalMs = 30 * 60 * 1000;

const intervalsPerGap = 2.5;

/** The longest distance of points that are joined, in milliseconds: 2.5 times the median interval of the newest points. */
export function gapLimitMs(newestTimestamps: ArrayLike<number>): number {
  const intervals: number[] = [];
  for (let index = Math.max(1, newestTimestamps.length - 100); index < newestTimestamps.length; index++) {
    intervals.push((newestTimestamps[index] ?? 0) - (newestTimestamps[index - 1] ?? 0));
  }
  intervals.sort((a, b) => a - b);
  const median = intervals[intervals.length >> 1] ?? usualIntervalMs;
  return intervalsPerGap * (median > 0 ? median : usualIntervalMs);
}
