// Charts counted over the reports of a slot, against sums by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChartCount } from '../../src/collect/chart-count.ts';
import { chartFilterOf } from '../../src/collect/chart-filter.ts';
import { parseChartData } from '../../src/json/parse-chart-data.ts';
import { maxJsonBytes } from '../../src/model/chart-data.ts';
import { trustedJson } from '../../src/model/json-text.ts';
import type { ReportedShare, ReportedValue } from '../../src/model/reported-value.ts';
import { entriesOf } from '../support/points.ts';
import { fc } from '../support/seed.ts';

const noFilter = trustedJson('{}');

/** Counts values and returns the data as JSON, which must be data that a store takes. */
function countAll(typeName: string, values: readonly ReportedValue[], settings = noFilter): unknown {
  const count = new ChartCount(typeName, chartFilterOf(settings));
  for (const value of values) count.add(value);
  const data = count.dataAt(1000);
  if (data.storage === 'series') return entriesOf(data.points);
  assert.deepEqual(parseChartData(typeName, data.json), data);
  return JSON.parse(data.json);
}

const share = (name: string, ...values: readonly number[]): ReportedShare => ({ group: null, name, values });
const inner = (group: string, name: string, value: number): ReportedShare => ({
  group,
  name,
  values: [value],
});

test('a line is the sum of its values, each within the bounds of its filter', () => {
  assert.deepEqual(countAll('single_linechart', [5, 2.5, -1]), [[1000, 6.5]]);
  assert.deepEqual(countAll('single_linechart', []), [[1000, 0]]);
  const settings = trustedJson('{"lineName":"x","filter":{"enabled":true,"minValue":0,"maxValue":200}}');
  assert.deepEqual(countAll('single_linechart', [700, 3, -50], settings), [[1000, 203]]);
});

test('the sum of a line stays finite', () => {
  assert.deepEqual(countAll('single_linechart', [Number.MAX_VALUE, Number.MAX_VALUE]), [
    [1000, Number.MAX_VALUE],
  ]);
  assert.deepEqual(countAll('single_linechart', [-1.7e308, -1.7e308]), [[1000, -Number.MAX_VALUE]]);
});

test('shares are summed by name, the largest first', () => {
  const values = [[share('a', 1)], [share('b', 1), share('c', 5)], [share('b', 2), share('d', 1)], []];
  assert.deepEqual(countAll('advanced_pie', values), [
    { name: 'c', y: 5 },
    { name: 'b', y: 3 },
    { name: 'a', y: 1 },
    { name: 'd', y: 1 },
  ]);
  assert.deepEqual(countAll('simple_map', [[share('DE', 1)], [share('FR', 1)], [share('FR', 1)]]), [
    { code: 'FR', value: 2 },
    { code: 'DE', value: 1 },
  ]);
});

test('bars are summed by name and place', () => {
  const values = [[share('a', 1, 2)], [share('a', 1), share('b', 9)], [share('a', 0, 0, 4)]];
  assert.deepEqual(countAll('advanced_bar', values), [
    { name: 'b', data: [9] },
    { name: 'a', data: [2, 2, 4] },
  ]);
  assert.deepEqual(countAll('simple_bar', [[share('a', 1)], [share('a', 3)]]), [{ name: 'a', data: [4] }]);
});

test('an outer share of a drilldown pie is the sum of its inner ones', () => {
  const values = [[inner('Linux', '5.4', 1), inner('BSD', '14', 1)], [inner('Linux', '6.1', 2)]];
  assert.deepEqual(countAll('drilldown_pie', values), {
    drilldownData: [
      {
        name: 'Linux',
        id: 'Linux',
        data: [
          ['6.1', 2],
          ['5.4', 1],
        ],
      },
      { name: 'BSD', id: 'BSD', data: [['14', 1]] },
    ],
    seriesData: [
      { name: 'Linux', y: 3, drilldown: 'Linux' },
      { name: 'BSD', y: 1, drilldown: 'BSD' },
    ],
  });
  assert.deepEqual(countAll('drilldown_pie', []), { drilldownData: [], seriesData: [] });
});

test('names that the filter leaves out are not counted, of a drilldown pie the outer ones', () => {
  const settings = trustedJson(
    '{"filter":{"enabled":true,"useRegex":true,"blacklist":false,"filter":["([0-9]){1,2}"]}}',
  );
  assert.deepEqual(countAll('simple_pie', [[share('8', 1)], [share('128', 1)], [share('x', 1)]], settings), [
    { name: '8', y: 1 },
  ]);
  const noLinux = trustedJson('{"filter":{"enabled":true,"blacklist":true,"filter":["Linux"]}}');
  const values = [[inner('Linux', '5', 1), inner('BSD', 'Linux', 1)]];
  assert.deepEqual(countAll('drilldown_pie', values, noLinux), {
    drilldownData: [{ name: 'BSD', id: 'BSD', data: [['Linux', 1]] }],
    seriesData: [{ name: 'BSD', y: 1, drilldown: 'BSD' }],
  });
});

test('names like those of prototypes are names', () => {
  assert.deepEqual(countAll('advanced_pie', [[share('__proto__', 1), share('constructor', 2)]]), [
    { name: 'constructor', y: 2 },
    { name: '__proto__', y: 1 },
  ]);
});

test('beyond 1,000 names everything is Other', () => {
  const many = Array.from({ length: 1500 }, (_, index) => [share(`name ${index}`, 1)]);
  const pie = countAll('advanced_pie', [...many, [share('name 3', 4)], [share('name 1400', 1)]]) as {
    readonly name: string;
    readonly y: number;
  }[];
  assert.equal(pie.length, 1001);
  assert.deepEqual(pie.slice(0, 3), [
    { name: 'Other', y: 501 },
    { name: 'name 3', y: 5 },
    { name: 'name 0', y: 1 },
  ]);
});

test('beyond 1,000 pairs of a drilldown pie the outer and the inner name are Other', () => {
  const many = Array.from({ length: 1002 }, (_, index) => [inner(`group ${index % 7}`, `name ${index}`, 1)]);
  const { seriesData, drilldownData } = countAll('drilldown_pie', many) as {
    readonly seriesData: readonly { readonly y: number }[];
    readonly drilldownData: readonly unknown[];
  };
  assert.equal(seriesData.length, 8);
  assert.equal(
    seriesData.reduce((sum, { y }) => sum + y, 0),
    1002,
  );
  assert.deepEqual(drilldownData.at(-1), { name: 'Other', id: 'Other', data: [['Other', 2]] });
});

test('the longest names of every kind give data that a chart may have, with nothing lost', () => {
  const name = (index: number) => `${'🦊'.repeat(195)}${String(index).padStart(5, '0')}`;
  for (const typeName of ['advanced_pie', 'drilldown_pie', 'advanced_bar'] as const) {
    const count = new ChartCount(typeName, chartFilterOf(noFilter));
    for (let index = 0; index < 1100; index++) {
      const values = typeName === 'advanced_bar' ? Array.from({ length: 25 }, () => 2 ** 31 - 1) : [1];
      const group = typeName === 'drilldown_pie' ? name(index) : null;
      count.add([{ group, name: name(index), values }]);
    }
    const data = count.dataAt(0);
    assert.ok(data.storage === 'snapshot');
    assert.ok(Buffer.byteLength(data.json) <= maxJsonBytes);
    const parsed = JSON.parse(data.json);
    if (typeName === 'advanced_pie') assert.equal(parsed.length, 1001);
    if (typeName === 'advanced_bar')
      assert.equal(
        parsed.reduce((sum: number, bar: { data: number[] }) => sum + (bar.data[24] ?? 0), 0),
        1100 * (2 ** 31 - 1),
      );
    if (typeName === 'drilldown_pie')
      assert.equal(
        parsed.seriesData.reduce((sum: number, { y }: { y: number }) => sum + y, 0),
        1100,
      );
  }
});

test('any values give the sums by name, whatever their order', () => {
  const name = fc
    .oneof(fc.constantFrom('a', 'b', 'Other', '__proto__'), fc.string({ unit: 'binary', minLength: 1 }))
    .map((text) => text.replaceAll(/\p{Cc}/gu, '-').toWellFormed());
  const value = fc.array(fc.tuple(name, fc.nat(1000)), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const sums = new Map<string, number>();
      for (const [key, number] of values.flat()) sums.set(key, (sums.get(key) ?? 0) + number);
      const asShares = values.map((pairs) => pairs.map(([key, number]) => share(key, number)));
      const counted = countAll('advanced_pie', asShares) as { name: string; y: number }[];
      assert.deepEqual(new Map(counted.map((one) => [one.name, one.y])), sums);
      assert.deepEqual(countAll('advanced_pie', asShares.toReversed()), counted);
    }),
  );
});
