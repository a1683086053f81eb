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
  assert.deepEqual(labels(-1e15, 1e15), ['−1,000T', '−500T', '0', '500T', '1,000T']);
});

test('an axis of the smallest values is that of zeros', () => {
  const { ticks, yAt } = valueAxis(-5e-324, 1e-12, place);
  assert.deepEqual(
    ticks.map(({ text }) => text),
    ['0', '0.5', '1'],
  );
  assert.ok(yAt(1e-12) > 199.9);
});

test('no two labels of an axis are alike', () => {
  const value = fc.oneof(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.integer());
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
