/** The times at which the runs of a mirror begin. */
import type { Clock } from '../client/retry.ts';

const minuteMs = 60_000;
const halfHourMs = 30 * minuteMs;

/** Longest random delay of a run. */
const longestJitterMs = 5 * minuteMs;

// From half a minute before :00 and :30 to two minutes after. Then sources compute their points and most programs ask for them: public
// servers have had outages under that load.
const quietBeforeMs = minuteMs / 2;
const quietMs = quietBeforeMs + 2 * minuteMs;

/** The longest timer. */
const longestWaitMs = 2 ** 31 - 1;

/** Options of {@link repeat}. */
interface RepeatOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Must not reject for a failure that may be over by the next run. */
  readonly run: () => Promise<void>;
  /** Called with the time of the next run. */
  readonly onWait: (startAt: number) => void;
}

/**
 * Runs now and shortly after every due time, one run after the other, until the signal is aborted. Waits are durations, so a clock
 * that is set back delays no run by more than one interval.
 */
export async function repeat({ everyMs, clock, signal, run, onWait }: RepeatOptions): Promise<void> {
  let dueAt = clock.now();
  let jitterMs = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const startAt = awayFromHalfHours(dueAt + clock.random() * jitterMs, clock);
      let leftMs = startAt - clock.now();
      if (leftMs > 0) onWait(startAt);
      for (; leftMs > 0; leftMs -= longestWaitMs) await clock.wait(Math.min(leftMs, longestWaitMs), signal);
      await run();
      const now = clock.now();
      dueAt = Math.min(dueAt, now);
      dueAt += (Math.floor((now - dueAt) / everyMs) + 1) * everyMs;
      jitterMs = Math.min(longestJitterMs, everyMs / 10);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Moves a time that lies around :00 or :30 to a later one. */
function awayFromHalfHours(time: number, { random }: Clock): number {
  const sinceQuietMs = (time + quietBeforeMs) % halfHourMs;
  return sinceQuietMs < quietMs ? time - sinceQuietMs + quietMs + random() * minuteMs : time;
}
