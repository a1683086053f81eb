// Steps of pictures, and the gaps between times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { historyStep, lineStep, stepRuns, timeStep } from '../../src/draw/time-step.ts';
import { dayMs } from '../../src/model/window.ts';

const hourMs = 3_600_000;

test('a line has its points over sixty days, days beyond, and weeks where days have no room', () => {
  assert.equal(lineStep(60 * dayMs, 200), undefined);
  assert.equal(lineStep(90 * dayMs, 200), '1d');
  assert.equal(lineStep(365 * dayMs, 800), '1d');
  assert.equal(lineStep(365 * dayMs, 400), '7d');
  assert.equal(lineStep(36_500 * dayMs), '1d');
});

test('the step of a history is the shortest that is two pixels wide', () => {
  assert.equal(historyStep(7 * dayMs, 800), '30m');
  assert.equal(historyStep(30 * dayMs, 1600), '1h');
  assert.equal(historyStep(30 * dayMs, 800), '6h');
  assert.equal(historyStep(365 * dayMs, 800), '1d');
  assert.equal(historyStep(36_500 * dayMs, 800), '7d');
  assert.equal(timeStep('6h').mean, 'mean of 6 hours');
});

test('one missing time among regular ones is a gap, and irregular times are joined but for long pauses', () => {
  const runsFor = (hours: readonly number[], stepMs = 0) => {
    const times = Float64Array.from(hours, (hour) => hour * hourMs);
    const ends = { from: 0, to: 100 * hourMs };
    return stepRuns(times, stepMs, ends).runs.map(({ start, end }) => hours.slice(start, end));
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
