// Logarithmic axes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logAxis } from '../../../src/draw/line/value-axis.ts';
import { fc } from '../../support/seed.ts';

const place = { top: 50, bottom: 450, textSize: 12 };

test('a logarithmic axis has round ticks, and equal factors are equally far apart', () => {
  const axis = logAxis(130, 95_000, place);
  assert.deepEqual([axis.low, axis.high], [100, 100_000]);
  assert.deepEqual(
    axis.ticks.map(({ text }) => text),
    ['100', '1k', '10k', '100k'],
  );
  const [a = 0, b = 0, c = 0] = axis.ticks.map(({ at }) => at);
  assert.ok(Math.abs(a - b - (b - c)) < 1e-6);
});

test('values that are not above zero are at the bottom of a logarithmic axis', () => {
  const axis = logAxis(-5, 5000, place);
  assert.equal(axis.low, 1);
  for (const value of [-5, 0, 0.5, 1]) assert.equal(axis.yAt(value), place.bottom);
  assert.ok(axis.yAt(2) < place.bottom);
  assert.equal(logAxis(0, 0.4, place).low, 0.0002);
});

test('any logarithmic axis has two or more ticks within the box, in order', () => {
  const positive = fc.double({ min: 1e-9, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const axis = logAxis(low, high, place);
      assert.ok(axis.low <= low && axis.high >= high && axis.low < axis.high, `${axis.low} ${axis.high}`);
      const ys = axis.ticks.map(({ at }) => at);
      assert.ok(ys.length >= 2 && ys.length <= 7, `${ys.length} ticks`);
      assert.deepEqual(
        ys,
        ys.toSorted((x, y) => y - x),
      );
      for (const y of [...ys, axis.yAt(low), axis.yAt(high)])
        assert.ok(y >= place.top && y <= place.bottom, `${y}`);
    }),
  );
});
