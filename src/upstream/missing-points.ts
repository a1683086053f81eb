/** How many points of a line a mirror may miss. */
import type { Points } from '../model/points.ts';

/** More points than a response within the bounds can have: all that the source gives. */
export const allPoints = 4_000_000;

/** A month of half-hours, the default of the interface: the most that the first request of a later visit asks for. */
const firstAskedPoints = 1440;

const halfHourMs = 1_800_000;
/** The source may have mended its latest points, and the answer must reach back to what is stored. */
const slackPoints = 4;

/**
 * How many points can have come since the newest stored one, judged by the usual time between the stored ones.
 * @param stored the latest points, in ascending order; at least one.
 */
export function pointsSince(stored: Points, now: number): number {
  const { timestamps } = stored;
  const gaps = timestamps.subarray(1).map((timestamp, index) => timestamp - (timestamps[index] ?? 0));
  const usualMs = gaps.sort()[gaps.length >> 1] ?? halfHourMs;
  const passed = Math.max(0, now - (timestamps.at(-1) ?? 0)) / usualMs;
  return Math.min(allPoints, Math.ceil(passed * 1.1) + slackPoints);
}

/**
 * How many points to ask for, attempt by attempt, until the answer reaches back to what is stored. The second time it is
 * all that can be missing, and only a source with more points than time suggests is asked again. A line that no longer
 * grows costs a month of points, not all of its history.
 */
export function* askedCounts(missing: number): Generator<number> {
  let asked = Math.min(missing, firstAskedPoints);
  while (asked < allPoints) {
    yield asked;
    asked = asked < missing ? missing : asked * 4;
  }
  yield allPoints;
}

/** The points of an answer that are not stored, or with another value. Both are in ascending order of time. */
export function newPoints(told: Points, stored: Points): Points {
  if (stored.timestamps.length === 0) return told;
  let at = 0;
  const isNew = (timestamp: number, index: number): boolean => {
    while ((stored.timestamps[at] ?? Number.POSITIVE_INFINITY) < timestamp) at++;
    return stored.timestamps[at] !== timestamp || stored.values[at] !== told.values[index];
  };
  const kept = [...told.timestamps.keys()].filter((index) => isNew(told.timestamps[index] ?? 0, index));
  if (kept.length === told.timestamps.length) return told;
  return {
    timestamps: Float64Array.from(kept, (index) => told.timestamps[index] ?? 0),
    values: Float64Array.from(kept, (index) => told.values[index] ?? 0),
  };
}
