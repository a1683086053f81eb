// The labels of values: no two alike, and round also for extreme doubles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueAxis } from '../../../src/draw/line/value-axis.ts';
import { fc } from '../../support/seed.ts';

const place = { top: 0, bottom: 200, textSize: 12 };

const labels = (low: number, high: number) => valueAxis(low, high, place).ticks.map(({ text }) => text);

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
