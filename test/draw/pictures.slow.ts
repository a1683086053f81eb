// Rules that hold for every picture, for any data and size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawChart, drawHistory } from '../../src/draw/chart.ts';
import { clamp } from '../../src/draw/clamp.ts';
import { eventMarks } from '../../src/draw/events.ts';
import { drawComparison } from '../../src/draw/line/comparison.ts';
import { drawLine, drawOverview, layoutLine } from '../../src/draw/line/line.ts';
import type { LineShape } from '../../src/draw/line/line-shape.ts';
import type { DataForm } from '../../src/model/chart-types.ts';
import { type Columns, pointsOf, valuesOf } from '../../src/model/columns.ts';
import { rangeNames } from '../../src/model/window.ts';
import { pathCorners, readSvg } from '../support/read-svg.ts';
import { fc } from '../support/seed.ts';
import { checkPicture } from './check-picture.ts';
import { anyHistory } from './history/made-histories.ts';
import { anyEvents, anyName, anyOptions, anyPoints, bandFor, columnsFor } from './line/made-lines.ts';

/** The ways in which a line can be drawn. */
const shapeFor = fc.constantFrom<(points: Columns, width: number) => LineShape>(
  (points, width) => columnsFor(points, width),
  bandFor,
);

const range = fc.constantFrom(...rangeNames);

test('any line draws well-formed XML that stays in its box and whose texts do not overlap', () => {
  fc.assert(
    fc.property(anyPoints, shapeFor, anyName, range, anyOptions, (points, reduce, title, shown, options) => {
      const shape = reduce(points, options.width);
      checkPicture(drawLine({ title, shape, range: shown }, options), options);
    }),
    { numRuns: 1000 },
  );
});

test('any two lines draw an overview that stays in its box and whose texts do not overlap', () => {
  fc.assert(
    fc.property(
      fc.option(anyPoints),
      fc.option(anyPoints),
      anyName,
      range,
      anyOptions,
      shapeFor,
      (a, b, title, shown, options, reduce) => {
        const servers = a === null ? undefined : reduce(a, options.width);
        const players = b === null ? undefined : reduce(b, options.width);
        checkPicture(drawOverview({ title, servers, players, range: shown }, options), options);
      },
    ),
    { numRuns: 400 },
  );
});

test('any ten lines draw a comparison that stays in its box and whose texts do not overlap', () => {
  const lines = fc.array(fc.tuple(anyName, anyPoints), { maxLength: 11 });
  const mode = fc.constantFrom('absolute', 'indexed');
  fc.assert(
    fc.property(lines, mode, anyName, anyOptions, shapeFor, (compared, shown, title, options, reduce) => {
      const drawn = compared.map(([name, points]) => ({ name, shape: reduce(points, options.width) }));
      checkPicture(drawComparison({ title, lines: drawn, mode: shown, range: '30d' }, options), options);
    }),
    { numRuns: 400 },
  );
});

/** Any points, options of a picture, and events in it. */
const withEvents = fc
  .tuple(anyPoints, anyOptions)
  .chain(([points, options]) =>
    fc.tuple(fc.constant(points), fc.constant(options), anyEvents(points, options.width)),
  );

test('the marks of any events stay in the box, and no text of a picture overlaps another', () => {
  fc.assert(
    fc.property(withEvents, shapeFor, ([points, options, events], reduce) => {
      const marks = eventMarks(events);
      const shape = reduce(points, options.width);
      checkPicture(drawLine({ title: 'Players', shape, range: 'all', marks }, options), options);
      const overview = { title: 'X', servers: shape, players: shape, range: 'all', marks } as const;
      checkPicture(drawOverview(overview, options), options);
    }),
    { numRuns: 600 },
  );
});

test('the picture shows the peak and the lowest point of the data', () => {
  fc.assert(
    fc.property(anyPoints, anyOptions, (points, options) => {
      const columns = columnsFor(points, options.width);
      if (columns.pointCount === 0) return;
      const [line] = layoutLine({ title: '', shape: columns, range: 'all' }, options).lines;
      assert.ok(line !== undefined);
      assert.equal(columns.high + 0, clamp(Math.max(...valuesOf(points))) + 0);
      assert.equal(columns.low + 0, clamp(Math.min(...valuesOf(points))) + 0);
      const ys = linePaths(drawLine({ title: '', shape: columns, range: 'all' }, options))
        .flatMap((path) => pathCorners(path.replace(/V[^V]*$/, '')))
        .map(({ y }) => y);
      assert.ok(Math.abs(Math.min(...ys) - line.yAt(columns.high)) < 0.051);
      assert.ok(Math.abs(Math.max(...ys) - line.yAt(columns.low)) < 0.051);
    }),
    { numRuns: 400 },
  );
});

test('the area under a line is filled only if zero is on the axis', () => {
  for (const [values, isFilled] of [
    [[0, 50], true],
    [[30, 50], true],
    [[1000, 1010], false],
    [[-10, 10], true],
    [[-1010, -1000], false],
  ] as const) {
    const points = pointsOf(values.map((value, index) => [index * 1_800_000, value]));
    const columns = columnsFor(points, 800);
    const options = { width: 800, height: 300, theme: 'light', hasStyle: false } as const;
    const picture = { title: '', shape: columns, range: 'all' } as const;
    const overview = { title: '', servers: columns, players: undefined, range: 'all' } as const;
    for (const svg of [drawLine(picture, options), drawOverview(overview, options)])
      assert.equal(svg.includes('fill-opacity'), isFilled, String(values));
  }
});

test('the dash of an area is as long as its line, so that the baseline is not drawn', () => {
  fc.assert(
    fc.property(anyPoints, anyOptions, (points, options) => {
      const svg = drawLine({ title: '', shape: columnsFor(points, options.width), range: 'all' }, options);
      for (const { name, attributes } of readSvg(svg)) {
        const dash = attributes['stroke-dasharray'];
        if (name !== 'path' || dash === undefined) continue;
        const corners = pathCorners((attributes['d'] ?? '').replace(/V[^V]*$/, ''));
        const length = corners.reduce((sum, { x, y }, index) => {
          const before = corners[index - 1];
          return before === undefined ? sum : sum + Math.hypot(x - before.x, y - before.y);
        }, 0);
        assert.ok(Math.abs(Number.parseFloat(dash) - length) < 0.1, `${dash} ${length}`);
      }
    }),
  );
});

/** The paths of the lines, which alone have round joints. */
function linePaths(svg: string): string[] {
  return readSvg(svg)
    .filter(({ name, attributes }) => name === 'path' && attributes['stroke-linejoin'] === 'round')
    .map(({ attributes }) => attributes['d'] ?? '');
}

/** Any history, options of a picture, and events in it. */
const historyWithEvents = fc
  .tuple(anyHistory, anyOptions)
  .chain(([history, options]) =>
    fc.tuple(fc.constant(history), fc.constant(options), anyEvents(history, options.width)),
  );
const unit = fc.constantFrom('percent' as const, 'count' as const);

test('any history draws well-formed XML that stays in its box and whose texts do not overlap', () => {
  fc.assert(
    fc.property(historyWithEvents, unit, range, ([history, options, events], shown, asked) => {
      checkPicture(drawHistory({ ...history, events }, { ...options, unit: shown, range: asked }), options);
    }),
    { numRuns: 1000 },
  );
});

test('a picture has as many areas as rows in its legend, and never more than twelve and the others', () => {
  fc.assert(
    fc.property(anyHistory, unit, anyOptions, (history, shown, options) => {
      const elements = readSvg(drawHistory(history, { ...options, unit: shown, range: 'all' }));
      const areas = elements.filter(
        ({ name, attributes }) => name === 'path' && attributes['d']?.endsWith('Z'),
      );
      const keys = elements.filter(({ name, attributes }) => name === 'rect' && attributes['rx'] === '2');
      assert.equal(areas.length, keys.length);
      assert.ok(areas.length <= 13);
    }),
    { numRuns: 300 },
  );
});

const value = fc.oneof(
  { weight: 4, arbitrary: fc.nat(200_000) },
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, -5, Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324),
);
const listOf = <Element>(element: fc.Arbitrary<Element>) =>
  fc.oneof(
    fc.array(element, { maxLength: 8 }),
    fc.array(element, { minLength: 20, maxLength: 60, size: 'max' }),
  );
const slices = listOf(fc.record({ name: anyName, y: value }));
const bars = listOf(fc.record({ name: anyName, data: fc.array(value, { maxLength: 12 }) }));
const chart = fc
  .oneof(
    fc.record({ form: fc.constant<DataForm>('pie'), data: slices }),
    fc.record({
      form: fc.constant<DataForm>('drilldown'),
      data: fc.record({
        drilldownData: fc.array(
          fc.record({ id: fc.constantFrom('a', 'b'), data: fc.array(fc.tuple(anyName, value)) }),
        ),
        seriesData: listOf(fc.record({ name: anyName, y: value, drilldown: fc.constantFrom('a', 'b', 'c') })),
      }),
    }),
    fc.record({
      form: fc.constant<DataForm>('map'),
      data: listOf(fc.record({ code: fc.oneof(anyName, fc.constantFrom('DE', 'US', 'ZZ', 'AQ')), value })),
    }),
    fc.record({ form: fc.constant<DataForm>('bars'), data: bars }),
    fc.record({ form: fc.constantFrom<DataForm>('pie', 'bars', 'drilldown'), data: fc.jsonValue() }),
  )
  .chain(({ form, data }) =>
    fc.record({
      form: fc.constant(form),
      data: fc.constant<unknown>(data),
      title: anyName,
      pluginName: anyName,
      settings: fc.record({ barNames: fc.array(anyName, { maxLength: 12 }) }),
    }),
  );
test('any data draws well-formed XML that stays in its box and whose texts do not overlap', () => {
  fc.assert(
    fc.property(chart, anyOptions, (drawn, options) => checkPicture(drawChart(drawn, options), options)),
    { numRuns: 600 },
  );
});
