// Charts counted over the log of a slot, against sums by name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotRecords } from '../../src/collect/close-slot.ts';
import { chartName } from '../../src/collect/report-line.ts';
import type { ReportedShare, ReportedValue } from '../../src/collect/reported-value.ts';
import { SlotSums } from '../../src/collect/slot-sums.ts';
import { parseChartData } from '../../src/json/parse-chart-data.ts';
import { maxJsonBytes } from '../../src/model/chart-data.ts';
import { shareKey } from '../../src/model/columns.ts';
import { trustedJson } from '../../src/model/json-text.ts';
import { loggedReport } from '../support/logged-report.ts';
import { entriesOf } from '../support/points.ts';
import { fc } from '../support/seed.ts';

const noFilter = trustedJson('{}');

/** Counts values and returns the data as JSON, which must be data that a store takes. */
async function countAll(
  type: string,
  values: Iterable<ReportedValue>,
  settings = noFilter,
): Promise<unknown> {
  const chart = { pluginId: 7, chartId: 'chart', type, settings, hasData: true };
  const log = async function* () {
    let server = 0;
    for (const value of values) yield loggedReport(server++, { 7: { [chartName(chart)]: value } });
  };
  using sums = new SlotSums();
  await sums.read(log());
  const pages = async function* () {
    yield [chart];
  };
  const [made] = (await Array.fromAsync(slotRecords(pages(), sums, { start: 1000, isKept: false }))).flat();
  assert.ok(made?.kind === 'data');
  const data = made.dataFor(type);
  if (data.storage === 'points') return entriesOf(data.points);
  assert.ok(Buffer.byteLength(data.json) <= maxJsonBytes);
  assert.deepEqual(parseChartData(type, data.json), data);
  return JSON.parse(data.json);
}

const share = (name: string, value: number, ...more: readonly number[]): ReportedShare => [
  name,
  value,
  ...more,
];
const inner = (group: string, name: string, value: number): ReportedShare => [
  shareKey({ group, name }),
  value,
];

test('the sum of a line stays finite', async () => {
  assert.deepEqual(await countAll('single_linechart', [Number.MAX_VALUE, Number.MAX_VALUE]), [
    [1000, Number.MAX_VALUE],
  ]);
  assert.deepEqual(await countAll('single_linechart', [-1.7e308, -1.7e308]), [[1000, -Number.MAX_VALUE]]);
});

test('names that the filter leaves out are not counted, of a drilldown pie the outer ones', async () => {
  const settings = trustedJson(
    '{"filter":{"enabled":true,"useRegex":true,"blacklist":false,"filter":["([0-9]){1,2}"]}}',
  );
  assert.deepEqual(
    await countAll('simple_pie', [[share('8', 1)], [share('128', 1)], [share('x', 1)]], settings),
    [{ name: '8', y: 1 }],
  );
  const noLinux = trustedJson('{"filter":{"enabled":true,"blacklist":true,"filter":["Linux"]}}');
  const values = [[inner('Linux', '5', 1), inner('BSD', 'Linux', 1)]];
  assert.deepEqual(await countAll('drilldown_pie', values, noLinux), {
    drilldownData: [{ name: 'BSD', id: 'BSD', data: [['Linux', 1]] }],
    seriesData: [{ name: 'BSD', y: 1, drilldown: 'BSD' }],
  });
});

test('beyond 1,000 names everything is Other', async () => {
  const many = Array.from({ length: 1500 }, (_, index) => [share(`name ${index}`, 1)]);
  const pie = (await countAll('advanced_pie', [...many, [share('name 3', 4)], [share('name 1400', 1)]])) as {
    readonly name: string;
    readonly y: number;
  }[];
  assert.equal(pie.length, 1001);
  assert.deepEqual(pie.slice(0, 4), [
    { name: 'Other', y: 500 },
    { name: 'name 3', y: 5 },
    { name: 'name 1400', y: 2 },
    { name: 'name 0', y: 1 },
  ]);
  const ones = many
    .flat()
    .map(([name]) => name)
    .filter((name) => name !== 'name 3' && name !== 'name 1400');
  assert.deepEqual(pie.at(-1), { name: ones.sort()[997], y: 1 });
});

test('the largest names are shown one by one, whenever they came, and a reported Other is one with the rest', async () => {
  const small = Array.from({ length: 5000 }, (_, index) => [share(`small ${index}`, 1)]);
  const large = Array.from({ length: 1000 }, (_, index) => [
    share(index === 0 ? 'Other' : `large ${index}`, 9),
  ]);
  const pie = (await countAll('advanced_pie', [...small, ...large])) as {
    readonly name: string;
    readonly y: number;
  }[];
  assert.equal(pie.length, 1000);
  assert.deepEqual(pie[0], { name: 'Other', y: 5009 });
  assert.ok(pie.slice(1).every(({ name, y }) => name.startsWith('large') && y === 9));
});

test('names that do not fit into memory at once are summed as others are', async () => {
  const name = (index: number) => `${'🦊'.repeat(90)} ${index}`;
  const values = function* () {
    for (let round = 0; round < 3; round++)
      for (let first = 0; first < 60_000; first += 500)
        yield Array.from({ length: 500 }, (_, index) =>
          share(name(first + index), 1 + ((first + index) % 7)),
        );
  };
  const pie = (await countAll('advanced_pie', values())) as { readonly name: string; readonly y: number }[];
  assert.equal(pie.length, 1001);
  assert.equal(pie.filter(({ y }) => y === 21).length, 1000);
  const all =
    3 * Array.from({ length: 60_000 }, (_, index) => 1 + (index % 7)).reduce((sum, one) => sum + one);
  assert.equal(pie[0]?.y, all - 21_000);
});

test('beyond 1,000 pairs of a drilldown pie the outer and the inner name are Other', async () => {
  const many = Array.from({ length: 1002 }, (_, index) => [inner(`group ${index % 7}`, `name ${index}`, 1)]);
  const { seriesData, drilldownData } = (await countAll('drilldown_pie', many)) as {
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

test('the longest names of every kind give data that a chart may have, with nothing lost', async () => {
  const name = (index: number) => `${'🦊'.repeat(195)}${String(index).padStart(5, '0')}`;
  for (const typeName of ['advanced_pie', 'drilldown_pie', 'advanced_bar'] as const) {
    const values = Array.from({ length: 1100 }, (_, index): ReportedValue => {
      if (typeName === 'drilldown_pie') return [inner(name(index), name(index), 1)];
      const numbers = Array.from({ length: 25 }, () => 2 ** 31 - 1);
      return typeName === 'advanced_bar' ? [[name(index), ...numbers]] : [share(name(index), 1)];
    });
    const counted = await countAll(typeName, values);
    if (typeName === 'advanced_pie') assert.equal((counted as unknown[]).length, 1001);
    if (typeName === 'advanced_bar')
      assert.equal(
        (counted as { data: number[] }[]).reduce((sum, { data }) => sum + (data[24] ?? 0), 0),
        1100 * (2 ** 31 - 1),
      );
    if (typeName === 'drilldown_pie')
      assert.equal(
        (counted as { seriesData: { y: number }[] }).seriesData.reduce((sum, { y }) => sum + y, 0),
        1100,
      );
  }
});

test('any values give the sums by name, whatever their order', async () => {
  const name = fc
    .oneof(fc.constantFrom('a', 'b', 'Other', '__proto__'), fc.string({ unit: 'binary', minLength: 1 }))
    .map((text) => text.replaceAll(/\p{Cc}/gu, '-').toWellFormed());
  const value = fc.array(fc.tuple(name, fc.nat(1000)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(value), async (values) => {
      const sums = new Map<string, number>();
      for (const [key, number] of values.flat()) sums.set(key, (sums.get(key) ?? 0) + number);
      const asShares = values.map((pairs) => pairs.map(([key, number]) => share(key, number)));
      const counted = (await countAll('advanced_pie', asShares)) as { name: string; y: number }[];
      assert.deepEqual(new Map(counted.map((one) => [one.name, one.y])), sums);
      assert.deepEqual(await countAll('advanced_pie', asShares.toReversed()), counted);
    }),
  );
});
