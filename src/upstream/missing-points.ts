/** Estimates how many points of a line a mirror may be missing. */
import type { Points } from '../model/points.ts';

/** More points than a response within the bounds can have: asks for all. */
export const allPoints = 4_000_000;

const halfHourMs = 1_800_000;
/** Points to ask for in addition: the source may have corrected its latest ones, and the answer must include a stored one. */
const slackPoints = 4;

/**
 * Estimates the number of points since the newest stored one, from the usual interval of the stored ones.
 * @param stored the latest points, in ascending order; at least one.
 */
export function pointsSince(stored: Points, now: number): number {
  const { timestamps } = stored;
  const gaps = timestamps.subarray(1).map((timestamp, index) => timestamp - (timestamps[index] ?? 0));
  const usualMs = gaps.sort()[gaps.length >> 1] ?? halfHourMs;
  const passed = Math.max(0, now - (timestamps.at(-1) ?? 0)) / usualMs;
  return Math.min(allPoints, Math.ceil(passed * 1.1) + slackPoints);
}
