// Series whose sums are beyond the largest double.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { importRecords, makeDirectory, serveStore } from '../http/support/test-server.ts';
import { getText } from '../http/support/validated-client.ts';

const start = Date.UTC(2026, 0, 1);
const plugin = {
  record: 'plugin',
  id: 7,
  name: 'Plugin',
  owner: { id: 1, name: 'Owner' },
  softwareId: 1,
  isGlobal: false,
};
const chart = (chartId: string, uid: number, type: string) => ({
  record: 'chart',
  pluginId: 7,
  chartId,
  uid,
  type,
  position: uid,
  title: chartId,
  isDefault: false,
  data: {},
});
const points = [
  [start, 1e308],
  [start + 1, 1e308],
];
const store = join(makeDirectory(), 'huge.db');
await importRecords(
  store,
  [
    { record: 'software', id: 1, name: 'Software', url: 'software', globalPluginId: null },
    plugin,
    chart('a', 1, 'single_linechart'),
    chart('b', 2, 'single_linechart'),
    chart('os', 3, 'drilldown_pie'),
    { record: 'data', pluginId: 7, chartId: 'a', data: points },
    { record: 'data', pluginId: 7, chartId: 'b', data: points },
    {
      record: 'history',
      pluginId: 7,
      chartId: 'os',
      times: [start, start + 1],
      series: ['10', '11'].map((name) => ({ group: 'Windows', name, values: [-1e308, 1] })),
    },
  ],
  2,
);
const server = await serveStore(store);
after(() => server[Symbol.asyncDispose]());

for (const [query, values] of [
  [
    'charts=7:a,7:b',
    [
      [1e308, 1e308],
      [1e308, 1e308],
    ],
  ],
  ['charts=7:a,7:b&sum=true', [[null, null]]],
  ['charts=7:a&step=1d', [[null]]],
  ['charts=7:a&step=1d&aggregate=max', [[1e308]]],
  ['charts=7:os', [[null, 2]]],
] as const)
  test(`a sum that no double can hold is null in the series of ${query}`, async () => {
    const answer = JSON.parse(await getText(server.url, `/api/v2/series?${query}`));
    assert.deepEqual(
      answer.series.map((one: { readonly values: unknown }) => one.values),
      values,
    );
    const [, ...rows] = (await getText(server.url, `/api/v2/series.csv?${query}`)).trimEnd().split('\r\n');
    assert.deepEqual(
      rows.map((row) => row.split(',').slice(1)),
      answer.times.map((_: number, at: number) => values.map((column) => String(column[at] ?? ''))),
    );
  });
