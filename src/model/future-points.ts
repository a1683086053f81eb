/**
 * Refuses points in the future: if a point with a wrong time were accepted, later correct points would not
 * count as the newest of their chart.
 */

import { AppError } from './app-error.ts';
import { dayMs, maxTimestamp } from './window.ts';

/**
 * Latest allowed time of a point, in Unix milliseconds: a day ahead of the clock, or no limit if the future
 * is allowed.
 */
export function latestTimestampAt(nowMs: number, { allowsFuture = false } = {}): number {
  return allowsFuture ? maxTimestamp : nowMs + dayMs;
}

/**
 * Refuses a time after the latest allowed one; `what` is the thing with that time.
 * @throws AppError `invalid`.
 */
export function refuseFuture(timestamp: number, latestTimestamp: number, what = 'a point'): void {
  if (timestamp <= latestTimestamp) return;
  const [point, latest] = [timestamp, latestTimestamp].map((time) => new Date(time).toISOString());
  throw new AppError(
    'invalid',
    `${what} lies at ${point} (${timestamp}), more than a day ahead of the clock of this machine (at most ${latest}); --allow-future accepts it`,
  );
}
