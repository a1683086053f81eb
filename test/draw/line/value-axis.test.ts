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

test('the smallest doubles are drawn as zero, and larger ones not', () => {
  for (const [low, high, texts] of [
    [-5e-324, 5e-324, ['0', '0.5', '1']],
    [-1.5e-323, -1.5e-323, ['0', '0.5', '1']],
    [0, 1e-289, ['0', '5e-290', '1e-289']],
  ] as const) {
    const { ticks, yAt } = valueAxis(low, high, { ...place, stepCount: 2 });
    assert.deepEqual(
      ticks.map(({ text }) => text),
      texts,
    );
    assert.deepEqual(
      ticks.map(({ at }) => at),
      [200, 100, 0],
    );
    assert.equal(yAt(low), 200);
    assert.equal(yAt(high), high > 1e-290 ? 0 : 200);
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

test('the labels of a low axis have room', () => {
  const anyValue = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.constantFrom(5e-324, -3.5e-70));
  fc.assert(
    fc.property(anyValue, anyValue, fc.integer({ min: 12, max: 60 }), (a, b, bottom) => {
      const { ticks } = valueAxis(Math.min(a, b), Math.max(a, b), { ...place, bottom });
      assert.ok(ticks.length >= 2);
      for (const [index, { at }] of ticks.slice(1).entries())
        assert.ok((ticks[index]?.at ?? 0) - at >= place.textSize - 1e-9);
    }),
  );
});
