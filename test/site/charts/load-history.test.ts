// The history of a chart in a picture: what /api/v2/series has for the same window and step, however it lies in the store.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { maxHistoryShares } from '../../../src/draw/history/history-to-draw.ts';
import type { Range } from '../../../src/model/window.ts';
import { loadSeries, type SeriesAnswer } from '../../../src/series/load-series.ts';
import { roundMean } from '../../../src/series/number-text.ts';
import type { SeriesQuery } from '../../../src/series/series-query.ts';
import { loadHistory } from '../../../src/site/charts/load-history.ts';
import { pictureBounds } from '../../../src/site/charts/read-history.ts';
import { importRecords, makeDirectory } from '../../http/support/test-server.ts';
import { openSqliteReader, type Reads } from '../../support/reads.ts';

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

/** The names of steps by their length. */
const names = new Map<number | undefined, SeriesQuery['step']>([
  [6 * hour, '6h'],
  [24 * hour, '1d'],
]);

let reader: Reads;

before(async () => {
  const store = join(makeDirectory(), 'histories.db');
  const about = { record: 'chart', pluginId: 1, position: 0, title: 'Shares', isDefault: false, data: {} };
  const typeOf = (chartId: string) => (chartId === 'groups' ? 'drilldown_pie' : 'advanced_pie');
  await importRecords(
    store,
    [
      { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
      {
        record: 'plugin',
        id: 1,
        name: 'One',
        owner: { id: 1, name: 'Owner' },
        softwareId: 1,
        isGlobal: false,
      },
      ...['none', ...Object.keys(charts)].map((chartId, index) => ({
        ...about,
        chartId,
        type: typeOf(chartId),
        uid: index + 1,
      })),
      ...Object.entries(charts).map(([chartId, times]) => {
        return {
          record: 'history',
          pluginId: 1,
          chartId,
          times,
          series: series(times, chartId === 'groups'),
        };
      }),
    ],
    2,
  );
  reader = openSqliteReader(store);
});

after(() => reader[Symbol.asyncDispose]());

async function load(chartId: string, range: Range, bounds = pictureBounds, width = 800) {
  const { uid } = await reader.getChart(1, chartId);
  return loadHistory(reader, { uid, range, width }, bounds);
}

/** The same from the interface. */
function seriesOf(chartId: string, from: number, step: SeriesQuery['step']): Promise<SeriesAnswer> {
  const window = { from, to: newest + 1 };
  const query = {
    charts: [{ pluginId: 1, chartId }],
    window,
    step,
    aggregate: 'mean',
    top: maxHistoryShares,
  } as const;
  return loadSeries(reader, { ...query, level: 1, isSum: false });
}

for (const bounds of [pictureBounds, { ...pictureBounds, maxKeptWeight: 0 }])
  test(`a history has the series of the interface, ${bounds.maxKeptWeight === 0 ? 'decoded twice' : 'kept'}`, async () => {
    for (const [chartId, range, width] of [
      ['hourly', '90d', 200],
      ['hourly', '7d', 800],
      ['hourly', '1d', 800],
      ['groups', '7d', 800],
      ['groups', 'all', 200],
      ['single', '30d', 800],
      ['far-apart', 'all', 800],
    ] as const) {
      const history = await load(chartId, range, bounds, width);
      assert.ok(history !== undefined);
      const { from, times, step } = history;
      const expected = await seriesOf(chartId, from, names.get(step?.ms) ?? null);
      assert.deepEqual(times, expected.times, `${chartId} ${range}`);
      assert.deepEqual(
        history.series.map(({ share: { name }, values }) => [
          name,
          step === undefined ? values : values.map(roundMean),
        ]),
        expected.series.map(({ name, values }) => [name, values]),
      );
      const stored = await seriesOf(chartId, from, null);
      const ends = (end: number) => stored.series.map(({ values }) => values.at(end));
      assert.deepEqual([history.firsts, history.lasts], [ends(0), ends(-1)]);
      assert.deepEqual([history.to, history.isCut], [newest, false]);
      assert.equal(history.otherCount, chartId === 'groups' ? 0 : 28);
    }
  });

test('a range counts back from the newest time, and times at its beginning are in it', async () => {
  assert.equal((await load('hourly', '7d'))?.from, newest - 7 * 24 * hour);
  assert.equal((await load('hourly', 'all'))?.from, charts['hourly']?.[0]);
  assert.equal((await load('far-apart', '1d'))?.times.length, 2);
});

test('a chart without history has none', async () => {
  assert.equal(await load('none', 'all'), undefined);
});

test('of a history beyond the bounds the newest part is drawn, and it is said', async () => {
  for (const bounds of [
    { ...pictureBounds, maxWeight: 1000 },
    { ...pictureBounds, maxShares: 3 },
  ]) {
    const history = await load('hourly', 'all', bounds);
    assert.ok(history !== undefined);
    assert.equal(history.isCut, true);
    assert.ok(history.from > (charts['hourly']?.[0] ?? 0) && history.to === newest);
    const expected = await seriesOf('hourly', history.from, null);
    assert.equal(history.series.at(-1)?.values.at(-1), expected.series.at(-1)?.values.at(-1));
  }
});
