// Sums of lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackLines, sumToDraw } from '../../../src/draw/line/sum.ts';
import { type Points, pointsOf } from '../../../src/model/points.ts';
import { fc } from '../../support/seed.ts';

const slotMs = 1_800_000;
test('lines with the same timestamps add up point by point', () => {
  const lines = fc.nat({ max: 30 }).chain((length) => {
    const values = fc.array(fc.nat(10_000), { minLength: length, maxLength: length });
    return fc.array(values, { minLength: 1, maxLength: 10 });
  });
  fc.assert(
    fc.property(lines, (columns) => {
      const first = columns[0] ?? [];
      assert.deepEqual(
        sumOf(...columns.map((values) => slots(...values.map((value, slot) => [slot, value] as const)))),
        first.map((_, slot) => [slot, columns.reduce((total, values) => total + (values[slot] ?? 0), 0)]),
      );
    }),
  );
});

test('the sum has no point in a gap of any line', () => {
  const whole = slots(...Array.from({ length: 10 }, (_, slot): [number, number] => [slot, 100]));
  const broken = slots([0, 1], [1, 2], [7, 3], [8, 4], [9, 5]);
  assert.deepEqual(sumOf(whole, broken), [
    [0, 101],
    [1, 102],
    [2, 102],
    [3, 102],
    [7, 103],
    [8, 104],
    [9, 105],
  ]);
});

test('a hidden line is no part of the sum, not even by its gaps, and keeps its place', () => {
  const whole = slots([0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]);
  const gapped = slots([0, 7], [5, 8]);
  const line = (name: string, points: Points) => ({ name, means: points, lasts: points });
  const about = { title: 'T', from: 0, to: 5 * slotMs, step: '30m' } as const;
  const sum = sumToDraw([{ ...line('a', gapped), isHidden: true }, line('b', whole)], about);
  assert.deepEqual([...sum.times], [...whole.timestamps]);
  assert.deepEqual(
    sum.shares.map(({ name, last, isHidden, values }) => [name, last, isHidden, values[5]]),
    [
      ['a', 0, true, 0],
      ['b', 6, false, 6],
    ],
  );
  assert.equal(sum.step.ms, slotMs);
});

function slots(...entries: ReadonlyArray<readonly [slot: number, value: number]>): Points {
  return pointsOf(entries.map(([slot, value]) => [slot * slotMs, value]));
}

function sumOf(...lines: readonly Points[]): number[][] {
  const { times, columns } = stackLines(lines);
  return Array.from(times, (time, index) => [
    time / slotMs,
    columns.reduce((sum, column) => sum + (column[index] ?? 0), 0),
  ]);
}
