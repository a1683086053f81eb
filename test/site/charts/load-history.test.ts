// The history of a chart in a picture: what /api/v2/series has for the same window and step, however it lies in the store.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { maxHistoryShares } from '../../../src/draw/history/history-to-draw.ts';
import { type Period, steps } from '../../../src/model/window.ts';
import { loadSeries, type SeriesAnswer } from '../../../src/series/load-series.ts';
import type { SeriesQuery } from '../../../src/series/series-query.ts';
import { loadHistory } from '../../../src/site/charts/load-history.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { openSqliteReader } from '../../support/reads.ts';
import { chartRecord, historyRecord, pluginRecord, softwareRecord } from '../../support/records.ts';

const hour = 3_600_000;
const newest = Date.UTC(2026, 5, 30, 18);

/** Values of 40 shares, all of them larger than 0. */
const series = (times: readonly number[], group: boolean) =>
  Array.from({ length: 40 }, (_, rank) => ({
    ...(group ? { group: `g${rank % 3}` } : {}),
    name: `s${rank}`,
    values: times.map((_, index) => (((index * 7 + rank * 13) % 50) + 1) * (rank + 1)),
  }));

const charts: Readonly<Record<string, readonly number[]>> = {
  hourly: Array.from({ length: 2000 }, (_, index) => newest - (1999 - index) * hour),
  groups: Array.from({ length: 600 }, (_, index) => newest - (599 - index) * hour),
  single: [newest],
  'far-apart': [0, 5 * hour, newest - 3000 * 24 * hour, newest - 10 * hour, newest],
};

const reader = openSqliteReader(
  await makeStore([
    softwareRecord(),
    pluginRecord(1, 'One'),
    ...['none', ...Object.keys(charts)].map((chartId, index) => {
      const type = chartId === 'groups' ? 'drilldown_pie' : 'advanced_pie';
      return chartRecord(chartId, index + 1, { type, title: 'Shares' });
    }),
    ...Object.entries(charts).map(([chartId, times]) =>
      historyRecord(chartId, times, series(times, chartId === 'groups')),
    ),
  ]),
);

after(() => reader[Symbol.asyncDispose]());

type Bounds = Parameters<typeof loadHistory>[3];

async function load(
  chartId: string,
  range: Period,
  { width = 800, bounds }: { width?: number; bounds?: Bounds } = {},
) {
  const chart = { pluginId: 1, ...(await reader.getChart(1, chartId)) };
  return loadHistory(reader, chart, { range, width }, bounds);
}

/** The same from the interface. */
function seriesOf(chartId: string, from: number, step: SeriesQuery['step']): Promise<SeriesAnswer> {
  return loadSeries(reader, {
    charts: [{ pluginId: 1, chartId }],
    window: { from, to: newest + 1 },
    step,
    aggregate: 'mean',
    top: maxHistoryShares,
    level: 1,
    isSum: false,
  });
}

test('a history has the series of the interface, and the latest values as they are stored', async () => {
  for (const [chartId, range, width, step] of [
    ['hourly', '90d', 200, '1d'],
    ['hourly', '7d', 800, '30m'],
    ['hourly', '1d', 800, '30m'],
    ['groups', '7d', 800, '30m'],
    ['groups', 'all', 200, '6h'],
    ['single', '30d', 800, '30m'],
    ['far-apart', 'all', 800, '7d'],
  ] as const) {
    const history = await load(chartId, range, { width });
    assert.ok(history !== undefined);
    const { from, to, times, shares, other } = history;
    const all = [...shares, ...(other === undefined ? [] : [{ ...other, name: 'Other' }])];
    const expected = await seriesOf(chartId, from, step);
    assert.deepEqual(times, expected.times, `${chartId} ${range}`);
    assert.deepEqual(
      all.map(({ name, values }) => [name, values]),
      expected.series.map(({ name, values }) => [name, values]),
    );
    const stored = await seriesOf(chartId, from, null);
    assert.deepEqual(
      all.map(({ last }) => last),
      stored.series.map(({ values }) => values.at(-1)),
    );
    assert.deepEqual([to, history.step?.ms, history.title], [newest, steps[step], 'Shares']);
    assert.equal(other?.shareCount, chartId === 'groups' ? undefined : 28);
  }
});

test('a window is drawn as far as the chart has a history', async () => {
  const month = 30 * 24 * hour;
  for (const [from, to, ends, timeCount] of [
    [newest - hour, newest + month, [newest - hour, newest], 2],
    [0, newest - 1998 * hour, [newest - 1999 * hour, newest - 1998 * hour - 1], 1],
    [newest + hour, newest + month, [newest + hour, newest], 0],
    [0, hour, [newest - 1999 * hour, hour - 1], 0],
  ] as const) {
    const history = await load('hourly', { from, to });
    assert.deepEqual([[history?.from, history?.to], history?.times.length], [ends, timeCount]);
  }
});

test('of a history beyond the bounds the newest part is drawn, and it is said', async () => {
  for (const bounds of [
    { maxWeight: 20_000, maxShares: 50 },
    { maxWeight: 20_000_000, maxShares: 3 },
  ]) {
    const history = await load('hourly', 'all', { bounds });
    assert.ok(history !== undefined);
    assert.equal(history.title, 'Shares (newest part)');
    assert.ok(history.from > (charts['hourly']?.[0] ?? 0) && history.to === newest);
    const expected = await seriesOf('hourly', history.from, null);
    assert.equal(history.other?.values.at(-1), expected.series.at(-1)?.values.at(-1));
  }
});
