// Points ordered, merged and regrouped, against a Map from timestamp to value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  concatPoints,
  equalPoints,
  maxPointsPerRecord,
  mergePoints,
  orderPoints,
  type Points,
  pointsOf,
  regroupPoints,
  slicePoints,
} from '../../src/model/points.ts';
import { anyEntries, entriesOf, expectedEntries, orderedPoints } from '../support/points.ts';
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

test('when two runs are merged, the later one wins', () => {
  fc.assert(
    fc.property(anyEntries, anyEntries, (earlier, later) => {
      const merged = mergePoints(orderedPoints(earlier), orderedPoints(later));
      assert.deepEqual(entriesOf(merged), expectedEntries(earlier, later));
    }),
    { numRuns: 500 },
  );
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
        assert.ok(equalPoints(concatPoints(runs), line));
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

test('points are equal only if their times, values and number are', () => {
  const points = rising(3);
  assert.ok(equalPoints(points, rising(3)));
  assert.ok(!equalPoints(points, rising(4)));
  assert.ok(!equalPoints(points, { ...points, values: Float64Array.of(0, 1, 3) }));
  assert.ok(!equalPoints(points, { ...points, timestamps: Float64Array.of(0, 10, 21) }));
});

function rising(pointCount: number): Points {
  return {
    timestamps: Float64Array.from({ length: pointCount }, (_, index) => index * 10),
    values: Float64Array.from({ length: pointCount }, (_, index) => index),
  };
}
