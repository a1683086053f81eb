// Steps of pictures, and the gaps between times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalOf, runsOfTimes, stepFor } from '../../src/draw/time-step.ts';
import { dayMs, stepStart } from '../../src/model/window.ts';
import { fc } from '../support/seed.ts';

const hourMs = 3_600_000;

test('a step is the shortest that gives no more steps than columns', () => {
  const meanOf = (days: number, maxCount: number) => stepFor(days * dayMs, { maxCount }).mean;
  assert.equal(meanOf(30, 720), 'hourly mean');
  assert.equal(meanOf(30, 400), 'mean of 6 hours');
  assert.equal(meanOf(365, 400), 'daily mean');
  assert.equal(meanOf(3650, 560), 'weekly mean');
  assert.equal(meanOf(3650, 400), 'mean of 4 weeks');
  assert.equal(meanOf(100_000, 400), 'mean of 36 weeks');
  assert.equal(stepFor(90 * dayMs, { maxCount: 560, leastMs: dayMs }).mean, 'daily mean');
});

test('the steps of any span are as few as wanted, and each time is in the one that begins before it', () => {
  const span = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
  fc.assert(
    fc.property(span, fc.integer({ min: 1, max: 2000 }), fc.nat(8.64e15), (spanMs, maxCount, time) => {
      const step = stepFor(spanMs, { maxCount });
      assert.ok(spanMs / step.ms <= maxCount);
      const start = stepStart(time, step.ms);
      assert.ok(start <= time && time < start + step.ms);
      assert.equal(stepStart(start, step.ms), start);
    }),
  );
});

test('weeks begin on Monday', () => {
  const week = stepFor(3650 * dayMs, { maxCount: 560 });
  assert.equal(new Date(stepStart(Date.UTC(2026, 5, 30), week.ms)).toISOString(), '2026-06-29T00:00:00.000Z');
});

test('one missing time among regular ones is a gap, and irregular times are joined but for long pauses', () => {
  const runsFor = (hours: readonly number[], stepMs = 0) => {
    const times = Float64Array.from(hours, (hour) => hour * hourMs);
    return runsOfTimes(times, intervalOf(times, stepMs)).map(({ start, end }) => hours.slice(start, end));
  };
  assert.deepEqual(runsFor([0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]), [
    [0, 1, 2, 3],
    [5, 6, 7, 8, 9, 10, 11, 12],
  ]);
  assert.equal(runsFor([0, 1, 5, 6, 10, 12, 13, 17, 20, 22, 23, 24, 60]).length, 2);
  assert.deepEqual(runsFor([0, 1, 3], 2 * hourMs), [[0, 1, 3]]);
  assert.deepEqual(runsFor([7]), [[7]]);
  assert.deepEqual(runsFor([]), []);
});
