// Lines of pictures: points of a short range, and bands of a long one that are those of all points.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { LineBand } from '../../../src/draw/line/line-band.ts';
import { LineColumns } from '../../../src/draw/line/line-columns.ts';
import type { LineShape } from '../../../src/draw/line/line-shape.ts';
import { bandStep } from '../../../src/draw/time-step.ts';
import { pointsOf } from '../../../src/model/points.ts';
import { type Period, ranges } from '../../../src/model/window.ts';
import { shapesOf, shapesOfSum } from '../../../src/site/charts/line-shapes.ts';
import { stackLines } from '../../../src/site/charts/line-stack.ts';
import { loadLines, type PictureOfLines } from '../../../src/site/charts/load-lines.ts';
import { takeSteps } from '../../../src/site/charts/steps.ts';
import { importRecords, makeDirectory } from '../../http/support/test-server.ts';
import { openSqliteReader, type Reads } from '../../support/reads.ts';

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

let reader: Reads;

before(async () => {
  const store = join(makeDirectory(), 'lines.db');
  const about = { pluginId: 1, type: 'single_linechart', position: 0, title: 'Line', isDefault: false };
  await importRecords(store, [
    { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'One', owner: { id: 1, name: 'Owner' }, softwareId: 1, isGlobal: false },
    ...names.map((chartId, index) => ({ record: 'chart', ...about, chartId, uid: index + 1, data: {} })),
    ...names.map((chartId) => ({ record: 'data', pluginId: 1, chartId, data: lines[chartId] })),
  ]);
  reader = openSqliteReader(store);
});

after(() => reader[Symbol.asyncDispose]());

async function load(
  chartIds: readonly string[],
  range: Period,
  { pictures = [{ width: 800 }], needsPoints = false }: Partial<Parameters<typeof loadLines>[2]> = {},
) {
  const charts = chartIds.map((chartId) => ({ pluginId: 1, chartId, uid: names.indexOf(chartId) + 1 }));
  return loadLines(reader, charts, { range, pictures, needsPoints });
}

async function shapes(
  chartIds: readonly string[],
  range: Period,
  pictures: readonly PictureOfLines[] = [{ width: 800 }],
): Promise<readonly (readonly LineShape[])[]> {
  return takeSteps(shapesOf(await load(chartIds, range, { pictures }), pictures));
}

/** The band of all points of a line from one time to another. */
function expectedBand(chartId: string, { from, to }: LineShape, width: number): LineBand {
  const band = new LineBand({ from, to, step: bandStep(to - from, width) });
  band.add(pointsOf(lines[chartId] ?? []));
  return band;
}

function assertSameBand(shape: LineShape | undefined, expected: LineBand): void {
  assert.ok(shape instanceof LineBand);
  assert.deepEqual(shape.drawn, expected.drawn);
  for (const key of ['pointCount', 'low', 'high', 'latestTimestamp', 'latestValue'] as const)
    assert.equal(shape[key], expected[key], key);
}

test('over a long range a line is the band of all of its points, in every width', async () => {
  for (const range of ['90d', '1y', 'all'] as const) {
    const pictures = [{ width: 800 }, { width: 400 }, { width: 200 }];
    const [[first, second, third] = []] = await shapes(['half-hourly'], range, pictures);
    assert.ok(first !== undefined);
    const length = Math.min(ranges[range], 59_999 * slot);
    assert.deepEqual([first.from, first.to], [newest - length, newest], range);
    for (const [shape, width] of [
      [first, 800],
      [second, 400],
      [third, 200],
    ] as const)
      assertSameBand(shape, expectedBand('half-hourly', first, width));
  }
});

test('over a short range, and if the line is shorter, all points are drawn', async () => {
  for (const [chartId, range] of [
    ['half-hourly', '30d'],
    ['young', '90d'],
    ['young', 'all'],
    ['none', 'all'],
  ] as const) {
    const [[shape] = []] = await shapes([chartId], range, [{ width: 800 }]);
    assert.ok(shape instanceof LineColumns, `${chartId} ${range}`);
    const from = newest - ranges[range];
    assert.equal(shape.pointCount, lines[chartId]?.filter(([timestamp]) => timestamp >= from).length);
  }
});

test('few points are drawn as they are, and as a band where several share a step', async () => {
  const [[wide, narrow] = []] = await shapes(['daily'], '1y', [{ width: 800 }, { width: 300 }]);
  assert.ok(wide instanceof LineColumns);
  assert.equal(wide.pointCount, 366);
  assertSameBand(narrow, expectedBand('daily', wide, 300));
});

test('lines share one range, and one that ended before it has no points', async () => {
  const [[first], [ended], [none]] = (await shapes(['half-hourly', 'ended', 'none'], '1y')) as [
    [LineShape],
    [LineShape],
    [LineShape],
  ];
  assertSameBand(ended, expectedBand('ended', first, 800));
  assert.deepEqual([none.pointCount, ended.from, ended.to], [0, first.from, first.to]);
  const [, [before] = []] = await shapes(['half-hourly', 'ended'], '90d');
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
      const [[shape] = [], [ended] = []] = await shapes(['half-hourly', 'ended'], window, [{ width }]);
      const within = lines['half-hourly']?.filter(([time]) => time >= window.from && time < window.to) ?? [];
      assert.ok(shape !== undefined && ended !== undefined);
      assert.deepEqual([shape.from, shape.to], [window.from, window.to - 1]);
      assert.deepEqual(
        [shape.pointCount, shape.latestTimestamp, shape.latestValue],
        [within.length, ...(within.at(-1) ?? [])],
      );
      assert.equal(shape instanceof LineBand, days > 60);
      if (days === 7) assert.equal(ended.pointCount, 0);
    }
});

test('a sum is stacked by line, whose values at each step add up to it', async () => {
  const loaded = await load(['half-hourly', 'young', 'none'], '30d', { needsPoints: true });
  const names = ['a', 'b', 'c'];
  const pictures = [{ width: 800 }, { width: 3000 }];
  const [coarse, stored] = await takeSteps(stackLines(loaded, { title: 'T', names, pictures }));
  assert.ok(coarse !== undefined && stored !== undefined);
  assert.deepEqual([coarse.step?.ms, stored.step, stored.times.length], [6 * 3_600_000, undefined, 1441]);
  const latest = [lines['half-hourly'], lines['young']].map((points) => points?.at(-1)?.[1]);
  assert.deepEqual(
    stored.shares.map(({ name, last }) => [name, last]),
    [
      ['a', latest[0]],
      ['b', latest[1]],
      ['c', 0],
    ],
  );
  const [sum] = await takeSteps(
    shapesOfSum(await load(['half-hourly', 'young', 'none'], '30d', { needsPoints: true }), [{ width: 800 }]),
  );
  const totals = stored.times.map((_, index) =>
    stored.shares.reduce((total, { values }) => total + (values[index] ?? 0), 0),
  );
  assert.deepEqual([Math.min(...totals), Math.max(...totals)], [sum?.low, sum?.high]);
});

test('the stack of a sum leaves out what a line that ended had before the window', async () => {
  const loaded = await load(['half-hourly', 'ended'], '7d', { needsPoints: true });
  const [stack] = await takeSteps(
    stackLines(loaded, { title: 'T', names: ['a', 'b'], pictures: [{ width: 800 }] }),
  );
  assert.equal(stack?.times[0], newest - 7 * day);
  const first = lines['half-hourly']?.find(([time]) => time >= newest - 7 * day)?.[1];
  assert.deepEqual(
    stack?.shares.map((share) => share.first),
    [first, 0],
  );
});

test('a sum over a long range is a band of its points', async () => {
  const loaded = await load(['half-hourly', 'ended'], 'all', { needsPoints: true });
  const [sum] = await takeSteps(shapesOfSum(loaded, [{ width: 800 }]));
  assert.ok(sum instanceof LineBand);
  assert.deepEqual([sum.pointCount, sum.latestTimestamp], [60_000, newest]);
  const short = await load(['half-hourly', 'ended'], '30d', { needsPoints: true });
  const [points] = await takeSteps(shapesOfSum(short, [{ width: 800 }]));
  assert.ok(points instanceof LineColumns);
});
