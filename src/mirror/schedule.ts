/** Schedules repeated runs: of a mirror, and of `notify`, whose news come when points do. */
import type { Clock } from '../client/retry.ts';
import { type AppError, throwUnexpected } from '../model/app-error.ts';

const minuteMs = 60_000;
const halfHourMs = 30 * minuteMs;

/** Maximum random delay of a run. */
const longestJitterMs = 5 * minuteMs;

// No run begins between half a minute before :00 and :30 and two minutes after. In that time sources compute
// their points and most clients poll them: public servers have had outages under that load.
const quietBeforeMs = minuteMs / 2;
const quietMs = quietBeforeMs + 2 * minuteMs;

/** Longest delay that a timer supports. */
const longestWaitMs = 2 ** 31 - 1;

/** Options of {@link repeat}. */
interface RepeatOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A failure must not stop the next run, so an AppError goes to `onFailure`. */
  readonly run: () => Promise<unknown>;
  readonly onFailure: (error: AppError) => void;
  /** Called before a wait, with the time of the next run. */
  readonly onWait: (startAt: number) => void;
}

/**
 * Runs now and then shortly after every due time, one run at a time, until the signal is aborted. Waits are
 * durations, so setting the clock back delays a run by at most one interval.
 */
export async function repeat(options: RepeatOptions): Promise<void> {
  const { everyMs, clock, signal, run, onFailure, onWait } = options;
  let dueAt = clock.now();
  let jitterMs = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const startAt = awayFromHalfHours(dueAt + clock.random() * jitterMs, clock);
      let leftMs = startAt - clock.now();
      if (leftMs > 0) onWait(startAt);
      for (; leftMs > 0; leftMs -= longestWaitMs) await clock.wait(Math.min(leftMs, longestWaitMs), signal);
      await run().catch((error) => {
        throwUnexpected(error);
        onFailure(error);
      });
      const now = clock.now();
      dueAt = Math.min(dueAt, now);
      dueAt += (Math.floor((now - dueAt) / everyMs) + 1) * everyMs;
      jitterMs = Math.min(longestJitterMs, everyMs / 10);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Moves a time near :00 or :30 to shortly after it. */
function awayFromHalfHours(time: number, { random }: Clock): number {
  const sinceQuietMs = (time + quietBeforeMs) % halfHourMs;
  return sinceQuietMs < quietMs ? time - sinceQuietMs + quietMs + random() * minuteMs : time;
}
