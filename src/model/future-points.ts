/** The rule for points in the future: a wrong clock or a wrong unit would otherwise hold the newest point of a chart for ever. */
import { AppError } from './app-error.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The latest time that a point may have, in Unix milliseconds: a day ahead of the clock. */
export function latestTimestampAt(nowMs: number): number {
  return nowMs + dayMs;
}

/** @throws AppError `invalid` for a point that is later than that. */
export function refuseFuture(timestamp: number, latestTimestamp: number): void {
  if (timestamp <= latestTimestamp) return;
  const [point, latest] = [timestamp, latestTimestamp].map((time) => new Date(time).toISOString());
  throw new AppError(
    'invalid',
    `a point lies at ${point} (${timestamp}), and may lie at ${latest} at the latest, a day ahead of the clock of this machine; --allow-future lets it in`,
  );
}
