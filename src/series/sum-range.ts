/** Sums up the points of a line in one range. */
import type { Points } from '../model/points.ts';
import { NumberList } from './number-list.ts';
import { firstFrom, stepAt } from './steps.ts';
import { type RangeSums, sumRangeMs } from './sum-block.ts';

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;

/**
 * Sums up points, which come in ascending runs.
 * @param start the beginning of the range; points outside of it are left out.
 * @returns undefined where sums might not be exact: a value is no integer, or the values are too large.
 */
export function sumRange(start: number, runs: Iterable<Points>): RangeSums | undefined {
  const days = new NumberList();
  const counts = new NumberList();
  const sums = new NumberList();
  const weeks = new NumberList();
  const lowest = new NumberList();
  const highest = new NumberList();
  let [dayEnd, weekEnd] = [start, start];
  let largestTotal = 0;
  for (const { timestamps, values } of runs) {
    const end = firstFrom(timestamps, start + sumRangeMs);
    for (let at = firstFrom(timestamps, start); at < end; ) {
      const time = timestamps[at] ?? 0;
      if (time >= dayEnd) {
        dayEnd = stepAt(time, dayMs) + dayMs;
        days.push(dayEnd - dayMs);
        counts.push(0);
        sums.push(0);
      }
      if (time >= weekEnd) {
        weekEnd = stepAt(time, weekMs) + weekMs;
        weeks.push(weekEnd - weekMs);
        lowest.push(Number.POSITIVE_INFINITY);
        highest.push(Number.NEGATIVE_INFINITY);
      }
      const first = at;
      let [sum, low, high] = [sums.last, lowest.last, highest.last];
      for (; at < end && (timestamps[at] ?? 0) < dayEnd; at++) {
        const value = values[at] ?? 0;
        if (Math.trunc(value) !== value) return undefined;
        sum += value;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      counts.last += at - first;
      sums.last = sum;
      lowest.last = low;
      highest.last = high;
      largestTotal += (at - first) * Math.max(-low, high);
    }
  }
  if (largestTotal > Number.MAX_SAFE_INTEGER) return undefined;
  return {
    start,
    days: days.take(),
    counts: counts.take(),
    sums: sums.take(),
    weeks: weeks.take(),
    lowest: lowest.take(),
    highest: highest.take(),
  };
}
