// Lines and histories of pictures: what /api/v2/series has for the same window and step, however it lies in
// the store.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lineShapeOf } from '../../../src/draw/chart.ts';
import { maxHistoryShares } from '../../../src/draw/history/history-to-draw.ts';
import type { LineShape } from '../../../src/draw/line/line-shape.ts';
import type { Aggregate, SeriesAnswer, SeriesQuery } from '../../../src/model/series-source.ts';
import { type Period, ranges, steps } from '../../../src/model/window.ts';
import { loadSeries } from '../../../src/series/load-series.ts';
import { roundMean } from '../../../src/series/number-text.ts';

import { loadHistory } from '../../../src/site/charts/load-history.ts';
import { loadLinesIn, loadSum } from '../../../src/site/charts/load-lines.ts';
import { storeSource } from '../../../src/site/charts/store-source.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { openSqliteReader } from '../../support/reads.ts';
import {
  chartRecord,
  dataRecord,
  historyRecord,
  pluginRecord,
  softwareRecord,
} from '../../support/records.ts';

const slot = 1_800_000;
const day = 48 * slot;
const newest = Date.UTC(2026, 5, 30, 18);

/** Points at equal intervals, the newest at `last`. */
const every = (interval: number, count: number, last = newest): [number, number][] =>
  Array.from({ length: count }, (_, index) => [last - (count - 1 - index) * interval, (index * 7919) % 1000]);

const lines: Readonly<Record<string, readonly [number, number][]>> = {
  'half-hourly': every(slot, 60_000),
  young: every(slot, 2000),
  daily: every(day, 900),
  ended: every(slot, 30_000, newest - 200 * day),
  none: [],
};
const names = Object.keys(lines);

const hour = 3_600_000;

/** Values of 40 shares, all of them larger than 0. */
const shareSeries = (times: readonly number[], group: boolean) =>
  Array.from({ length: 40 }, (_, rank) => ({
    ...(group ? { group: `g${rank % 3}` } : {}),
    name: `s${rank}`,
    values: times.map((_, index) => (((index * 7 + rank * 13) % 50) + 1) * (rank + 1)),
  }));

const histories: Readonly<Record<string, readonly number[]>> = {
  hourly: Array.from({ length: 2000 }, (_, index) => newest - (1999 - index) * hour),
  groups: Array.from({ length: 600 }, (_, index) => newest - (599 - index) * hour),
  single: [newest],
  'far-apart': [0, 5 * hour, newest - 3000 * 24 * hour, newest - 10 * hour, newest],
};

const reader = openSqliteReader(
  await makeStore([
    softwareRecord(),
    pluginRecord(1, 'One'),
    ...names.map((chartId, index) => chartRecord(chartId, index + 1)),
    ...names.map((chartId) => dataRecord(chartId, lines[chartId])),
    ...Object.entries(histories).flatMap(([chartId, times], index) => {
      const type = chartId === 'groups' ? 'drilldown_pie' : 'advanced_pie';
      return [
        chartRecord(chartId, names.length + index + 1, { type, title: 'Shares' }),
        historyRecord(chartId, times, shareSeries(times, chartId === 'groups')),
      ];
    }),
  ]),
);

after(() => reader[Symbol.asyncDispose]());

const chartsOf = (chartIds: readonly string[]) =>
  chartIds.map((chartId) => ({ pluginId: 1, chartId, name: chartId }));

async function shapes(
  chartIds: readonly string[],
  range: Period,
  width = 800,
): Promise<readonly LineShape[]> {
  const { lines } = await loadLinesIn(storeSource(reader), chartsOf(chartIds), { range, width });
  return lines.map((line) => lineShapeOf(line, width));
}

/** The series of a line in the interface. */
async function seriesOf(chartId: string, { window }: LineShape, aggregate: Aggregate) {
  const charts = [{ pluginId: 1, chartId }];
  const query = { charts, window, step: '1d', aggregate, top: 1, level: 1 } as const;
  const { times, series } = await loadSeries(reader, { ...query, isSum: false });
  return { times, values: series[0]?.values };
}

async function assertSameBand(shape: LineShape | undefined, chartId: string): Promise<void> {
  assert.ok(shape?.means !== undefined);
  const [means, lows, highs] = [
    await seriesOf(chartId, shape, 'mean'),
    await seriesOf(chartId, shape, 'min'),
    await seriesOf(chartId, shape, 'max'),
  ];
  assert.deepEqual([shape.pointCount, shape.highs], [means.times.length, highs.values]);
  assert.equal(shape.low, Math.min(...(lows.values ?? [])));
  assert.deepEqual(shape.means.highs.map(roundMean), means.values);
}

test('over a long range a line has the series of the interface', async () => {
  for (const range of ['90d', '1y'] as const) {
    const [shape] = await shapes(['half-hourly'], range);
    assert.deepEqual(shape?.window, { from: newest - ranges[range], to: newest + 1 }, range);
    await assertSameBand(shape, 'half-hourly');
    const last = lines['half-hourly']?.at(-1);
    assert.deepEqual([shape?.latestTimestamp, shape?.latestValue], last);
  }
});

test('over a short range, and if the line is shorter, all points are drawn', async () => {
  for (const [chartId, range] of [
    ['half-hourly', '30d'],
    ['young', '90d'],
    ['young', 'all'],
    ['none', 'all'],
  ] as const) {
    const [shape] = await shapes([chartId], range);
    assert.ok(shape !== undefined && shape.means === undefined, `${chartId} ${range}`);
    const from = newest - ranges[range];
    assert.equal(shape.pointCount, lines[chartId]?.filter(([timestamp]) => timestamp >= from).length);
  }
});

test('lines share one range, and one that ended before it has no points', async () => {
  const [first, ended, none] = (await shapes(['half-hourly', 'ended', 'none'], '1y')) as [
    LineShape,
    LineShape,
    LineShape,
  ];
  await assertSameBand(ended, 'ended');
  assert.deepEqual([none.pointCount, ended.window], [0, first.window]);
  const [, before] = await shapes(['half-hourly', 'ended'], '90d');
  assert.equal(before?.pointCount, 0);
});

test('a window has the points in it, or their band, and the newest of them', async () => {
  for (const [days, width] of [
    [7, 800],
    [400, 800],
    [1200, 300],
  ] as const)
    for (const until of [newest - 3 * slot, newest - 20 * day, newest + 5 * day]) {
      const window = { from: until - days * day, to: until };
      const [shape, ended] = await shapes(['half-hourly', 'ended'], window, width);
      const within = lines['half-hourly']?.filter(([time]) => time >= window.from && time < window.to) ?? [];
      assert.ok(shape !== undefined && ended !== undefined);
      assert.deepEqual(shape.window, window);
      assert.deepEqual([shape.latestTimestamp, shape.latestValue], within.at(-1));
      if (days === 7) assert.equal(shape.pointCount, within.length);
      assert.equal(shape.means !== undefined, days > 60);
      if (days === 7) assert.equal(ended.pointCount, 0);
    }
});

test('a sum is stacked by line, by a step that its picture has room for', async () => {
  const charts = chartsOf(['half-hourly', 'young', 'none']);
  const [coarse, stored] = await Promise.all(
    [800, 3000].map((width) => loadSum(storeSource(reader), charts, { range: '30d', width, title: 'T' })),
  );
  assert.deepEqual([coarse?.step.ms, stored?.step.ms, stored?.times.length], [6 * 3_600_000, slot, 1441]);
  const latest = [lines['half-hourly'], lines['young']].map((points) => points?.at(-1)?.[1]);
  for (const stack of [coarse, stored])
    assert.deepEqual(
      stack?.shares.map(({ name, last }) => [name, last]),
      [
        ['half-hourly', latest[0]],
        ['young', latest[1]],
        ['none', 0],
      ],
    );
});

test('each chart is looked up once, and its points are read once', async () => {
  const calls: string[] = [];
  const counted = new Proxy(reader, {
    get(target, name: keyof typeof reader) {
      if (name === 'getChart' || name === 'findSpans' || name === 'readColumns') calls.push(name);
      return target[name];
    },
  });
  const source = storeSource(counted);
  const charts = chartsOf(['half-hourly', 'young']);
  await loadLinesIn(source, charts, { range: '1y', width: 800 });
  assert.deepEqual(calls, [...lookUps, ...lookUps, 'readColumns', 'readColumns']);
  calls.length = 0;
  await loadSum(source, charts, { range: '1y', width: 800, title: 'T' });
  assert.deepEqual(calls, ['readColumns', 'readColumns']);
});

const lookUps = ['getChart', 'findSpans'];

type Bounds = Parameters<typeof loadHistory>[3];

async function load(
  chartId: string,
  range: Period,
  { width = 800, bounds }: { width?: number; bounds?: Bounds } = {},
) {
  const source = storeSource(reader);
  const chart = await source.getChart(1, chartId);
  return loadHistory(source, { ...chart, charts: [chart] }, { range, width }, bounds);
}

/** The same from the interface. */
function historySeriesOf(chartId: string, from: number, step: SeriesQuery['step']): Promise<SeriesAnswer> {
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
    const { window, times, shares, other } = history;
    const all = [...shares, ...(other === undefined ? [] : [{ ...other, name: 'Other' }])];
    const expected = await historySeriesOf(chartId, window.from, step);
    assert.deepEqual(times, expected.times, `${chartId} ${range}`);
    assert.deepEqual(
      all.map(({ name, values }) => [name, values]),
      expected.series.map(({ name, values }) => [name, values]),
    );
    const stored = await historySeriesOf(chartId, window.from, null);
    assert.deepEqual(
      all.map(({ last }) => last),
      stored.series.map(({ values }) => values.at(-1)),
    );
    assert.deepEqual([window.to, history.step?.ms, history.title], [newest + 1, steps[step], 'Shares']);
    assert.equal(other?.shareCount, chartId === 'groups' ? undefined : 28);
  }
});

test('a window is drawn whole, and says the newest time of the history in it', async () => {
  const day = 24 * hour;
  for (const [from, to, last, timeCount] of [
    [newest - hour, newest + 6 * day, newest, 2],
    [newest - 2003 * hour, newest - 1998 * hour, newest - 1998 * hour - 1, 1],
    [newest + hour, newest + day, newest, 0],
    [0, hour, hour - 1, 0],
  ] as const) {
    const history = await load('hourly', { from, to });
    assert.deepEqual([history?.window, history?.newest], [{ from, to }, last]);
    assert.equal(history?.times.length, timeCount);
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
    assert.ok(history.window.from > (histories['hourly']?.[0] ?? 0) && history.window.to === newest + 1);
    const expected = await historySeriesOf('hourly', history.window.from, null);
    assert.equal(history.other?.values.at(-1), expected.series.at(-1)?.values.at(-1));
  }
});
