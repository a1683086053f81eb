// The values at the cursor of a comparison.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackLines } from '../../../../src/draw/line/sum.ts';
import { pointsOf } from '../../../../src/model/points.ts';
import { fetchComparedValues } from '../../../../src/site/browser/compare/compared-values.ts';

const slot = 1_800_000;
const plot = { width: 800, left: 0, top: 0, right: 800, bottom: 300, low: 0, high: 1, isLog: false };

test('the sum at the cursor is the one that is drawn, beside gaps too', async ({ mock }) => {
  // Answers are forgotten after a minute.
  mock.timers.enable({ apis: ['setTimeout'] });
  // The second line ends, the first one has a gap.
  const entries: Record<string, [slot: number, value: number][]> = {
    a: [0, 1, 2, 3, 9, 10, 11, 12].map((at) => [at, 10 + at]),
    b: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => [at, 100]),
  };
  const times = Array.from({ length: 13 }, (_, at) => at * slot);
  const series = Object.values(entries).map((points) => ({
    values: times.map((time) => points.find(([at]) => at * slot === time)?.[1] ?? null),
  }));
  mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json({ times, series })));
  const lines = Object.keys(entries).map((chart, place) => ({ chart, name: chart, place, factor: 1 }));
  const compared = await fetchComparedValues(
    { mode: 'sum', step: '30m', lines },
    { ...plot, from: 0, to: 12 * slot },
  );
  const drawn = stackLines(
    Object.values(entries).map((points) =>
      pointsOf(points.map(([at, value]): [number, number] => [at * slot, value])),
    ),
  );
  assert.deepEqual(compared.times, drawn.times);
  assert.deepEqual(
    Array.from(compared.times, (time, index) => [
      time / slot,
      ...compared.valuesAt(index).map(({ value }) => value),
    ]),
    [
      [0, 10, 100],
      [1, 11, 100],
      [2, 12, 100],
      [3, 13, 100],
      [4, 13, 100],
      [5, 13, 100],
      [9, 19, 100],
      [10, 20, 100],
      [11, 21, 100],
      [12, 22, 0],
    ],
  );
});
