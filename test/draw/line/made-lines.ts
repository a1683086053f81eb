// Generated lines: months of counts, and anything that a store can hold.

import { createCounts } from '../../../sample/lines.ts';
import { type GatheredEvents, gatherEvents, noEvents } from '../../../src/draw/events.ts';
import { bandOf } from '../../../src/draw/line/line-band.ts';
import { columnCountFor, columnsOf } from '../../../src/draw/line/line-columns.ts';
import type { LineShape } from '../../../src/draw/line/line-shape.ts';
import { type Palette, type Theme, transparentPalette } from '../../../src/draw/theme.ts';
import { lineStep } from '../../../src/draw/time-step.ts';
import {
  type Columns,
  lineOf,
  orderColumns,
  pointsOf,
  sliceColumns,
  valuesOf,
} from '../../../src/model/columns.ts';
import {
  type DataWindow,
  dayMs,
  lastTimeOf,
  lengthOf,
  maxTimestamp,
  steps,
} from '../../../src/model/window.ts';
import { StepTimes, StepValues } from '../../../src/series/steps.ts';
import { hostileNames } from '../../support/hostile-names.ts';
import { fc } from '../../support/seed.ts';

/** The default of `maxElements`: 1440 points, a month of half-hours. */
export function defaultMonth({ seed, level }: { readonly seed: string; readonly level: number }): Columns {
  const shape = {
    growth: 0.2,
    dailySwing: 0.2,
    weeklySwing: 0.06,
    peakHour: 19,
    missingSlots: new Set<number>(),
  };
  const points = pointsOf(
    createCounts({ seed, level, ...shape }).map(([timestamp, value]) => [timestamp, value]),
  );
  return sliceColumns(points, points.times.length - 1440);
}

/** The columns of all points. */
export function columnsFor(points: Columns, width: number): LineShape {
  return columnsOf(points, { window: windowOf(points), columnCount: columnCountFor(width) });
}

/** The band of all points. */
export function bandFor(points: Columns, width: number): LineShape {
  const window = windowOf(points);
  const step = lineStep(Math.max(lengthOf(window), 61 * dayMs), width) ?? '1d';
  const stepped = { window, step: steps[step] };
  const found = new StepTimes(stepped);
  const range = found.add(points.times);
  const columnOf = (aggregate: 'mean' | 'min' | 'max') => {
    const column = new StepValues({ ...stepped, aggregate });
    column.add(range, valuesOf(points));
    return column.finish(found);
  };
  const [means, lows, highs] = [columnOf('mean'), columnOf('min'), columnOf('max')];
  const latest = { timestamp: lastTimeOf(window), value: valuesOf(points).at(-1) ?? Number.NaN };
  return bandOf({ window, step, latest }, { starts: found.times.take(), means, lows, highs });
}

/** Half-hours of some days, the first at midnight, with a swing by day and by week. */
export function halfHours({ days, level }: { readonly days: number; readonly level: number }): Columns {
  const start = Date.UTC(2025, 5, 30);
  const timestamps = Float64Array.from({ length: 48 * days }, (_, slot) => start + slot * 1_800_000);
  const values = timestamps.map((_, slot) =>
    Math.round(level * (1 + 0.2 * Math.sin((slot / 24) * Math.PI) + 0.1 * Math.sin((slot / 168) * Math.PI))),
  );
  return lineOf(timestamps, values);
}

const timestamp = fc.oneof(
  { weight: 3, arbitrary: fc.nat(60).map((slot) => 1_760_000_000_000 + slot * 1_800_000) },
  { weight: 3, arbitrary: fc.integer({ min: 1_400_000_000_000, max: 1_800_000_000_000 }) },
  fc.integer({ min: 0, max: maxTimestamp }),
  fc.constantFrom(0, 1, maxTimestamp),
);
const value = fc.oneof(
  { weight: 3, arbitrary: fc.nat(10_000) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -1e-9, max: 1e-9, noNaN: true }),
  fc.integer({ min: -40, max: 40 }).map((count) => count * Number.MIN_VALUE),
  fc.constantFrom(0, -0, 1, -1, Number.MAX_VALUE, -Number.MAX_VALUE, 1e15, 1e15 + 0.125),
);

/** Any points that a store can hold: many, one, none; near and far apart; tiny, huge, constant. */
export const anyPoints: fc.Arbitrary<Columns> = fc
  .oneof(
    { weight: 4, arbitrary: fc.array(fc.tuple(timestamp, value), { maxLength: 40 }) },
    fc
      .tuple(value, fc.array(timestamp, { maxLength: 20 }))
      .map(([constant, times]) => times.map((time) => [time, constant] as [number, number])),
  )
  .map((entries) => orderColumns(pointsOf(entries)));

/** The window from the first to the last of some points. */
function windowOf({ times }: Pick<Columns, 'times'>): DataWindow {
  return { from: times[0] ?? 0, to: (times.at(-1) ?? 0) + 1 };
}

/** Any events from the first of some points to the last, in columns for a picture of this width. */
export function anyEvents(points: Pick<Columns, 'times'>, width: number): fc.Arbitrary<GatheredEvents> {
  const window = windowOf(points);
  const event = fc.record({
    time: fc.integer({ min: window.from, max: lastTimeOf(window) }),
    title: anyName,
    url: fc.constant(null),
  });
  return fc.array(event, { maxLength: 60, size: 'max' }).map((events) => {
    const sorted = events.sort((a, b) => a.time - b.time);
    return gatherEvents(noEvents, sorted, { window, columnCount: columnCountFor(width) });
  });
}

/** Any size and colours that a picture can have. */
export const anyOptions = fc.record({
  width: fc.oneof(fc.integer({ min: 200, max: 1600 }), fc.constantFrom(200, 400, 800, 1600)),
  height: fc.oneof(fc.integer({ min: 100, max: 1000 }), fc.constantFrom(100, 150, 300, 1000)),
  theme: fc.constantFrom<Theme | Palette>('light', 'dark', 'auto', transparentPalette),
  hasStyle: fc.boolean(),
});

/** Hostile names. */
export const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(...hostileNames, '\ud800lone', 'a\u0000\u001b[31m\u0007\u0085\ufffe', '__proto__', ' ', ''),
);
