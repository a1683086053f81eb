// The times at which a chart is refreshed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefreshTimer } from '../../../../src/site/browser/element/refresh-timer.ts';

const minuteMs = 60_000;

test('a visible chart is refreshed after half an hour and at most two minutes', () => {
  const { timer, passMs, counts } = fakeTimer();
  timer.setWatched(true);
  timer.restart();
  passMs(30 * minuteMs);
  assert.equal(counts.refreshes, 0);
  passMs(2 * minuteMs);
  assert.equal(counts.refreshes, 1);
  passMs(100 * minuteMs);
  assert.equal(counts.refreshes, 1, 'the next half hour begins with the answer');
  timer.restart();
  passMs(33 * minuteMs);
  assert.equal(counts.refreshes, 2);
});

test('a hidden chart is not refreshed, and an overdue one at once when it is visible again', () => {
  const { timer, passMs, counts } = fakeTimer();
  timer.setWatched(true);
  timer.restart();
  timer.setWatched(false);
  passMs(100 * minuteMs);
  assert.equal(counts.refreshes, 0);
  assert.equal(counts.timers, 0);
  timer.setWatched(true);
  passMs(0);
  assert.equal(counts.refreshes, 1);
});

function fakeTimer() {
  let now = 0;
  let nextTimer = 1;
  const timers = new Map<number, { at: number; callback: () => void }>();
  const counts = {
    refreshes: 0,
    get timers() {
      return timers.size;
    },
  };
  const timer = new RefreshTimer(
    () => {
      counts.refreshes++;
    },
    {
      now: () => now,
      random: () => 0.5,
      setTimeout: (callback, ms) => {
        timers.set(nextTimer, { at: now + ms, callback });
        return nextTimer++;
      },
      clearTimeout: (id) => void timers.delete(id ?? 0),
    },
  );
  const passMs = (ms: number) => {
    now += ms;
    for (const [id, { at, callback }] of timers) {
      if (at > now) continue;
      timers.delete(id);
      callback();
    }
  };
  return { timer, passMs, counts };
}
