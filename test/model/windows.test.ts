import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addWindow,
  cutOut,
  endOfWindowBehind,
  gapsBetween,
  liesIn,
  maxWindows,
  type Windows,
} from '../../src/model/window.ts';
import { fc } from '../support/seed.ts';

const end = 40;
const anyWindow = fc
  .tuple(fc.nat(end - 1), fc.integer({ min: 1, max: 8 }))
  .map(([from, length]) => ({ from, to: Math.min(end, from + length) }));
const anyWindows = fc.array(anyWindow, { maxLength: 6 });
const anyTimes = fc
  .uniqueArray(fc.nat(end - 1))
  .map((times) => Float64Array.from(times.sort((a, b) => a - b)));

const times = Array.from({ length: end }, (_, time) => time);
const setOf = (windows: Windows) =>
  times.filter((time) => windows.some(({ from, to }) => time >= from && time < to));
const sumOf = (windows: Windows) => windows.reduce<Windows>(addWindow, []);

/** Fails unless windows are in order, none is empty, and no two touch. */
function assertOrdered(windows: Windows): void {
  for (const [index, { from, to }] of windows.entries()) {
    assert.ok(from < to);
    assert.ok(from > (windows[index - 1]?.to ?? -1));
  }
}

test('windows that are added hold all of their times, in order, and none touches another', () => {
  fc.assert(
    fc.property(anyWindows, (added) => {
      const windows = sumOf(added);
      assertOrdered(windows);
      assert.deepEqual(setOf(windows), setOf(added));
      assert.deepEqual(sumOf(added.toReversed()), windows);
      assert.deepEqual(windows.reduce<Windows>(addWindow, windows), windows);
    }),
  );
});

test('windows that times are cut out of hold all others', () => {
  fc.assert(
    fc.property(anyWindows, anyTimes, (added, cut) => {
      const windows = sumOf(added);
      const left = cutOut(windows, cut);
      assert.deepEqual(
        setOf(left),
        setOf(windows).filter((time) => !cut.includes(time)),
      );
      for (const { from, to } of left) assert.ok(from < to);
      if (setOf(left).length === setOf(windows).length) assert.equal(left, windows);
    }),
  );
});

test('the gaps between windows hold all other times of a window', () => {
  fc.assert(
    fc.property(anyWindows, anyWindow, (added, within) => {
      const windows = sumOf(added);
      const gaps = gapsBetween(windows, within);
      assertOrdered(gaps);
      assert.deepEqual(
        setOf(gaps),
        setOf([within]).filter((time) => !liesIn(windows, time)),
      );
    }),
  );
});

test('nothing is missing between a time and the end of a window that begins behind it', () => {
  const windows = [
    { from: 10, to: 20 },
    { from: 30, to: 40 },
  ];
  const ends = [8, 9, 10, 19, 20, 28, 29, 39, 40].map((time) => endOfWindowBehind(windows, time));
  assert.deepEqual(ends, [8, 19, 19, 19, 20, 28, 39, 39, 40]);
});

test('an import of more points than a chart can have windows leaves the longest windows between them', () => {
  const points = Float64Array.from({ length: 5000 }, (_, index) => 100 + index * 10 + (index % 7));
  const left = cutOut([{ from: 50, to: 60_000 }], points);
  assert.equal(left.length, maxWindows / 2);
  assert.deepEqual(left[0], { from: 50, to: 100 });
  assert.deepEqual(left.at(-1), { from: 100 + 49_990 + (4999 % 7) + 1, to: 60_000 });
  assert.ok(points.every((time) => !liesIn(left, time)));
  const lengths = left.slice(1, -1).map(({ from, to }) => to - from);
  assert.ok(Math.min(...lengths) >= 9, String(Math.min(...lengths)));
});

test('a point that divides one of as many windows as a chart can have makes one more', () => {
  const windows = Array.from({ length: maxWindows }, (_, index) => ({
    from: index * 10,
    to: index * 10 + 5,
  }));
  assert.equal(cutOut(windows, Float64Array.of(1002)).length, maxWindows + 1);
  assert.equal(cutOut(windows, Float64Array.of(1000)).length, maxWindows);
});
