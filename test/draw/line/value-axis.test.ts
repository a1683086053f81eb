// The labels of values: no two alike, and round also for extreme doubles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueAxis } from '../../../src/draw/line/value-axis.ts';
import { fc } from '../../support/seed.ts';

const place = { top: 0, bottom: 200, textSize: 12 };

const labels = (low: number, high: number) => valueAxis(low, high, place).ticks.map(({ text }) => text);

test('small values have labels with all of their digits', () => {
  assert.deepEqual(labels(0.0009, 0.0012345), ['0.0009', '0.001', '0.0011', '0.0012']);
});

test('values that differ little have labels with all of their digits', () => {
  const texts = labels(100.0001, 100.0004);
  assert.equal(new Set(texts).size, texts.length);
});

test('the labels of extreme values are round', () => {
  assert.deepEqual(labels(-1e300, 1e300), ['−1e300', '−5e299', '0', '5e299', '1e300']);
});

test('the ticks of the smallest doubles are as far apart as those of others', () => {
  for (let count = 1; count <= 40; count++) {
    const low = -count * Number.MIN_VALUE;
    const { ticks } = valueAxis(low, 0, { top: 0, bottom: 20, textSize: 10, stepCount: 2 });
    const gaps = ticks.slice(1).map(({ at }, index) => (ticks[index]?.at ?? 0) - at);
    assert.ok(gaps.length > 0 && gaps.every((gap) => gap > 9.99), `${count}: ${gaps.join()}`);
  }
});

test('no two labels of an axis are alike', () => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
  fc.assert(
    fc.property(value, value, (a, b) => {
      const texts = labels(Math.min(a, b), Math.max(a, b));
      assert.equal(new Set(texts).size, texts.length, texts.join());
    }),
  );
});
