/** Estimates how many points of a line a mirror lacks. */
import type { Columns } from '../model/columns.ts';

/** Count that requests all points: more than fit into a response within the size limit. */
export const allPoints = 4_000_000;

const halfHourMs = 1_800_000;
/** Number of additional points to request: the source may have corrected its latest ones, and the response must include a stored one. */
const slackPoints = 4;

/**
 * Estimates the number of points since the newest stored one from the median interval.
 * @param stored the latest points in ascending order; at least one.
 */
export function pointsSince({ times }: Columns, now: number): number {
  const gaps = times.subarray(1).map((time, index) => time - (times[index] ?? 0));
  const usualMs = gaps.sort()[gaps.length >> 1] ?? halfHourMs;
  const passed = Math.max(0, now - (times.at(-1) ?? 0)) / usualMs;
  return Math.min(allPoints, Math.ceil(passed * 1.1) + slackPoints);
}
