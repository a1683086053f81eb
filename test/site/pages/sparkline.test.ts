// Sparklines: their shape for any values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderSparkline } from '../../../src/site/pages/sparkline.ts';
import { fc } from '../../support/seed.ts';

const pathOf = (...values: (number | null)[]) => / d="([^"]*)"/.exec(renderSparkline(values))?.[1];

test('a day without points is a gap, and a day alone is a dot', () => {
  assert.equal(pathOf(0, null, 10), 'M87 40h0M89 0h0');
  assert.equal(pathOf(0, 5, 10, 0), 'M86 40h0l1-20l1-20l1 40');
  assert.equal(renderSparkline(new Array(14).fill(null)), '');
});

test('every path stays within its box', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => (Math.abs(each) < 1e-9 ? 0 : each)),
    fc.constantFrom(-1.7e308, 1.7e308, 0),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 14 }), (values) => {
      let y = 0;
      for (const [, move, by] of (pathOf(...values) ?? '').matchAll(/([Ml])\d+ ?(-?\d+)/g)) {
        y = move === 'M' ? Number(by) : y + Number(by);
        assert.ok(y >= 0 && y <= 40, String(y));
      }
    }),
  );
});
