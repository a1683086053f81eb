// Lines of pictures: points of a short range, and bands of a long one that are those of all points.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { LineShape } from '../../../src/draw/line/line-shape.ts';
import { type Period, ranges } from '../../../src/model/window.ts';
import { loadSeries } from '../../../src/series/load-series.ts';
import { roundMean } from '../../../src/series/number-text.ts';
import type { Aggregate } from '../../../src/series/steps.ts';
import { loadLines, loadSum } from '../../../src/site/charts/load-lines.ts';
import { makeStore } from '../../http/support/test-server.ts';
import { openSqliteReader } from '../../support/reads.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../../support/records.ts';

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

const reader = openSqliteReader(
  await makeStore([
    softwareRecord(),
    pluginRecord(1, 'One'),
    ...names.map((chartId, index) => chartRecord(chartId, index + 1)),
    ...names.map((chartId) => dataRecord(chartId, lines[chartId])),
  ]),
);

after(() => reader[Symbol.asyncDispose]());

const chartsOf = (chartIds: readonly string[]) =>
  chartIds.map((chartId) => ({ uid: names.indexOf(chartId) + 1, name: chartId }));

async function shapes(
  chartIds: readonly string[],
  range: Period,
  width = 800,
): Promise<readonly LineShape[]> {
  return (await loadLines(reader, chartsOf(chartIds), { range, width })).shapes;
}

/** The series of a line in the interface. */
async function seriesOf(chartId: string, { from, to }: LineShape, aggregate: Aggregate) {
  const charts = [{ pluginId: 1, chartId }];
  const query = { charts, window: { from, to: to + 1 }, step: '1d', aggregate, top: 1, level: 1 } as const;
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
    assert.deepEqual([shape?.from, shape?.to], [newest - ranges[range], newest], range);
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
  assert.deepEqual([none.pointCount, ended.from, ended.to], [0, first.from, first.to]);
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
      assert.deepEqual([shape.from, shape.to], [window.from, window.to - 1]);
      assert.deepEqual([shape.latestTimestamp, shape.latestValue], within.at(-1));
      if (days === 7) assert.equal(shape.pointCount, within.length);
      assert.equal(shape.means !== undefined, days > 60);
      if (days === 7) assert.equal(ended.pointCount, 0);
    }
});

test('a sum is stacked by line, by a step that its picture has room for', async () => {
  const charts = chartsOf(['half-hourly', 'young', 'none']);
  const [coarse, stored] = await Promise.all(
    [800, 3000].map((width) => loadSum(reader, charts, { range: '30d', width, title: 'T' })),
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
