// Sparklines: their shape for any values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSparkline } from '../../../../src/site/pages/list/list-table.ts';
import { fc } from '../../../support/seed.ts';

const pathOf = (...values: (number | null)[]) => / d="([^"]*)"/.exec(renderSparkline(values))?.[1];

test('equal values are a line in the middle, and small changes stay small', () => {
  assert.equal(pathOf(7, 7, 7), 'M0 20h0L10 20L20 20');
  assert.equal(pathOf(0, 0), 'M0 20h0L10 20');
  assert.equal(pathOf(100, 102), 'M0 22h0L10 18');
  assert.equal(pathOf(-1e300, 0, 1e300), 'M0 40h0L10 20L20 0');
});

test('the values fill the height if they differ enough', () => {
  assert.equal(pathOf(0, 10, 5), 'M0 40h0L10 0L20 20');
});

test('a day without points is a gap, and a day alone is a dot', () => {
  assert.equal(pathOf(0, null, 10), 'M0 40h0M20 0h0');
  assert.equal(renderSparkline(new Array(14).fill(null)), '');
});

test('every path stays within its box', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (Math.abs(each) < 1e-9 ? 0 : each)),
    fc.constantFrom(-1.7e308, 1.7e308, 0),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 14 }), (values) => {
      for (const [, y = ''] of (pathOf(...values) ?? '').matchAll(/[ML]\d+ (\S+?)(?=h|L|M|$)/g))
        assert.ok(/^\d+$/.test(y) && Number(y) <= 40, y);
    }),
  );
});
