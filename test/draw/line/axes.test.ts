// Axes: round values and times, their labels, and logarithmic ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTimes, timeAxis } from '../../../src/draw/line/time-axis.ts';
import { logAxis, roundScale, valueAxis } from '../../../src/draw/line/value-axis.ts';
import { fc } from '../../support/seed.ts';

const day = 24 * 60 * 60 * 1000;
const iso = (times: readonly number[]) => times.map((at) => new Date(at).toISOString().slice(0, 16));

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
  const value = fc.double({ min: -1e290, max: 1e290, noNaN: true });
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
  for (const [days, count, ...expected] of [
    [1, 4, '2026-11-11T18:00', '2026-11-12T00:00', '2026-11-12T06:00', '2026-11-12T12:00'],
    [30, 7, '2026-10-18T00:00', '2026-10-25T00:00', '2026-11-01T00:00', '2026-11-08T00:00'],
    [365, 4, '2026-01-01T00:00', '2026-04-01T00:00', '2026-07-01T00:00', '2026-10-01T00:00'],
    [3650, 5, ...[2018, 2020, 2022, 2024, 2026].map((year) => `${year}-01-01T00:00`)],
  ] as const)
    assert.deepEqual(iso(roundTimes(to - days * day, to, count)), expected);
});

test('neighbouring time labels are never the same, however close the ends of the axis are', () => {
  const place = { left: 0, right: 740, labelEnd: 800, textSize: 12 };
  const first = Date.UTC(2026, 10, 12, 22, 13, 20);
  for (let span = 2; span < day; span *= 1.3) {
    const texts = timeAxis({ from: first, to: first + Math.floor(span) + 1 }, place).ticks.map(
      ({ text }) => text,
    );
    assert.ok(
      texts.every((text, index) => text !== texts[index - 1]),
      `${span}: ${texts.join()}`,
    );
  }
});

const timePlace = { left: 60, right: 780, labelEnd: 780, textSize: 12 };

const timeLabels = (from: number, to: number, width = 720) =>
  timeAxis({ from, to }, { ...timePlace, right: 60 + width, labelEnd: 60 + width }).ticks.map(
    ({ text }) => text,
  );

test('a label has its year where it is another one than before, and none where it has no room', () => {
  const from = Date.UTC(2020, 9, 15);
  assert.deepEqual(timeLabels(from, from + 84 * day, 340), ['Nov 2020', 'Dec']);
  assert.deepEqual(timeLabels(from, from + 84 * day, 400), ['Nov 2020', 'Dec', 'Jan 2021']);
});

test('labels of days and months are regular, have a year, and do not overlap', () => {
  const start = fc.integer({ min: 0, max: Date.UTC(2100, 0) / day });
  const days = fc.integer({ min: 20, max: 4000 });
  fc.assert(
    fc.property(start, days, fc.integer({ min: 160, max: 1500 }), (first, count, width) => {
      const { ticks, from, to } = timeAxis(
        { from: first * day, to: (first + count) * day },
        {
          ...timePlace,
          right: 60 + width,
          labelEnd: 60 + width,
        },
      );
      // In a small chart, one date with its year may take all the room, or one month of four.
      const leastCount = width < 190 && count <= 110 ? 1 : 2;
      assert.ok(ticks.length >= leastCount && to > from, `${ticks.length} ticks`);
      assert.ok(
        ticks.some(({ text }) => /\b\d{4}\b/.test(text)),
        ticks.map(({ text }) => text).join(),
      );
      const gaps = ticks.slice(1).map(({ at }, index) => at - (ticks[index]?.at ?? 0));
      assert.ok(Math.min(...gaps) > 0);
      // Months have 28 to 31 days, and the ends of the axis may lack a label.
      assert.ok(Math.max(...gaps) <= 1.25 * Math.min(...gaps) || gaps.length < 2, gaps.join());
    }),
  );
});

const valuePlace = { top: 0, bottom: 200, textSize: 12 };

const valueLabels = (low: number, high: number) =>
  valueAxis(low, high, valuePlace).ticks.map(({ text }) => text);

test('small values have valueLabels with all of their digits', () => {
  assert.deepEqual(valueLabels(0.0119, 0.0123), ['0.0119', '0.012', '0.0121', '0.0122', '0.0123']);
});

test('no two valueLabels of an axis are alike', () => {
  const value = fc.oneof(fc.double({ noNaN: true, min: -1e290, max: 1e290 }), fc.integer());
  fc.assert(
    fc.property(value, value, (a, b) => {
      const texts = valueLabels(Math.min(a, b), Math.max(a, b));
      assert.equal(new Set(texts).size, texts.length, texts.join());
    }),
  );
});

const logPlace = { top: 50, bottom: 450, textSize: 12 };

test('a logarithmic axis has round ticks, and equal factors are equally far apart', () => {
  const axis = logAxis(130, 95_000, logPlace);
  assert.deepEqual([axis.low, axis.high], [100, 100_000]);
  assert.deepEqual(
    axis.ticks.map(({ text }) => text),
    ['100', '300', '1k', '3k', '10k', '30k', '100k'],
  );
  const [a = 0, , b = 0, , c = 0] = axis.ticks.map(({ at }) => at);
  assert.ok(Math.abs(a - b - (b - c)) < 1e-6);
});

test('values that are not above zero are at the bottom of a logarithmic axis', () => {
  const axis = logAxis(-5, 5000, logPlace);
  assert.equal(axis.low, 1);
  for (const value of [-5, 0, 0.5, 1]) assert.equal(axis.yAt(value), logPlace.bottom);
  assert.ok(axis.yAt(2) < logPlace.bottom);
  assert.equal(logAxis(0, 0.4, logPlace).low, 0.0002);
});

test('the axis of several lines has at least four ticks where they have room', () => {
  const place = { top: 0, bottom: 200, textSize: 12, isDense: true };
  const [low, ratio] = [fc.integer({ min: 100, max: 1e9 }), fc.double({ noNaN: true, min: 1.1, max: 1e6 })];
  fc.assert(
    fc.property(low, ratio, fc.boolean(), (from, times, isLog) => {
      const { ticks } = (isLog ? logAxis : valueAxis)(from, Math.ceil(from * times), place);
      assert.ok(ticks.length >= 4 && ticks.length <= 8, ticks.map(({ text }) => text).join());
      for (const [index, { at }] of ticks.slice(1).entries())
        assert.ok((ticks[index]?.at ?? 0) - at >= place.textSize, ticks.map(({ text }) => text).join());
    }),
  );
});

test('any logarithmic axis has two or more ticks within the box, in order', () => {
  const positive = fc.double({ min: 1e-9, max: 1e290, noNaN: true });
  fc.assert(
    fc.property(positive, positive, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      const axis = logAxis(low, high, logPlace);
      assert.ok(axis.low <= low && axis.high >= high && axis.low < axis.high, `${axis.low} ${axis.high}`);
      const ys = axis.ticks.map(({ at }) => at);
      assert.ok(ys.length >= 2 && ys.length <= 8, `${ys.length} ticks`);
      assert.deepEqual(
        ys,
        ys.toSorted((x, y) => y - x),
      );
      for (const y of [...ys, axis.yAt(low), axis.yAt(high)])
        assert.ok(y >= logPlace.top && y <= logPlace.bottom, `${y}`);
    }),
  );
});
