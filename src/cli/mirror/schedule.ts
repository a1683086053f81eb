/** When the runs of a mirror begin. */
import type { Clock } from '../../client/retry.ts';
import { AppError } from '../../model/app-error.ts';
import { shownValue } from '../password-text.ts';

const minuteMs = 60_000;
const halfHourMs = 30 * minuteMs;
const shortestMs = minuteMs;
const longestMs = 366 * 24 * 60 * minuteMs;

/**
 * Reads `30m`, `12h` or `1d` as milliseconds.
 * @throws AppError `invalid`.
 */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unit === 'm' ? 1 : unit === 'h' ? 60 : 1440) * minuteMs;
  if (count !== '' && ms >= shortestMs && ms <= longestMs) return ms;
  throw new AppError(
    'invalid',
    `it must be a duration from 1m to 366d, such as 30m, 12h or 1d, got ${shownValue(text)}`,
  );
}

/** The most that chance puts a run off. */
const longestJitterMs = 5 * minuteMs;

/** What the next run depends on. */
export interface ScheduleState {
  /** When the first run was due. */
  readonly firstAt: number;
  readonly everyMs: number;
  readonly now: number;
  readonly random: () => number;
}

/** When the next run begins: shortly after the next time that it is due, and never when everybody else comes. */
export function nextStart({ firstAt, everyMs, now, random }: ScheduleState): number {
  const dueAt = firstAt + (Math.floor(Math.max(0, now - firstAt) / everyMs) + 1) * everyMs;
  return awayFromHalfHours(dueAt + random() * Math.min(longestJitterMs, everyMs / 10), random);
}

const quietBeforeMs = minuteMs / 2;
const quietAfterMs = 2 * minuteMs;

/**
 * The same moment, or a later one: not around :00 and :30, when sources compute their points and every other program asks
 * for them. Public servers have had outages under that load.
 */
export function awayFromHalfHours(time: number, random: () => number): number {
  const behind = (time + quietBeforeMs) % halfHourMs;
  const quietMs = quietBeforeMs + quietAfterMs;
  return behind < quietMs ? time - behind + quietMs + random() * minuteMs : time;
}

/** How to go on. */
export interface RepeatOptions {
  readonly everyMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Must not reject for what may be over another time. */
  readonly run: () => Promise<void>;
  /** Told when the next run begins. */
  readonly onWait: (startAt: number) => void;
}

/**
 * Runs now and at every due time, one run behind the other, until the signal is aborted. A clock that is set back puts
 * no run off by more than one interval.
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

// A day is less than the longest timer, and soon enough to see that the clock of the system was set.
const longestWaitMs = 24 * 60 * minuteMs;

// Chance, and the quiet time around :00 and :30.
const longestDelayMs = 10 * minuteMs;

interface WaitOptions extends Pick<RepeatOptions, 'clock' | 'signal'> {
  /** What is further away than this was put there by a clock that has been set back since. */
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
