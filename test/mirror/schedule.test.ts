// The start times of mirror runs, with a manual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../src/client/retry.ts';
import { repeat } from '../../src/mirror/schedule.ts';
import { randomFrom } from '../support/points.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

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

test('a run begins shortly after it is due, and never around :00 and :30', async () => {
  for (const everyMs of [minute, 7 * minute, 30 * minute, hour, day])
    for (const startAt of [0, 29.9 * minute, 10 * minute, 3 * day - 1]) {
      const controller = new AbortController();
      const { clock } = clockUntil(startAt + 300 * everyMs, controller, startAt);
      const announced: number[] = [];
      let lastAt = Number.NEGATIVE_INFINITY;
      await repeat({
        everyMs,
        clock,
        signal: controller.signal,
        onFailure: assert.fail,
        onWait: (at) => announced.push(at),
        run: async () => {
          const now = clock.now();
          assert.ok(now - lastAt <= everyMs + 9 * minute || lastAt < 0, `${now - lastAt} after ${lastAt}`);
          lastAt = now;
          const past = now % (30 * minute);
          assert.ok(past >= 2 * minute - 1 && past <= 29.5 * minute, new Date(now).toISOString());
          assert.ok(now === startAt || Math.abs(now - (announced.at(-1) ?? 0)) < 1);
          const sinceDue = (now - startAt) % everyMs;
          assert.ok(sinceDue <= 9 * minute, String(sinceDue));
        },
      });
      assert.ok(lastAt > startAt + 280 * everyMs);
    }
});

test('the first run begins at once, or after the busy minutes', async () => {
  for (const [startAt, first] of [
    [10 * minute, 10 * minute],
    [0, 2 * minute],
    [29.9 * minute, 32 * minute],
  ] as const) {
    const controller = new AbortController();
    const { clock } = clockUntil(Number.POSITIVE_INFINITY, controller, startAt);
    const options = { everyMs: hour, clock: { ...clock, random: () => 0 }, signal: controller.signal };
    const run = async () => {
      assert.equal(clock.now(), first);
      controller.abort();
    };
    let waitCount = 0;
    await repeat({ ...options, onFailure: assert.fail, onWait: () => waitCount++, run });
    assert.equal(waitCount, first === startAt ? 0 : 1);
  }
});

test('a source that is down for days is requested at every due time, and then mirrored again', async () => {
  const controller = new AbortController();
  const { clock } = clockUntil(6 * day, controller);
  const starts: number[] = [];
  let answeredCount = 0;
  await repeat({
    everyMs: 30 * minute,
    clock,
    signal: controller.signal,
    onFailure: assert.fail,
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
    onFailure: assert.fail,
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

test('a wait of months is several timers, and a signal ends it', async () => {
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
    onFailure: assert.fail,
    onWait: () => {},
    run,
  });
  assert.equal(runCount, 1);
  assert.ok(waits.length === 5 && Math.max(...waits) < 2 ** 31, String(waits));
});
