// Lines over a long time: means by step, in a band from the lowest to the highest value.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawComparison, layoutComparison } from '../../../src/draw/line/comparison.ts';
import { drawLine } from '../../../src/draw/line/line.ts';
import { type Columns, lineOf, sliceColumns, valuesOf } from '../../../src/model/columns.ts';
import { pathCorners, readSvg } from '../../support/read-svg.ts';
import { bandFor, halfHours } from './made-lines.ts';

const options = { width: 800, height: 300, theme: 'auto', hasStyle: true } as const;
const year = halfHours({ days: 365, level: 3800 });

const describeLine = (points: Columns, width = 800) =>
  /<desc [^>]*>([^<]*)</.exec(drawn(points, { width }))?.[1] ?? '';

function drawn(points: Columns, size: { readonly width: number; readonly height?: number }): string {
  return drawLine(
    { title: 'Players', shape: bandFor(points, size.width), range: '1y' },
    { ...options, ...size },
  );
}

/** The edge of the band and the line of means, as the ends of their segments. */
function pathsOf(svg: string) {
  const paths = readSvg(svg).filter(
    ({ name, attributes }) => name === 'path' && attributes['d'] !== undefined,
  );
  const corners = (attribute: string, value: string) =>
    paths
      .filter(({ attributes }) => attributes[attribute] === value)
      .map(({ attributes }) =>
        (attributes['d'] ?? '').split(/(?=M)/).map((run) => pathCorners(run.replace('Z', ''))),
      );
  return { bands: corners('fill-opacity', '.2'), lines: corners('stroke-linejoin', 'round') };
}

test('the picture says in words what its line and its band are, at any width', () => {
  assert.match(
    describeLine(year),
    /^Players: [\d,]+ on 29 Jun 2026, between [\d,]+ and [\d,]+ in the year before; daily mean, band from lowest to highest$/,
  );
  assert.match(describeLine(year, 400), /; weekly mean, band from lowest to highest$/);
  for (const [width, words] of [
    [800, /^[\d,]+ on 29 Jun 2026, between .* in the year before, daily mean, band from lowest to highest$/],
    [400, /^weekly mean, band from lowest to highest$/],
    [200, /^weekly mean, lowest to highest$/],
  ] as const) {
    const texts = readSvg(drawn(year, { width, height: 200 })).filter(({ name }) => name === 'text');
    assert.ok(
      texts.some(({ text }) => words.test(text)),
      texts.map(({ text }) => text).join('\n'),
    );
  }
});

test('the band reaches from the lowest to the highest value of all, and the line of means is inside', () => {
  const shape = bandFor(year, 800);
  const layout = layoutComparison(
    { title: '', lines: [{ name: 'a', shape }], mode: 'absolute', range: '1y' },
    options,
  );
  const [line] = layout?.lines ?? [];
  assert.ok(line !== undefined);
  const { bands, lines } = pathsOf(
    drawComparison({ title: '', lines: [{ name: 'a', shape }], mode: 'absolute', range: '1y' }, options),
  );
  const ys = bands.flat(2).map(({ y }) => y);
  assert.ok(Math.abs(Math.min(...ys) - line.yAt(shape.high)) < 0.06);
  assert.ok(Math.abs(Math.max(...ys) - line.yAt(shape.low)) < 0.06);
  const means = lines.flat(2).map(({ y }) => y);
  assert.ok(Math.min(...means) > Math.min(...ys) && Math.max(...means) < Math.max(...ys));
});

test('the line of means leaves out days that the range has in part, and the band does not', () => {
  const points = sliceColumns(year, 20, year.times.length - 20);
  const { bands, lines } = pathsOf(drawn(points, { width: 800 }));
  const xsOf = (paths: typeof bands) => paths.flat(2).map(({ x }) => x);
  assert.ok(Math.min(...xsOf(lines)) > Math.min(...xsOf(bands)) + 0.5);
  assert.ok(Math.max(...xsOf(lines)) < Math.max(...xsOf(bands)) - 0.5);
  // A day with one half hour is none, but one of a line of days.
  const oneHalfHour = bandFor(sliceColumns(year, 47, year.times.length - 47), 800);
  assert.deepEqual([oneHalfHour.means?.start, oneHalfHour.means?.end], [1, 364]);
  const daily = (column: Float64Array) => column.filter((_, slot) => slot % 48 === 40);
  const days = bandFor(lineOf(daily(year.times), daily(valuesOf(year))), 800);
  assert.deepEqual([days.means?.start, days.means?.end], [0, 365]);
  const short = bandFor(halfHours({ days: 0.5, level: 10 }), 800);
  assert.ok(Number.isFinite(short.endValue));
  const apart = bandFor(lineOf(Float64Array.of(0, 1, 1.76e12), Float64Array.of(0, 1, 0)), 200);
  assert.ok(Number.isFinite(apart.endValue) && apart.means !== undefined);
  assert.ok(apart.means.start < apart.means.end);
});

test('two lines have their bands, and of more lines the means alone are drawn, which is said', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `Line ${index}`,
      shape: bandFor(halfHours({ days: 365, level: 1000 * (index + 1) }), 800),
    }));
  const draw = (count: number, mode: 'absolute' | 'indexed' = 'absolute') =>
    drawComparison({ title: 'T', lines: lines(count), mode, range: '1y' }, options);
  assert.equal(pathsOf(draw(2)).bands.length, 2);
  assert.match(draw(2), /<desc [^>]*>[^<]*; daily mean, band from lowest to highest</);
  assert.equal(pathsOf(draw(3)).bands.length, 0);
  assert.match(draw(3), /<desc [^>]*>[^<]*; daily mean</);
  assert.match(draw(3), />in the year to 29 Jun 2026<[^>]*><tspan[^>]*>, daily mean</);
  assert.match(draw(2, 'indexed'), /where the first mean of each is 100/);
});

test('ten years take less than twice the bytes of a month', () => {
  const svg = drawn(halfHours({ days: 3652, level: 3800 }), { width: 800 });
  assert.ok(svg.length < 16_000, String(svg.length));
});

// `node --test --test-update-snapshots` writes them again.
for (const [width, height, days] of [
  [200, 100, 90],
  [800, 300, 90],
] as const)
  test(`the drawing of a band at ${width}×${height} is known`, (context) => {
    const svg = drawn(halfHours({ days, level: 3800 }), { width, height });
    const path = `${import.meta.dirname}/drawings/band-${width}.svg`;
    context.assert.fileSnapshot(svg, path, { serializers: [String] });
  });
