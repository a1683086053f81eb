// Pictures of several lines: the overview for READMEs, and comparisons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawComparison, layoutComparison, spread } from '../../../src/draw/line/comparison.ts';
import { drawOverview } from '../../../src/draw/line/overview.ts';
import { axisOnGrid, valueAxis } from '../../../src/draw/line/value-axis.ts';
import { lightColours } from '../../../src/draw/theme.ts';
import { noPoints, pointsOf } from '../../../src/model/points.ts';
import { readSvg } from '../../support/read-svg.ts';
import { columnsFor, defaultMonth } from './made-lines.ts';

const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;
const lineOf = (...values: readonly number[]) =>
  columnsFor(pointsOf(values.map((value, slot) => [slot * 1_800_000, value])), 800);
const boldTexts = (svg: string) =>
  readSvg(svg).flatMap(({ name, text, attributes }) =>
    name === 'text' && attributes['font-weight'] === '600' ? [text] : [],
  );
const overviewOf = (servers: readonly number[], players: readonly number[]) =>
  ({ title: 'X', servers: lineOf(...servers), players: lineOf(...players), range: '7d' }) as const;

test('servers and players share one scale unless the lower line would be invisible', () => {
  const axesOf = (svg: string) =>
    readSvg(svg)
      .filter(({ name, attributes }) => name === 'g' && /end|start/.test(attributes['text-anchor'] ?? ''))
      .map(({ attributes }) => [attributes['text-anchor'], attributes['fill']]);
  const near = drawOverview(overviewOf([300, 350], [1000, 2000]), options);
  assert.deepEqual(axesOf(near), [['end', lightColours.muted]]);
  const far = drawOverview(overviewOf([100, 110], [1000, 2000]), options);
  assert.deepEqual(axesOf(far), [
    ['end', lightColours.series0],
    ['start', lightColours.series1],
  ]);
});

test('an axis on the grid of another one has short labels at its ticks, and begins at zero or above', () => {
  const place = { top: 0, bottom: 200, textSize: 12 };
  const domains = [
    [0, 110],
    [1240, 1620],
    [0, 1],
    [1100, 19_400],
    [0, 18_900],
    [19, 21],
    [0.5, 0.75],
    [99_995, 100_012],
  ] as const;
  for (const [low, high] of domains) {
    const first = valueAxis(low, high, { ...place, hasTickEnds: true });
    assert.deepEqual([first.ticks[0]?.at, first.ticks.at(-1)?.at], [place.bottom, place.top], `${low}`);
    for (const [from, to] of domains) {
      const second = axisOnGrid({ low: from, high: to }, first.ticks.length, place);
      const what = `${low} to ${high}, ${from} to ${to}: ${second.ticks.map(({ text }) => text).join(' ')}`;
      assert.ok(second.low >= 0 && second.low <= from && second.high >= to, what);
      for (const [index, { at, text }] of second.ticks.entries()) {
        assert.ok(Math.abs(at - (first.ticks[index]?.at ?? 0)) < 1e-6, what);
        assert.ok(text.length <= 7, what);
        if (Number.isInteger(from) && Number.isInteger(to)) assert.doesNotMatch(text, /^[\d,]*\.\d+$/, what);
      }
    }
  }
});

test('an overview shows both latest values, in its description too', () => {
  const svg = drawOverview(overviewOf([300, 1], [1000, 2000]), options);
  const texts = readSvg(svg).map(({ text }) => text);
  assert.ok(texts.some((text) => /^1 server\s+2,000 players\s+in the 7 days to 1 Jan 1970$/.test(text)));
  assert.match(
    svg,
    /<desc [^>]*>X: 1 server on 1 Jan 1970, between 1 and 300; 2,000 players on 1 Jan 1970, between 1,000 and 2,000 \(in the 7 days to 1 Jan 1970\)</,
  );
});

test('an overview of any size labels each line and both values', () => {
  for (const width of [200, 359, 360, 449, 450, 1600]) {
    for (const height of [100, 159, 160, 300]) {
      const svg = drawOverview(overviewOf([300, 3210], [1_230_000, 1_234_000]), {
        ...options,
        width,
        height,
      });
      const shown = readSvg(svg).filter(({ name }) => name === 'text');
      const texts = shown.map(({ text }) => text);
      const seen = texts.join('\n');
      assert.match(seen, /(3,210|3\.2k) servers/, `${width}×${height}`);
      assert.match(seen, /(1,234,000|1\.2M) players/, `${width}×${height}`);
      assert.ok(texts.includes('X'), `${width}×${height}`);
    }
  }
});

test('an overview without one of its lines draws the other, and without both a sentence', () => {
  const none = columnsFor(noPoints, 800);
  const { title, servers, range } = overviewOf([1, 2], []);
  assert.match(drawOverview({ title, servers, players: undefined, range }, options), /2<\/tspan>.*servers/);
  assert.match(
    drawOverview({ title, servers: none, players: servers, range }, options),
    /2<\/tspan>.*players/,
  );
  assert.match(drawOverview({ title, servers: none, players: undefined, range }, options), />No data yet\.</);
});

test('indexed lines are 100 at the mean of the day of their first nonzero point', () => {
  const lines = [
    { name: 'a', shape: lineOf(50, 100) },
    { name: 'b', shape: lineOf(0, 1000, 500) },
    { name: 'c', shape: lineOf(0, 0) },
  ];
  const layout = layoutComparison({ title: 'T', lines, mode: 'indexed', range: '30d' }, options);
  const svg = drawComparison({ title: 'T', lines, mode: 'indexed', range: '30d' }, options);
  assert.deepEqual(boldTexts(svg).slice(1), ['133', '66.7', '0']);
  const [a, b] = layout?.lines ?? [];
  // The means of the first days are 75 and 750.
  assert.equal(a?.yAt(75), b?.yAt(750));
});

test('the index of a line that begins below zero falls where its values rise, within the axis', () => {
  const lines = [{ name: 'a', shape: lineOf(-3, -1, 1) }];
  const layout = layoutComparison({ title: 'T', lines, mode: 'indexed', range: '30d' }, options);
  const [axis] = layout?.axes ?? [];
  assert.ok(axis !== undefined && axis.low <= -100 && axis.high >= 300, `${axis?.low} to ${axis?.high}`);
  const [a] = layout?.lines ?? [];
  assert.ok((a?.yAt(-3) ?? Number.NaN) < (a?.yAt(1) ?? Number.NaN));
});

test('a line keeps its colour if one before it has no points', () => {
  const lines = [
    { name: 'a', shape: columnsFor(noPoints, 800) },
    { name: 'b', shape: lineOf(1, 2) },
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
    shape: lineOf(index, index + 1),
  }));
  const comparison = { title: 'T', lines, mode: 'absolute', range: '30d' } as const;
  assert.equal(boldTexts(drawComparison(comparison, options)).length, 1 + 10);
  const small = drawComparison(comparison, { ...options, width: 300, height: 200 });
  const more = />\+(\d) more</.exec(small)?.[1];
  assert.ok(more !== undefined, small);
  assert.equal(boldTexts(small).length - 1 + Number(more), 10);
});

test('label positions are spread apart, in order, and within the box', () => {
  assert.deepEqual(spread([5, 5, 50], { top: 0, bottom: 60, distance: 10 }), [5, 15, 50]);
  assert.deepEqual(spread([60, 58], { top: 0, bottom: 60, distance: 10 }), [60, 50]);
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
