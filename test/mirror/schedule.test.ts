// The start times of mirror runs, with a manual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../src/client/retry.ts';
import { awayFromHalfHours, nextStart, repeat } from '../../src/mirror/schedule.ts';
import { randomFrom } from '../support/points.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test('a run begins shortly after it is due, and never around :00 and :30', () => {
  const random = randomFrom(1);
  for (let count = 0; count < 20_000; count++) {
    const everyMs = [minute, 7 * minute, 30 * minute, hour, day][count % 5] ?? minute;
    const firstAt = Math.floor(random() * 1e12);
    const now = firstAt + Math.floor(random() * 3 * day);
    const at = nextStart({ firstAt, everyMs, now, random });
    assert.ok(at > now && at <= now + everyMs + 9 * minute, `${at - now} after ${now}`);
    const past = at % (30 * minute);
    assert.ok(past >= 2 * minute - 1 && past <= 29.5 * minute, `${new Date(at).toISOString()}`);
  }
});

test('a due time far from :00 and :30 is not changed', () => {
  assert.equal(awayFromHalfHours(10 * minute, Math.random), 10 * minute);
  assert.ok(awayFromHalfHours(0, () => 0) === 2 * minute);
  assert.ok(awayFromHalfHours(29.9 * minute, () => 0) === 32 * minute);
});

/** A clock whose waits end at once, until the time at which the signal comes. */
function clockUntil(end: number, controller: AbortController, startAt = 10 * minute) {
  let now = startAt;
  const clock: Clock = {
    now: () => now,
    random: randomFrom(7),
    wait: async (ms, signal) => {
      now += ms;
      if (now >= end) controller.abort();
      signal?.throwIfAborted();
    },
  };
  return { clock, pass: (ms: number) => (now += ms) };
}

test('a source that is down for days is requested at every due time, and then mirrored again', async () => {
  const controller = new AbortController();
  const { clock } = clockUntil(6 * day, controller);
  const starts: number[] = [];
  let answeredCount = 0;
  await repeat({
    everyMs: 30 * minute,
    clock,
    signal: controller.signal,
    onWait: () => {},
    run: async () => {
      starts.push(clock.now());
      const isAway = clock.now() > day && clock.now() < 4 * day;
      if (!isAway) answeredCount++;
    },
  });
  assert.ok(starts.length >= 6 * 48 - 2 && starts.length <= 6 * 48 + 1, String(starts.length));
  assert.ok(answeredCount > 140, String(answeredCount));
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  assert.ok(Math.max(...gaps) < 40 * minute, String(Math.max(...gaps)));
});

test('runs do not overlap: one that is longer than the interval is followed by the next', async () => {
  const controller = new AbortController();
  const { clock, pass } = clockUntil(day, controller);
  let runningCount = 0;
  const starts: number[] = [];
  await repeat({
    everyMs: 30 * minute,
    clock,
    signal: controller.signal,
    onWait: () => {},
    run: async () => {
      assert.equal(++runningCount, 1);
      starts.push(clock.now());
      pass(70 * minute);
      await Promise.resolve();
      runningCount--;
    },
  });
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
  assert.ok(gaps.length > 10 && gaps.every((gap) => gap > 70 * minute && gap < 105 * minute), String(gaps));
});

test('a wait of months is many short waits, and a signal ends it', async () => {
  const controller = new AbortController();
  const { clock } = clockUntil(100 * day, controller);
  let runCount = 0;
  const waits: number[] = [];
  const wait: Clock['wait'] = (ms, signal) => {
    waits.push(ms);
    return clock.wait(ms, signal);
  };
  const run = async () => void runCount++;
  await repeat({
    everyMs: 366 * day,
    clock: { ...clock, wait },
    signal: controller.signal,
    onWait: () => {},
    run,
  });
  assert.equal(runCount, 1);
  assert.ok(waits.length >= 99 && Math.max(...waits) <= day);
});

test('a clock that is set back by years delays no run by more than an interval', async () => {
  for (const isWaiting of [true, false]) {
    const controller = new AbortController();
    const { clock, pass } = clockUntil(Number.POSITIVE_INFINITY, controller, 3650 * day);
    let elapsedMs = 0;
    const starts: number[] = [];
    const setBack = () => pass(-3000 * day);
    await repeat({
      everyMs: 30 * minute,
      signal: controller.signal,
      clock: {
        ...clock,
        wait: async (ms, signal) => {
          elapsedMs += ms;
          if (isWaiting && starts.length === 2 && clock.now() > 3000 * day) setBack();
          await clock.wait(ms, signal);
        },
      },
      onWait: () => {},
      run: async () => {
        starts.push(elapsedMs);
        if (!isWaiting && starts.length === 2) setBack();
        if (starts.length === 6) controller.abort();
      },
    });
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    assert.ok(
      gaps.every((gap) => gap > minute && gap < 40 * minute),
      String(gaps),
    );
  }
});
