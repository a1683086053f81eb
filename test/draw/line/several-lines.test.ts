// Pictures of several lines: the overview for READMEs, comparisons, and sums.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawComparison, layoutComparison } from '../../../src/draw/line/comparison.ts';
import { drawOverview } from '../../../src/draw/line/line.ts';
import { stackLines, sumToDraw } from '../../../src/draw/line/sum.ts';
import { lightColours } from '../../../src/draw/theme.ts';
import {
  type Columns,
  lineOf,
  noPoints,
  pointsOf,
  sliceColumns,
  valuesOf,
} from '../../../src/model/columns.ts';
import { dayMs } from '../../../src/model/window.ts';
import { readSvg } from '../../support/read-svg.ts';
import { bandFor, columnsFor, defaultMonth, halfHours } from './made-lines.ts';

const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;
const shapeOf = (...values: readonly number[]) =>
  columnsFor(pointsOf(values.map((value, slot) => [slot * 1_800_000, value])), 800);
const boldTexts = (svg: string) =>
  readSvg(svg).flatMap(({ name, text, attributes }) =>
    name === 'text' && attributes['font-weight'] === '600' ? [text] : [],
  );
const overviewOf = (servers: readonly number[], players: readonly number[]) =>
  ({ title: 'X', servers: shapeOf(...servers), players: shapeOf(...players), range: '7d' }) as const;

test('servers and players share one scale unless the lower line would be flat near zero', () => {
  const axesOf = (svg: string) =>
    readSvg(svg)
      .filter(({ name, attributes }) => name === 'g' && /end|start/.test(attributes['text-anchor'] ?? ''))
      .map(({ attributes }) => [attributes['text-anchor'], attributes['fill']]);
  const near = [overviewOf([300, 350], [1000, 2000]), overviewOf([10, 110], [1000, 2000])];
  for (const each of near)
    assert.deepEqual(axesOf(drawOverview(each, options)), [['end', lightColours.muted]]);
  const far = drawOverview(overviewOf([100, 110], [1000, 2000]), options);
  assert.deepEqual(axesOf(far), [
    ['end', lightColours.series0],
    ['start', lightColours.series1],
  ]);
});

test('indexed lines are 100 at the mean of the day of their first nonzero point', () => {
  const lines = [
    { name: 'a', shape: shapeOf(50, 100) },
    { name: 'b', shape: shapeOf(0, 1000, 500) },
    { name: 'c', shape: shapeOf(0, 0) },
  ];
  const layout = layoutComparison({ title: 'T', lines, mode: 'indexed', range: '30d' }, options);
  const svg = drawComparison({ title: 'T', lines, mode: 'indexed', range: '30d' }, options);
  assert.deepEqual(boldTexts(svg).slice(1), ['133', '66.7', '0']);
  const [a, b] = layout?.lines ?? [];
  // The means of the first days are 75 and 750.
  assert.equal(a?.yAt(75), b?.yAt(750));
});

test('the index of a line that begins below zero falls where its values rise, within the axis', () => {
  const lines = [{ name: 'a', shape: shapeOf(-3, -1, 1) }];
  const layout = layoutComparison({ title: 'T', lines, mode: 'indexed', range: '30d' }, options);
  const [axis] = layout?.axes ?? [];
  assert.ok(axis !== undefined && axis.low <= -100 && axis.high >= 300, `${axis?.low} to ${axis?.high}`);
  const [a] = layout?.lines ?? [];
  assert.ok((a?.yAt(-3) ?? Number.NaN) < (a?.yAt(1) ?? Number.NaN));
});

test('the label at the end of a line says the value of its dot, of points and of means, also in its description', () => {
  const lines = (days: number) =>
    [900, 2000, 70].map((level, index) => {
      const line = halfHours({ days, level });
      // The last day is there in part.
      const points = sliceColumns(
        lineOf(
          line.times,
          valuesOf(line).map((each, at) => each + at / (index + 1)),
        ),
        7,
        -9,
      );
      return { name: `Line ${index}`, shape: days > 60 ? bandFor(points, 800) : columnsFor(points, 800) };
    });
  for (const days of [30, 365])
    for (const mode of ['absolute', 'indexed'] as const) {
      const comparison = { title: 'T', lines: lines(days), mode, range: '1y' } as const;
      const layout = layoutComparison(comparison, options) ?? assert.fail();
      const axis = layout.axes[0] ?? assert.fail();
      const svg = layout.draw();
      const labels = boldTexts(svg).slice(1);
      const perPixel = (axis.high - axis.low) / (axis.yAt(axis.low) - axis.yAt(axis.high));
      const dots = readSvg(svg).filter(({ name }) => name === 'circle');
      for (const [index, { attributes }] of dots.entries()) {
        const drawn = axis.low + (axis.yAt(axis.low) - Number(attributes['cy'])) * perPixel;
        const text = labels[index] ?? '';
        const said = Number.parseFloat(text.replace(',', '')) * (text.endsWith('k') ? 1000 : 1);
        assert.ok(Math.abs(said - drawn) <= perPixel, `${days} ${mode}: ${text} beside ${drawn}`);
        assert.ok(layout.description.includes(`Line ${index} ${text}`), layout.description);
      }
      assert.equal(dots.length, 3);
      assert.match(layout.description, days > 60 ? / in the last daily mean/ : / on 29 Jul 2025/);
    }
});

test('a line keeps its colour if one before it has no points', () => {
  const lines = [
    { name: 'a', shape: columnsFor(noPoints, 800) },
    { name: 'b', shape: shapeOf(1, 2) },
  ];
  const layout = layoutComparison({ title: 'T', lines, mode: 'absolute', range: '30d' }, options);
  assert.deepEqual(
    layout?.lines.map(({ name, ink }) => [name, ink]),
    [['b', 'series1']],
  );
});

test('labels move into rows if there is no room at the ends, and omitted ones are counted', () => {
  const lines = Array.from({ length: 10 }, (_, index) => ({
    name: `Plugin number ${index}`,
    shape: shapeOf(index, index + 1),
  }));
  const comparison = { title: 'T', lines, mode: 'absolute', range: '30d' } as const;
  assert.equal(boldTexts(drawComparison(comparison, options)).length, 1 + 10);
  const small = drawComparison(comparison, { ...options, width: 300, height: 200 });
  const more = />\+(\d) more</.exec(small)?.[1];
  assert.ok(more !== undefined, small);
  assert.equal(boldTexts(small).length - 1 + Number(more), 10);
});

const month = (seed: string, level: number, width: number) =>
  columnsFor(defaultMonth({ seed, level }), width);
const drawings: Readonly<Record<string, (width: number, height: number) => string>> = {
  overview: (width, height) =>
    drawOverview(
      { title: 'X', servers: month('s', 90, width), players: month('p', 3800, width), range: '30d' },
      { ...options, theme: 'auto', width, height },
    ),
  comparison: (width, height) =>
    drawComparison(
      {
        title: 'Servers',
        lines: ['One', 'Two', 'Three'].map((name, index) => ({
          name,
          shape: month(name, 500 + 400 * index, width),
        })),
        mode: 'absolute',
        range: '30d',
      },
      { ...options, width, height },
    ),
};

// `node --test --test-update-snapshots` writes them again.
for (const [name, draw] of Object.entries(drawings)) {
  for (const [width, height] of [
    [200, 100],
    [800, 300],
  ] as const) {
    test(`the drawing of the ${name} at ${width}×${height} is known`, (context) => {
      const path = `${import.meta.dirname}/drawings/${name}-${width}.svg`;
      context.assert.fileSnapshot(draw(width, height), path, { serializers: [String] });
    });
  }
}

const slotMs = 1_800_000;
test('the sum has no point in a gap of any line', () => {
  const whole = slots(...Array.from({ length: 10 }, (_, slot): [number, number] => [slot, 100]));
  const broken = slots([0, 1], [1, 2], [7, 3], [8, 4], [9, 5]);
  assert.deepEqual(sumOf(whole, broken), [
    [0, 101],
    [1, 102],
    [2, 102],
    [3, 102],
    [7, 103],
    [8, 104],
    [9, 105],
  ]);
});

test('days before half hours are added to half hours, and days end when two of them are missing', () => {
  const halfHours = (start: number) =>
    Array.from({ length: 300 - start }, (_, index): [number, number] => [start + index, 100]);
  const sums = new Map<number, number>();
  const mixed = slots([0, 1], [48, 2], [96, 3], ...halfHours(144));
  for (const [slot = 0, sum = 0] of sumOf(slots(...halfHours(0)), mixed, slots([0, 5], [48, 6])))
    sums.set(slot, sum);
  assert.equal(sums.size, 300);
  assert.deepEqual(
    [0, 47, 48, 97, 144, 168, 169].map((slot) => sums.get(slot)),
    [106, 106, 108, 109, 206, 206, 200],
  );
});

test('the sum is joined where a line joins it, and has a gap where all have one', () => {
  const ends = (...lines: readonly Columns[]) => [...stackLines(lines).gapEnds].map((time) => time / slotMs);
  const [early, late] = [
    slots([0, 1], [1, 1], [2, 1], [50, 1], [98, 1], [146, 1]),
    slots([50, 2], [51, 2], [52, 2]),
  ];
  assert.deepEqual(ends(early, late), [0]);
  assert.deepEqual(ends(slots([0, 1], [1, 1], [2, 1]), late), [0, 50]);
  assert.deepEqual(ends(slots([0, 1], [1, 1], [3, 1], [4, 1], [9, 1], [10, 1], [11, 1])), [0, 3, 9]);
});

test('a hidden line is no part of the sum, not even by its gaps, and keeps its place', () => {
  const whole = slots([0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]);
  const gapped = slots([0, 7], [5, 8]);
  const line = (name: string, points: Columns) => ({
    ...{ name, points },
    newest: { time: points.times.at(-1) ?? 0, value: valuesOf(points).at(-1) ?? 0 },
  });
  const about = { title: 'T', window: { from: 0, to: 6 * slotMs }, newest: 5 * slotMs, step: '30m' } as const;
  const sum = sumToDraw([{ ...line('a', gapped), isHidden: true }, line('b', whole)], about);
  assert.deepEqual([...sum.times], [...whole.times]);
  assert.deepEqual(
    sum.shares.map(({ name, last, isHidden, values }) => [name, last, isHidden, values[5]]),
    [
      ['a', 0, true, 0],
      ['b', 6, false, 6],
    ],
  );
  assert.equal(sum.step.ms, slotMs);
});

test('a sum of daily means leaves out days of which less than nine tenths are shown, as a line does', () => {
  const points = pointsOf([0, 1, 2, 3].map((day) => [day * dayMs, 10 + day]));
  const line = { name: 'a', points, newest: { time: 3.5 * dayMs, value: 99 } };
  const sumIn = (from: number, to: number) =>
    sumToDraw([line], { title: 'T', window: { from, to }, newest: 3.5 * dayMs, step: '1d' });
  const { times, shares } = sumIn(0.5 * dayMs, 3.5 * dayMs);
  assert.deepEqual(
    [[...times], [...(shares[0]?.values ?? [])], shares[0]?.last],
    [[dayMs, 2 * dayMs], [11, 12], 99],
  );
  assert.deepEqual([...sumIn(0, 4 * dayMs).times], [...points.times]);
  assert.deepEqual([...sumIn(0.5 * dayMs, 0.8 * dayMs).times], [...points.times]);
});

function slots(...entries: ReadonlyArray<readonly [slot: number, value: number]>): Columns {
  return pointsOf(entries.map(([slot, value]) => [slot * slotMs, value]));
}

function sumOf(...lines: readonly Columns[]): number[][] {
  const { times, columns } = stackLines(lines);
  return Array.from(times, (time, index) => [
    time / slotMs,
    columns.reduce((sum, column) => sum + (column[index] ?? 0), 0),
  ]);
}
