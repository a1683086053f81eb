/** Estimates how many points of a line a mirror may be missing. */
import type { Columns } from '../model/columns.ts';

/** More points than a response within the bounds can have: asks for all. */
export const allPoints = 4_000_000;

const halfHourMs = 1_800_000;
/** Columns to ask for in addition: the source may have corrected its latest ones, and the answer must include a stored one. */
const slackPoints = 4;

/**
 * Estimates the number of points since the newest stored one, from the usual interval of the stored ones.
 * @param stored the latest points, in ascending order; at least one.
 */
export function pointsSince({ times }: Columns, now: number): number {
  const gaps = times.subarray(1).map((time, index) => time - (times[index] ?? 0));
  const usualMs = gaps.sort()[gaps.length >> 1] ?? halfHourMs;
  const passed = Math.max(0, now - (times.at(-1) ?? 0)) / usualMs;
  return Math.min(allPoints, Math.ceil(passed * 1.1) + slackPoints);
}
