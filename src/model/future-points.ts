/** Refuses points in the future: after one with a wrong time, no correct point would ever be the newest of its chart. */

import { AppError } from './app-error.ts';
import { dayMs, maxTimestamp } from './window.ts';

/** Latest time that a point may have, in Unix milliseconds: a day ahead of the clock, or any where the future is allowed. */
export function latestTimestampAt(nowMs: number, { allowsFuture = false } = {}): number {
  return allowsFuture ? maxTimestamp : nowMs + dayMs;
}

/** Refuses a time after the latest that is allowed; `what` is at that time. @throws AppError `invalid`. */
export function refuseFuture(timestamp: number, latestTimestamp: number, what = 'a point'): void {
  if (timestamp <= latestTimestamp) return;
  const [point, latest] = [timestamp, latestTimestamp].map((time) => new Date(time).toISOString());
  throw new AppError(
    'invalid',
    `${what} lies at ${point} (${timestamp}), more than a day ahead of the clock of this machine (at most ${latest}); --allow-future accepts it`,
  );
}
