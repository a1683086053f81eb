// The labels of times: round, regular, and with a year.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeAxis } from '../../../src/draw/line/time-axis.ts';
import { fc } from '../../support/seed.ts';

const dayMs = 24 * 60 * 60 * 1000;
const place = { left: 60, right: 780, labelEnd: 780, textSize: 12 };

const labels = (from: number, to: number, width = 720) =>
  timeAxis(from, to, { ...place, right: 60 + width, labelEnd: 60 + width }).ticks.map(({ text }) => text);

test('a label has its year where it is another one than before, and none where it has no room', () => {
  const from = Date.UTC(2020, 9, 15);
  assert.deepEqual(labels(from, from + 84 * dayMs, 340), ['Nov 2020', 'Dec']);
  assert.deepEqual(labels(from, from + 84 * dayMs, 400), ['Nov 2020', 'Dec', 'Jan 2021']);
});

test('labels of days and months are regular, have a year, and do not overlap', () => {
  const start = fc.integer({ min: 0, max: Date.UTC(2100, 0) / dayMs });
  const days = fc.integer({ min: 20, max: 4000 });
  fc.assert(
    fc.property(start, days, fc.integer({ min: 160, max: 1500 }), (first, count, width) => {
      const { ticks, from, to } = timeAxis(first * dayMs, (first + count) * dayMs, {
        ...place,
        right: 60 + width,
        labelEnd: 60 + width,
      });
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
