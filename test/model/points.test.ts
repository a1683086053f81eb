// Points ordered, merged and regrouped, against a Map from timestamp to value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  concatPoints,
  maxPointsPerRecord,
  orderPoints,
  type Points,
  pointsOf,
  regroupPoints,
  slicePoints,
} from '../../src/model/points.ts';
import { anyEntries, entriesOf, expectedEntries } from '../support/points.ts';
import { fc } from '../support/seed.ts';

test('ordering leaves each timestamp once, with the last value', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      assert.deepEqual(entriesOf(orderPoints(pointsOf(entries))), expectedEntries(entries));
    }),
    { numRuns: 500 },
  );
});

test('points that are already in order are not copied', () => {
  const points = pointsOf([
    [1, 5],
    [2, 5],
  ]);
  assert.equal(orderPoints(points), points);
});

test('regrouping gives the same full runs and remainder, however a line is split', async () => {
  const total = 2 * maxPointsPerRecord;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: total + 3 }),
      fc.array(fc.integer({ min: 0, max: total }), { maxLength: 8 }),
      async (pointCount, cuts) => {
        const line = rising(pointCount);
        const bounds = [0, ...cuts.filter((cut) => cut < pointCount).sort((a, b) => a - b), pointCount];
        const parts = bounds.slice(1).map((end, index) => slicePoints(line, bounds[index] ?? 0, end));
        const runs = await Array.fromAsync(regroupPoints(parts));
        assert.deepEqual(concatPoints(runs), line);
        for (const [index, run] of runs.entries()) {
          const isLast = index === runs.length - 1;
          const length = run.timestamps.length;
          assert.ok(isLast ? length > 0 && length <= maxPointsPerRecord : length === maxPointsPerRecord);
        }
      },
    ),
    { numRuns: 60 },
  );
});

function rising(pointCount: number): Points {
  return {
    timestamps: Float64Array.from({ length: pointCount }, (_, index) => index * 10),
    values: Float64Array.from({ length: pointCount }, (_, index) => index),
  };
}
