// Sums of lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Summand, sumPoints } from '../../../src/draw/line/sum.ts';
import { concatPoints, noPoints, type Points, pointsOf, slicePoints } from '../../../src/model/points.ts';
import { fc } from '../../support/seed.ts';

const slotMs = 1_800_000;
const maxGapMs = 2.5 * slotMs;

test('lines with the same timestamps add up point by point', () => {
  const lines = fc.nat({ max: 30 }).chain((length) => {
    const values = fc.array(fc.nat(10_000), { minLength: length, maxLength: length });
    return fc.array(values, { minLength: 1, maxLength: 10 });
  });
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 7 }), (columns, runLength) => {
      const points = columns.map((values) => pointsOf(values.map((value, slot) => [slot * slotMs, value])));
      const sum = sumOf(points.map((each) => ({ runs: runsOf(each, runLength), maxGapMs })));
      const first = columns[0] ?? [];
      assert.deepEqual(
        [...sum.timestamps],
        first.map((_, slot) => slot * slotMs),
      );
      assert.deepEqual(
        [...sum.values],
        first.map((_, slot) => columns.reduce((total, values) => total + (values[slot] ?? 0), 0)),
      );
    }),
  );
});

test('a line counts from its first point to its last, and the order of lines does not matter', () => {
  const early = slots([0, 1], [1, 2], [2, 3], [3, 4]);
  const late = slots([2, 10], [3, 20], [4, 30], [5, 40], [6, 50], [7, 60]);
  const expected = entriesOf(slots([0, 1], [1, 2], [2, 13], [3, 24], [4, 34], [5, 44], [6, 50], [7, 60]));
  assert.deepEqual(entriesOf(sumOf(summands(early, late))), expected);
  assert.deepEqual(entriesOf(sumOf(summands(late, early))), expected);
});

test('the sum has no point in a gap of any line', () => {
  const whole = slots(...Array.from({ length: 10 }, (_, slot): [number, number] => [slot, 100]));
  const broken = slots([0, 1], [1, 2], [7, 3], [8, 4], [9, 5]);
  assert.deepEqual(
    entriesOf(sumOf(summands(whole, broken))),
    entriesOf(slots([0, 101], [1, 102], [2, 102], [3, 102], [7, 103], [8, 104], [9, 105])),
  );
});

test('lines whose points are minutes apart add up at the points of both', () => {
  const a = pointsOf([
    [0, 1],
    [slotMs, 2],
  ]);
  const b = pointsOf([
    [60_000, 10],
    [slotMs + 60_000, 20],
  ]);
  assert.deepEqual([...sumOf(summands(a, b)).values], [1, 11, 12, 22]);
});

test('no lines, and lines without points, have no sum', () => {
  assert.deepEqual([...sumPoints([])], []);
  assert.deepEqual([...sumPoints(summands(noPoints, noPoints))], []);
});

test('the sum has no point where it would exceed the range of a number', () => {
  const line = slots([0, 1e308], [1, 1]);
  assert.deepEqual(entriesOf(sumOf(summands(line, line))), entriesOf(slots([1, 2])));
});

test('long sums come in runs', () => {
  const long = pointsOf(Array.from({ length: 10_000 }, (_, slot) => [slot * slotMs, 1]));
  const runs = [...sumPoints(summands(long, long))];
  assert.ok(runs.length > 1);
  assert.ok(concatPoints(runs).values.every((value) => value === 2));
});

function slots(...entries: ReadonlyArray<readonly [slot: number, value: number]>): Points {
  return pointsOf(entries.map(([slot, value]) => [slot * slotMs, value]));
}

function summands(...lines: readonly Points[]): Summand[] {
  return lines.map((points) => ({ runs: [points], maxGapMs }));
}

function sumOf(lines: readonly Summand[]): Points {
  return concatPoints([...sumPoints(lines)]);
}

function entriesOf({ timestamps, values }: Points): [number, number][] {
  return Array.from(timestamps, (timestamp, index) => [timestamp, values[index] ?? Number.NaN]);
}

function* runsOf(points: Points, runLength: number): Generator<Points> {
  for (let start = 0; start < points.timestamps.length; start += runLength) {
    yield slicePoints(points, start, Math.min(start + runLength, points.timestamps.length));
  }
}
