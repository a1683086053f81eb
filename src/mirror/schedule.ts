/** The times at which the runs of a mirror begin. */
import type { Clock } from '../client/retry.ts';

const minuteMs = 60_000;
const halfHourMs = 30 * minuteMs;

/** Longest random delay of a run. */
const longestJitterMs = 5 * minuteMs;

/** Determines the next run. */
interface ScheduleState {
  /** The time at which the first run was due. */
  readonly firstAt: number;
  readonly everyMs: number;
  readonly now: number;
  readonly random: () => number;
}

/** Computes the start of the next run: shortly after it is due, and away from the times at which sources are busy. */
export function nextStart({ firstAt, everyMs, now, random }: ScheduleState): number {
  const dueAt = firstAt + (Math.floor(Math.max(0, now - firstAt) / everyMs) + 1) * everyMs;
  return awayFromHalfHours(dueAt + random() * Math.min(longestJitterMs, everyMs / 10), random);
}

const quietBeforeMs = minuteMs / 2;
const quietAfterMs = 2 * minuteMs;

/**
 * Moves a time that lies around :00 or :30 to a later one. Then sources compute their points and most programs ask for
 * them: public servers have had outages under that load.
 */
export function awayFromHalfHours(time: number, random: () => number): number {
  const sinceQuietMs = (time + quietBeforeMs) % halfHourMs;
  const quietMs = quietBeforeMs + quietAfterMs;
  return sinceQuietMs < quietMs ? time - sinceQuietMs + quietMs + random() * minuteMs : time;
}

/** Options of {@link repeat}. */
interface RepeatOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Must not reject for a failure that may have passed by the next run. */
  readonly run: () => Promise<void>;
  /** Called with the time of the next run. */
  readonly onWait: (startAt: number) => void;
}

/**
 * Runs now and at every due time, one run after the other, until the signal is aborted. A clock that is set back delays
 * no run by more than one interval.
 */
export async function repeat({ everyMs, clock, signal, run, onWait }: RepeatOptions): Promise<void> {
  const { random } = clock;
  let firstAt = clock.now();
  let startAt = awayFromHalfHours(firstAt, random);
  while (!signal.aborted) {
    if (startAt > clock.now()) {
      onWait(startAt);
      await waitUntil(startAt, { clock, signal, atMostMs: everyMs + longestDelayMs });
    }
    if (signal.aborted) return;
    await run();
    firstAt = Math.min(firstAt, clock.now());
    startAt = nextStart({ firstAt, everyMs, now: clock.now(), random });
  }
}

// Less than the longest timer, and often enough to notice that the system's clock was set.
const longestWaitMs = 24 * 60 * minuteMs;

// The random delay, and the quiet time around :00 and :30.
const longestDelayMs = 10 * minuteMs;

interface WaitOptions extends Pick<RepeatOptions, 'clock' | 'signal'> {
  /** A longer wait means that the clock was set back since the time was computed. */
  readonly atMostMs: number;
}

async function waitUntil(time: number, { clock, signal, atMostMs }: WaitOptions): Promise<void> {
  for (;;) {
    const leftMs = time - clock.now();
    if (signal.aborted || leftMs <= 0 || leftMs > atMostMs) return;
    await clock.wait(Math.min(longestWaitMs, leftMs), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
