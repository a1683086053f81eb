// Round values and times on axes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundMoments, timeAxis } from '../../../src/draw/line/time-axis.ts';
import { roundScale } from '../../../src/draw/line/value-axis.ts';
import { fc } from '../../support/seed.ts';

const day = 24 * 60 * 60 * 1000;
const iso = (moments: readonly number[]) => moments.map((at) => new Date(at).toISOString().slice(0, 16));

test('values are multiples of 1, 2 or 5 times a power of ten, without floating-point noise', () => {
  assert.deepEqual(roundScale(2950, 4659, 5), {
    from: 2500,
    to: 5000,
    values: [2500, 3000, 3500, 4000, 4500, 5000],
  });
  assert.deepEqual(roundScale(0, 0.7, 6).values, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  assert.deepEqual(roundScale(-3, 12, 3).values, [-5, 0, 5, 10, 15]);
});

test('a scale contains its values in ascending order, and not many more ticks than wanted', () => {
  const value = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(value, value, fc.integer({ min: 1, max: 10 }), (one, other, count) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      fc.pre(high - low > Math.max(Math.abs(low), Math.abs(high)) * 1e-9 && high - low > 1e-290);
      const { from, to, values } = roundScale(low, high, count);
      const rounding = (to - from) * 1e-6;
      assert.ok(from <= low + rounding && to >= high - rounding);
      assert.ok(values.length >= 2 && values.length <= 2 * count + 3, `${values.length} for ${count}`);
      assert.ok(values.every((each, index) => index === 0 || each > (values[index - 1] ?? each)));
    }),
  );
});

test('ticks of time are hours, days, Sundays, months or years, whichever comes nearest to the wanted number', () => {
  const to = Date.UTC(2026, 10, 12, 14, 30);
  assert.deepEqual(iso(roundMoments(to - day, to, 4)), [
    '2026-11-11T18:00',
    '2026-11-12T00:00',
    '2026-11-12T06:00',
    '2026-11-12T12:00',
  ]);
  assert.deepEqual(iso(roundMoments(to - 30 * day, to, 7)), [
    '2026-10-18T00:00',
    '2026-10-25T00:00',
    '2026-11-01T00:00',
    '2026-11-08T00:00',
  ]);
  assert.deepEqual(iso(roundMoments(to - 365 * day, to, 4)), [
    '2026-01-01T00:00',
    '2026-04-01T00:00',
    '2026-07-01T00:00',
    '2026-10-01T00:00',
  ]);
  assert.deepEqual(iso(roundMoments(to - 3650 * day, to, 5)), [
    '2018-01-01T00:00',
    '2020-01-01T00:00',
    '2022-01-01T00:00',
    '2024-01-01T00:00',
    '2026-01-01T00:00',
  ]);
});

test('neighbouring time labels are never the same, however close the ends of the axis are', () => {
  const place = { left: 0, right: 740, labelEnd: 800, textSize: 12 };
  const first = Date.UTC(2026, 10, 12, 22, 13, 20);
  for (let span = 2; span < day; span *= 1.3) {
    const texts = timeAxis(first, first + Math.floor(span), place).ticks.map(({ text }) => text);
    assert.ok(
      texts.every((text, index) => text !== texts[index - 1]),
      `${span}: ${texts.join()}`,
    );
  }
});
