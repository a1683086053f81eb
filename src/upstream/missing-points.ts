/** Estimates how many points of a line a mirror may be missing. */
import type { Points } from '../model/points.ts';

/** More points than a response within the bounds can have: asks for all. */
export const allPoints = 4_000_000;

/** The most points that the first request of a later run asks for: a month of half-hours, the default of the interface. */
const firstAskedPoints = 1440;

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

/**
 * Yields how many points to ask for, until an answer reaches back to a stored point: first at most a month, so that a line that
 * no longer grows costs little, then all that can be missing, then ever more, for a source with more points than expected.
 */
export function* askedCounts(missing: number): Generator<number> {
  let asked = Math.min(missing, firstAskedPoints);
  while (asked < allPoints) {
    yield asked;
    asked = asked < missing ? missing : asked * 4;
  }
  yield allPoints;
}

/** Selects the points of an answer that are not stored, or have another value. Both are in ascending order of time. */
export function newPoints(received: Points, stored: Points): Points {
  if (stored.timestamps.length === 0) return received;
  const isNew = (timestamp: number, index: number): boolean => {
    const at = indexFrom(stored.timestamps, timestamp);
    return stored.timestamps[at] !== timestamp || stored.values[at] !== received.values[index];
  };
  const kept = [...received.timestamps.keys()].filter((index) =>
    isNew(received.timestamps[index] ?? 0, index),
  );
  if (kept.length === received.timestamps.length) return received;
  return {
    timestamps: Float64Array.from(kept, (index) => received.timestamps[index] ?? 0),
    values: Float64Array.from(kept, (index) => received.values[index] ?? 0),
  };
}

/** Finds the index of the first time that is not before another one, by halving. */
function indexFrom(timestamps: Float64Array, time: number): number {
  let [start, end] = [0, timestamps.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((timestamps[middle] ?? 0) < time) start = middle + 1;
    else end = middle;
  }
  return start;
}
