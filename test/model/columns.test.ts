// Columns ordered, merged and regrouped, against a Map from timestamp to value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Columns,
  joinPoints,
  lineOf,
  orderColumns,
  pointsOf,
  sliceColumns,
} from '../../src/model/columns.ts';
import {
  maxPointsPerRecord,
  mergeColumns,
  recordRules,
  regroupColumns,
} from '../../src/model/merge-columns.ts';
import { anyEntries, entriesOf, expectedEntries } from '../support/points.ts';
import { fc } from '../support/seed.ts';

test('ordering leaves each timestamp once, with the last value', () => {
  fc.assert(
    fc.property(anyEntries, (entries) => {
      assert.deepEqual(entriesOf(orderColumns(pointsOf(entries))), expectedEntries(entries));
    }),
    { numRuns: 500 },
  );
});

test('points that are already in order are not copied', () => {
  const points = pointsOf([
    [1, 5],
    [2, 5],
  ]);
  assert.equal(orderColumns(points), points);
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
        const parts = bounds.slice(1).map((end, index) => sliceColumns(line, bounds[index] ?? 0, end));
        const runs = await Array.from(regroupColumns(parts, recordRules.line));
        assert.deepEqual(joinPoints(runs), line);
        for (const [index, run] of runs.entries()) {
          const isLast = index === runs.length - 1;
          const length = run.times.length;
          assert.ok(isLast ? length > 0 && length <= maxPointsPerRecord : length === maxPointsPerRecord);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('lines are merged to the last value at each time, of which none is left out for being 0', () => {
  const line = fc.array(fc.tuple(fc.nat(9), fc.nat(2)), { maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (lines, maxTimes) => {
        const rules = { ...recordRules.line, maxTimes };
        const parts = [
          ...mergeColumns(
            lines.map((entries) => orderColumns(pointsOf(entries))),
            rules,
          ),
        ];
        assert.deepEqual(parts.flatMap(entriesOf), expectedEntries(...lines));
        assert.ok(parts.slice(0, -1).every(({ times }) => times.length === maxTimes));
      },
    ),
  );
});

function rising(pointCount: number): Columns {
  return lineOf(
    Float64Array.from({ length: pointCount }, (_, index) => index * 10),
    Float64Array.from({ length: pointCount }, (_, index) => index),
  );
}
