// Pictures of one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { drawLine, layoutLine } from '../../../src/draw/line/line.ts';
import { nearestIndex } from '../../../src/draw/line/line-layout.ts';
import { noPoints, type Points, pointsOf, slicePoints } from '../../../src/model/points.ts';
import { pathCorners, readSvg } from '../../support/read-svg.ts';
import { columnsFor, defaultMonth } from './made-lines.ts';

const options = { width: 800, height: 300, theme: 'auto', hasStyle: true } as const;
const slotMs = 1_800_000;
const month = defaultMonth({ seed: 'month', level: 3800 });

test('a picture has a description in words', () => {
  const points = pointsOf([
    [0, 2950],
    [slotMs, 4659],
    [2 * slotMs, 3883],
  ]);
  assert.match(
    draw(points),
    /<desc [^>]*>Players on servers using X: 3,883 on 1 Jan 1970, between 2,950 and 4,659 in the 30 days before</,
  );
  assert.match(
    draw(slicePoints(points, 0, 1)),
    /<desc [^>]*>Players on servers using X: 2,950 on 1 Jan 1970</,
  );
  assert.match(draw(noPoints), /<desc [^>]*>No data yet\.</);
});

test('the default month is under 9 KB, and under 3 KB compressed', () => {
  const svg = draw(month);
  assert.ok(svg.length < 9000, String(svg.length));
  assert.ok(gzipSync(svg).length < 3000, String(gzipSync(svg).length));
});

test('ten years take no more bytes than a month', () => {
  const pointCount = 175_000;
  const timestamps = Float64Array.from({ length: pointCount }, (_, slot) => slot * slotMs);
  const values = timestamps.map((_, slot) => 3000 + ((slot * 7919) % 2000));
  const svg = draw({ timestamps, values });
  assert.ok(svg.length < 10_000, String(svg.length));
});

test('a single point between gaps is drawn as a dot', () => {
  const [first, dot, last] = runsOf(slots(0, 1, 2, 3, 10, 17, 18, 19, 20));
  assert.match(first ?? '', /V/);
  assert.match(dot ?? '', /^M\S+ \S+h0$/);
  assert.match(last ?? '', /V/);
});

test('the line ends at its latest value', () => {
  const { box, lines } = layoutLine({ title: '', shape: columnsFor(month, 800), range: '30d' }, options);
  const [corner] = pathCorners((runsOf(month)[0] ?? '').replace(/V[^V]*$/, '')).slice(-1);
  assert.ok(Math.abs((corner?.x ?? 0) - box.right) < 0.1);
  assert.ok(Math.abs((corner?.y ?? 0) - (lines[0]?.yAt(month.values.at(-1) ?? 0) ?? 0)) < 0.1);
});

test('the axis begins at zero unless the values are far from it', () => {
  const lowest = (...values: readonly number[]) => {
    const columns = columnsFor(pointsOf(values.map((value, slot) => [slot * slotMs, value])), 800);
    return layoutLine({ title: '', shape: columns, range: '30d' }, options).axes[0]?.low;
  };
  assert.equal(lowest(2950, 4659), 0);
  assert.equal(lowest(5, 5), 0);
  assert.equal(lowest(0, 0), 0);
  assert.equal(lowest(1_000_000, 1_000_500), 1_000_000);
  assert.ok((lowest(-5, 5) ?? 0) <= -5);
});

test('the ids of different pictures in a page are distinct', () => {
  const svg = drawLine(
    { title: 'A', shape: columnsFor(month, 800), range: '30d' },
    { ...options, idPrefix: 'players' },
  );
  assert.match(svg, /aria-labelledby="players-desc"/);
  assert.match(svg, /<title id="players-title">A<\/title><desc id="players-desc">/);
});

test('the point nearest to a time is found', () => {
  const timestamps = Float64Array.of(10, 20, 30);
  const nearest = [-5, 10, 14, 16, 25, 99].map((timestamp) => nearestIndex(timestamps, timestamp));
  assert.deepEqual(nearest, [0, 0, 0, 1, 2, 2]);
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

function draw(points: Points): string {
  return drawLine(
    { title: 'Players on servers using X', shape: columnsFor(points, 800), range: '30d' },
    options,
  );
}

function slots(...numbers: readonly number[]): Points {
  return pointsOf(numbers.map((slot) => [slot * slotMs, slot % 3]));
}

function runsOf(points: Points): string[] {
  return readSvg(draw(points))
    .filter(({ name, attributes }) => name === 'path' && attributes['stroke-linejoin'] === 'round')
    .map(({ attributes }) => attributes['d'] ?? '');
}
