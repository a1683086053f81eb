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

test('no two labels of an axis are alike', () => {
  const value = fc.oneof(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.integer());
  fc.assert(
    fc.property(value, value, (a, b) => {
      const texts = labels(Math.min(a, b), Math.max(a, b));
      assert.equal(new Set(texts).size, texts.length, texts.join());
    }),
  );
});
