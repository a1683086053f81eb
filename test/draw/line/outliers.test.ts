// Outliers: a few far values do not flatten a line, and a line without them is never cut.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawComparison, layoutComparison } from '../../../src/draw/line/comparison.ts';
import { drawLine, layoutLine } from '../../../src/draw/line/line.ts';
import { pointsOf } from '../../../src/model/points.ts';
import { readSvg } from '../../support/read-svg.ts';
import { fc } from '../../support/seed.ts';
import { columnsFor } from './made-lines.ts';

const most = 2 ** 31 - 1;
const options = { width: 800, height: 300, theme: 'light', hasStyle: true } as const;

/** A line of half hours in a picture. */
function lineOf(values: readonly number[]) {
  return columnsFor(pointsOf(values.map((value, index) => [index * 1_800_000, value])), 800);
}

const wave = Array.from({ length: 1441 }, (_, index) => 3000 + Math.round(900 * Math.sin(index / 8)));

test('a line is cut where the rule says so, whatever its values', () => {
  const anyValue = fc.double({ noNaN: true, min: -1e15, max: 1e15 });
  const nearZero = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 90, max: 130 }), anyValue);
  fc.assert(
    fc.property(fc.array(nearZero, { minLength: 5, maxLength: 120 }), (values) => {
      const sorted = values.toSorted((a, b) => b - a);
      const isCut = sorted
        .slice(0, Math.max(1, Math.floor(values.length / 50)))
        .some((value, index) => (sorted[index + 1] ?? 0) > 0 && value > 10 * (sorted[index + 1] ?? 0));
      const { description } = layoutLine({ title: 'T', shape: lineOf(values), range: '30d' }, options);
      assert.equal(description.includes('axis cut'), isCut);
    }),
    { numRuns: 1000 },
  );
});

test('a picture with an outlier has the axis of the others, and says so', () => {
  const svg = drawLine({ title: 'T', shape: lineOf(wave.with(700, most)), range: '30d' }, options);
  const elements = readSvg(svg);
  assert.ok(elements.some(({ name, text }) => name === 'text' && text === '4,000'));
  assert.match(svg, /<desc [^>]*>[^<]*2,147,483,647 in the 30 days before; axis cut above 3,900</);
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
  const layout = layoutComparison(comparison, options);
  assert.equal(layout?.axes[0]?.high, 600);
  assert.match(layout?.description ?? '', /axis cut above 580/);
  assert.match(drawComparison(comparison, options), /axis cut above 580/);
  const log = layoutComparison({ ...comparison, axis: 'log' }, options);
  assert.doesNotMatch(log?.description ?? 'axis cut', /axis cut/);
  assert.ok((log?.axes[0]?.high ?? 0) >= most);
});
