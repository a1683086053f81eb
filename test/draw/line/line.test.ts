// Pictures of one line, also of one with outliers: a few far values do not flatten it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { drawComparison, layoutComparison } from '../../../src/draw/line/comparison.ts';
import { drawLine, layoutLine } from '../../../src/draw/line/line.ts';
import { nearestIndex } from '../../../src/draw/line/line-layout.ts';
import { type Columns, lineOf, pointsOf, valuesOf } from '../../../src/model/columns.ts';
import { pathCorners, readSvg } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';
import { bandFor, columnsFor, defaultMonth, halfHours } from './made-lines.ts';

const options = { width: 800, height: 300, theme: 'auto', hasStyle: true } as const;
const slotMs = 1_800_000;
const month = defaultMonth({ seed: 'month', level: 3800 });

test('a single point is described by its day', () => {
  assert.match(draw(pointsOf([[0, 2950]])), /<desc [^>]*>Players on servers using X: 2,950 on 1 Jan 1970</);
});

test('the default month is under 9 KB, and under 3 KB compressed, and ten years hardly more', () => {
  const timestamps = Float64Array.from({ length: 175_000 }, (_, slot) => slot * slotMs);
  const values = timestamps.map((_, slot) => 3000 + ((slot * 7919) % 2000));
  const [svg, years] = [draw(month), draw(lineOf(timestamps, values))];
  const sizes = [svg.length, gzipSync(svg).length, years.length];
  assert.ok(svg.length < 9000 && gzipSync(svg).length < 3000 && years.length < 10_000, sizes.join());
});

test('a single point between gaps is drawn as a dot', () => {
  const [first, dot, last] = runsOf(slots(0, 1, 2, 3, 10, 17, 18, 19, 20));
  assert.match(first ?? '', /V/);
  assert.match(dot ?? '', /^M\S+ \S+h0$/);
  assert.match(last ?? '', /V/);
});

/** Times at intervals of some slots, each so many times. */
const timesOf = (...parts: ReadonlyArray<readonly [interval: number, count: number]>) => {
  let time = 0;
  const partOf = (interval: number, count: number) =>
    Array.from({ length: count }, () => {
      time += interval;
      return time;
    });
  return [0, ...parts.flatMap((part) => partOf(...part))];
};
const [hour, day, week] = [2, 48, 7 * 48];

test('points of any resolution are joined, also where another one begins, and a real gap stays one', () => {
  for (const [runCount, ...parts] of [
    [1, [day, 60], [1, 900]],
    [1, [1, 900], [day, 60]],
    [1, [day, 3], [1, 900]],
    [1, [week, 8], [day, 20], [hour, 100], [1, 900]],
    [2, [day, 60], [4 * day, 1], [1, 900]],
    [2, [1, 900], [4 * day, 1], [day, 60]],
    [2, [day, 30], [4 * day, 1], [day, 30], [1, 900]],
    [2, [day, 60], [1, 9], [day, 1], [1, 900]],
    [3, [day, 60], [1, 400], [day, 1], [1, 3], [day, 1], [1, 400]],
    [3, [1, 400], [day, 2], [1, 400]],
  ] as const) {
    const runs = runsOf(slots(...timesOf(...parts)));
    assert.equal(runs.length, runCount, JSON.stringify(parts));
  }
});

test('the line ends at its latest value', () => {
  const { box, lines } = layoutLine({ title: '', shape: columnsFor(month, 800), range: '30d' }, options);
  const [corner] = pathCorners((runsOf(month)[0] ?? '').replace(/V[^V]*$/, '')).slice(-1);
  assert.ok(Math.abs((corner?.x ?? 0) - box.right) < 0.1);
  assert.ok(Math.abs((corner?.y ?? 0) - (lines[0]?.yAt(valuesOf(month).at(-1) ?? 0) ?? 0)) < 0.1);
});

test('the axis begins at zero unless that leaves the line flat, and one that does not says so', () => {
  const axisOf = (...values: readonly number[]) => {
    const columns = columnsFor(pointsOf(values.map((value, slot) => [slot * slotMs, value])), 800);
    const { axes, description } = layoutLine({ title: '', shape: columns, range: '30d' }, options);
    const { low, high } = axes[0] ?? assert.fail();
    assert.equal(description.includes('axis does not begin at 0'), low > 0 || high < 0, description);
    return [low, high];
  };
  assert.deepEqual(axisOf(12, 11), [0, 12]);
  assert.deepEqual(axisOf(-12, -11), [-12, 0]);
  for (const values of [
    [2950, 4659],
    [5, 5],
    [0, 0],
    [950, 1000],
    [0.019, 0.02],
  ])
    assert.equal(axisOf(...values)[0], 0, values.join());
  assert.deepEqual(axisOf(1_000_000, 1_000_500), [1_000_000, 1_000_500]);
  assert.deepEqual(axisOf(-1_000_000, -1_000_500), [-1_000_500, -1_000_000]);
  assert.ok((axisOf(-5, 5)[0] ?? 0) <= -5);
  assert.match(
    draw(
      pointsOf([
        [0, 998],
        [1, 1000],
      ]),
    ),
    />, axis does not begin at 0</,
  );
});

test('the point nearest to a time is found', () => {
  const nearest = [-5, 14, 16, 25, 99].map((time) => nearestIndex(Float64Array.of(10, 20, 30), time));
  assert.deepEqual(nearest, [0, 0, 1, 2, 2]);
  assert.equal(nearestIndex(new Float64Array(0), 5), -1);
});

// `node --test --test-update-snapshots` writes them again.
for (const [width, height] of [
  [200, 100],
  [400, 150],
  [800, 300],
  [1600, 600],
] as const) {
  test(`the drawing of a month at ${width}×${height} is known`, (context) => {
    const picture = { title: 'Players', shape: columnsFor(month, width), range: '30d' } as const;
    const svg = drawLine(picture, { ...options, width, height });
    const path = `${import.meta.dirname}/drawings/line-${width}.svg`;
    context.assert.fileSnapshot(svg, path, { serializers: [String] });
  });
}

function draw(points: Columns): string {
  return drawLine(
    { title: 'Players on servers using X', shape: columnsFor(points, 800), range: '30d' },
    options,
  );
}

function slots(...numbers: readonly number[]): Columns {
  return pointsOf(numbers.map((slot) => [slot * slotMs, slot % 3]));
}

function runsOf(points: Columns): string[] {
  return readSvg(draw(points))
    .filter(({ name, attributes }) => name === 'path' && attributes['stroke-linejoin'] === 'round')
    .map(({ attributes }) => attributes['d'] ?? '');
}

const most = 2 ** 31 - 1;
const light = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;

/** A line of half hours in a picture. */
function shapeOf(values: readonly number[]) {
  return columnsFor(pointsOf(values.map((value, index) => [index * 1_800_000, value])), 800);
}

const wave = Array.from({ length: 1441 }, (_, index) => 3000 + Math.round(900 * Math.sin(index / 8)));

test('a line is cut where the rule says so, whatever its values', () => {
  const anyValue = fc.double({ noNaN: true, min: -1e290, max: 1e290 });
  const nearZero = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 90, max: 130 }), anyValue);
  fc.assert(
    fc.property(fc.array(nearZero, { minLength: 5, maxLength: 120 }), (values) => {
      const sorted = values.toSorted((a, b) => b - a);
      const isCut = sorted
        .slice(0, Math.max(1, Math.floor(values.length / 50)))
        .some((value, index) => (sorted[index + 1] ?? 0) > 0 && value > 10 * (sorted[index + 1] ?? 0));
      const { description } = layoutLine({ title: 'T', shape: shapeOf(values), range: '30d' }, light);
      assert.equal(description.includes('axis cut'), isCut);
    }),
    { numRuns: 1000 },
  );
});

test('numbers that are too large for words are on the axis, and none is cut to another one', () => {
  const textsOf = (values: readonly number[], width: number) => {
    const picture = { title: 'T', shape: shapeOf(values), range: '30d' } as const;
    const elements = readSvg(drawLine(picture, { ...light, width }));
    return elements.filter(({ name }) => name === 'text' || name === 'desc').map(({ text }) => text);
  };
  const [description, ...texts] = textsOf([1e15, 5e18, 7e18, 3e18, 6e18], 800);
  const between = ', between 1,000,000,000,000,000 and over 1,000T in the 30 days before';
  assert.equal(description, `T: over 1,000T on 1 Jan 1970${between}`);
  assert.ok(texts.includes('4,000,000T') && !texts.includes('1,000T'));
  assert.match(
    textsOf([-5e18, -Number.MAX_VALUE], 800)[0] ?? '',
    /^T: under −1,000T .*under −1,000T and under/,
  );
  for (let width = 200; width < 800; width += 20)
    for (const text of textsOf([1e15, 1e15 - 1], width)) assert.doesNotMatch(text, /[\d,]…/);
});

test('a picture with an outlier has the axis of the others, and says so', () => {
  const svg = drawLine({ title: 'T', shape: shapeOf(wave.with(700, most)), range: '30d' }, light);
  const elements = readSvg(svg);
  assert.ok(elements.some(({ name, text }) => name === 'text' && text === '4,000'));
  assert.match(svg, /<desc [^>]*>[^<]*2,147,483,647 in the 30 days before; axis cut above 3,900</);
  const days = halfHours({ days: 100, level: 3000 });
  const band = bandFor(lineOf(days.times, valuesOf(days).with(700, most)), 800);
  assert.match(drawLine({ title: 'T', shape: band, range: '1y' }, light), /; axis cut above [\d,]+</);
});

/** A line of half-hours whose 40th value is another one. */
function lineWith(far: number, scale = 1) {
  const values = Array.from({ length: 200 }, (_, index) => (index === 40 ? far : (50 + (index % 9)) * scale));
  return columnsFor(pointsOf(values.map((value, index) => [index * 1_800_000, value])), 800);
}

test('an outlier of one line flattens no other, the picture says so, and a logarithmic axis has it', () => {
  const lines = [
    { name: 'far', shape: lineWith(most) },
    { name: 'near', shape: lineWith(30, 10) },
  ];
  const comparison = { title: 'T', lines, mode: 'absolute', range: '30d' } as const;
  const layout = layoutComparison(comparison, light);
  assert.equal(layout?.axes[0]?.high, 600);
  assert.match(layout?.description ?? '', /axis cut above 580/);
  assert.match(drawComparison(comparison, light), /axis cut above 580/);
  const log = layoutComparison({ ...comparison, axis: 'log' }, light);
  assert.doesNotMatch(log?.description ?? 'axis cut', /axis cut/);
  assert.ok((log?.axes[0]?.high ?? 0) >= most);
});
