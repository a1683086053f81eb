// Batches merged into a line in any order are read back exactly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Points, pointsOf, slicePoints } from '../../src/model/points.ts';
import { encodeChunks } from '../../src/series/chunk.ts';
import {
  anyEntries,
  anyRun,
  anyTimestamp,
  anyValue,
  type Entry,
  entriesIn,
  entriesOf,
  expectedEntries,
  orderedPoints,
  randomFrom,
} from '../support/points.ts';
import { fc } from '../support/seed.ts';
import { allPoints, ChunkTable } from './chunk-table.ts';

const halfHourMs = 1_800_000;
const start = 1_479_799_800_000;

test('batches of any kind, in any order, read back as a map of their timestamps', () => {
  const batch = fc.oneof({ weight: 2, arbitrary: anyRun }, { weight: 1, arbitrary: anyEntries });
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 6 }), fc.nat(), (batches, latest) => {
      const table = new ChunkTable();
      const parts = batches.map(entriesIn);
      for (const entries of parts) if (entries.length > 0) table.merge(orderedPoints(entries));
      table.assertSound();
      const expected = expectedEntries(...parts);
      sameEntries(allPoints(table), expected);
      const counts = [0, 1, 511, 512, 513, latest % (expected.length + 2)];
      for (const count of counts) sameEntries(table.latest(count), count === 0 ? [] : expected.slice(-count));
    }),
    { numRuns: 150 },
  );
});

test('small batches over a few rows read back after every step', () => {
  const table = new ChunkTable();
  const base = Array.from(
    { length: 1500 },
    (_, index): Entry => [start + index * halfHourMs, 100 + (index % 7)],
  );
  table.merge(pointsOf(base));
  let held = expectedEntries(base);
  const around = fc.integer({ min: -50, max: 1550 }).map((slot) => start + slot * halfHourMs);
  const late = fc.array(fc.tuple(fc.oneof(around, anyTimestamp), anyValue), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(late, (entries) => {
      table.merge(orderedPoints(entries));
      held = expectedEntries(held, entries);
      sameEntries(table.latest(5), held.slice(-5));
    }),
    { numRuns: 200, endOnFailure: true },
  );
  table.assertSound();
  sameEntries(allPoints(table), held);
});

test('merging existing points changes no row', () => {
  fc.assert(
    fc.property(fc.oneof(anyRun, anyEntries), fc.nat(), fc.nat(), (batch, a, b) => {
      const points = orderedPoints(entriesIn(batch));
      const pointCount = points.timestamps.length;
      if (pointCount === 0) return;
      const table = new ChunkTable();
      table.merge(points);
      const from = a % pointCount;
      const again = slicePoints(points, from, from + 1 + (b % (pointCount - from)));
      assert.deepEqual(table.merge(again), { removed: [], written: [] });
    }),
    { numRuns: 100 },
  );
});

test('points appended one by one, or a few at a time, read back like one batch', () => {
  const sizes = fc.oneof(
    fc.constant([1]),
    fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 4 }),
  );
  fc.assert(
    fc.property(anyRun, sizes, (run, steps) => {
      const points = orderedPoints(entriesIn(run).slice(0, 1500));
      const table = new ChunkTable();
      let from = 0;
      for (let turn = 0; from < points.timestamps.length; turn++) {
        const step = steps[turn % steps.length] ?? 1;
        table.merge(slicePoints(points, from, Math.min(from + step, points.timestamps.length)));
        from += step;
      }
      table.assertSound();
      sameEntries(allPoints(table), entriesOf(points));
    }),
    { numRuns: 40 },
  );
});

test('a line appended point by point takes about the space of one written at once', () => {
  const points = busyLine(5000);
  const table = new ChunkTable();
  for (let index = 0; index < 5000; index++) table.merge(slicePoints(points, index, index + 1));
  const atOnce = encodeChunks(points).reduce((sum, chunk) => sum + chunk.bytes.length, 0);
  assert.ok(table.sizeBytes() <= 1.05 * atOnce, `${table.sizeBytes()} bytes against ${atOnce}`);
});

test('a line of one value costs at most a tenth of a byte per point', () => {
  const values = new Float64Array(20_000).fill(12.5);
  const timestamps = Float64Array.from(values, (_, index) => start + index * halfHourMs);
  const table = new ChunkTable();
  table.merge({ timestamps, values });
  assert.ok(table.sizeBytes() <= 2000, `${table.sizeBytes()} bytes`);
});

test('a busy line costs at most 1.3 bytes per point', () => {
  const table = new ChunkTable();
  table.merge(busyLine(20_000));
  assert.ok(table.sizeBytes() <= 1.3 * 20_000, `${table.sizeBytes() / 20_000} bytes a point`);
});

test('earlier points that fill whole chunks do not change the row that begins at their end', () => {
  const later = pointsOf([
    [start + 512 * halfHourMs, 5],
    [start + 513 * halfHourMs, 6],
  ]);
  const table = new ChunkTable();
  table.merge(later);
  const earlier = Array.from({ length: 512 }, (_, index): Entry => [start + index * halfHourMs, index]);
  table.merge(pointsOf(earlier));
  table.assertSound();
  sameEntries(allPoints(table), [...earlier, ...entriesOf(later)]);
});

/** Server counts around a thousand, with a daily rhythm. */
function busyLine(pointCount: number): Points {
  const random = randomFrom(1);
  const timestamps = new Float64Array(pointCount);
  const values = new Float64Array(pointCount);
  for (let index = 0; index < pointCount; index++) {
    const noise = (random() + random() + random() - 1.5) * 2 * Math.sqrt(1000);
    timestamps[index] = start + index * halfHourMs;
    values[index] = Math.round(1000 + 200 * Math.sin((index / 48) * 2 * Math.PI) + noise);
  }
  return { timestamps, values };
}

/** Compares without building a diff of thousands of lines. */
function sameEntries(points: Points, expected: readonly Entry[]): void {
  const entries = entriesOf(points);
  assert.equal(entries.length, expected.length);
  for (const [index, entry] of entries.entries()) {
    const [timestamp, value] = expected[index] ?? [];
    if (entry[0] !== timestamp || !Object.is(entry[1] + 0, value))
      assert.deepEqual({ index, entry }, { index, entry: expected[index] });
  }
}
