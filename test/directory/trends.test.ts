// Trends: days of two weeks and their change, and the order by change over a real store.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadTrends, searchByChange } from '../../src/directory/change-order.ts';
import { Directories } from '../../src/directory/directories.ts';
import type { Directory, DirectorySearch } from '../../src/directory/directory.ts';
import { trendDays, trendOf } from '../../src/directory/trends.ts';
import type { MetricsReader, MetricsView } from '../../src/model/metrics-reader.ts';
import { pointsOf } from '../../src/model/points.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { openSqliteReader } from '../support/reads.ts';
import { fc } from '../support/seed.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

const dayMs = 24 * 60 * 60 * 1000;
const slotMs = dayMs / 48;
const today = Date.UTC(2026, 5, 30);

type Point = readonly [time: number, value: number];

/** A point every half-hour from so many days before today to a time. */
function halfHours(days: number, until: number, valueAt: (time: number) => number): Point[] {
  const points: Point[] = [];
  for (let time = today - days * dayMs; time <= until; time += slotMs) points.push([time, valueAt(time)]);
  return points;
}

test('the change is that of the means of whole days, seven and the seven before', () => {
  const isLastWeek = (time: number) => time >= today - 7 * dayMs;
  const points = halfHours(20, today + 3 * slotMs, (time) =>
    time >= today ? 9000 : isLastWeek(time) ? 120 : 100,
  );
  const { change, means, newest } = trendOf(pointsOf(points));
  assert.ok(Math.abs((change ?? 0) - 0.2) < 1e-9);
  assert.deepEqual([...means], [...Array(7).fill(100), ...Array(7).fill(120)], 'today is not over');
  assert.equal(newest, today + 3 * slotMs);
});

test('a day counts once its last half-hour is there', () => {
  const until = today + 47 * slotMs;
  assert.equal(trendOf(pointsOf(halfHours(20, until, (time) => (time >= today ? 8 : 1)))).means.at(-1), 8);
  assert.equal(
    trendOf(pointsOf(halfHours(20, until - 1, (time) => (time >= today ? 8 : 1)))).means.at(-1),
    1,
  );
});

test('days without points are gaps, and a week of fewer than four days has no change', () => {
  const days = (...kept: number[]) =>
    pointsOf([...kept.map((day): Point => [today - day * dayMs, 10 - day]), [today + slotMs, 1]]);
  assert.deepEqual([...trendOf(days(14, 1)).means], [-4, ...Array(12).fill(Number.NaN), 9]);
  assert.equal(trendOf(days(13, 12, 11, 10, 3, 2, 1)).change, undefined);
  assert.equal(trendOf(days(20, 13, 12, 11, 4, 3, 2, 1)).change, undefined);
  assert.equal(trendOf(days(9, 8, 7, 6, 5, 4, 3)).change, undefined);
});

test('a change is a finite number or missing, whatever the values', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, 1e308, -1e308),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 800 }), (values) => {
      const { change, means } = trendOf(pointsOf(values.map((one, index) => [today + index * slotMs, one])));
      assert.equal(means.length, trendDays);
      assert.ok(change === undefined || Number.isFinite(change));
    }),
  );
});

/** A plugin whose servers were `before` for a week and `now` for the next. */
function withWeeks(id: number, [before, now]: readonly [number, number], until = today): string[] {
  const shift = today - until;
  const data = halfHours(15, today, (time) => (time >= today - 7 * dayMs ? now : before));
  return [
    pluginLine({ id, name: `Plugin ${id}` }),
    chartLine({ pluginId: id, chartId: 'servers', uid: id }),
    JSON.stringify({
      record: 'data',
      pluginId: id,
      chartId: 'servers',
      data: data.map(([time, value]) => [time - shift, value]),
    }),
  ];
}

const weeks = archiveText([
  softwareLine(),
  pluginLine({ id: 1, name: 'None' }),
  ...withWeeks(2, [100, 110]),
  ...withWeeks(3, [10, 30]),
  ...withWeeks(4, [0, 500]),
  ...withWeeks(5, [1000, 900]),
  ...withWeeks(6, [5000, 9000], today - 8 * dayMs),
]);

/** Reads with a view and the directory of one state. */
function read<Result>(
  reader: MetricsReader,
  work: (directory: Directory, view: MetricsView) => Promise<Result>,
): Promise<Result> {
  const directories = new Directories();
  return reader.read(async (view) => work(await directories.load(view), view));
}

test('a list by change begins with what grew most; what has no change is last, by servers', async () => {
  const path = directory.at('weeks.db');
  await importText(path, weeks);
  await using reader = openSqliteReader(path);
  const list = (search: Partial<DirectorySearch>) =>
    read(reader, async (plugins, view) => {
      const { rows, total } = await searchByChange(plugins, { limit: 9, ...search }, view);
      return [total, ...rows.map(({ id }) => id)];
    });
  assert.deepEqual(await list({}), [6, 3, 2, 5, 6, 4, 1]);
  assert.deepEqual(await list({ descending: false }), [6, 5, 2, 3, 6, 4, 1]);
  assert.deepEqual(await list({ offset: 1, limit: 2 }), [6, 2, 5]);
  assert.deepEqual(await list({ offset: 4999 }), [6]);
  assert.deepEqual(await list({ offset: 5000 }), [6]);
  assert.deepEqual(await list({ text: 'Plugin 5' }), [1, 5]);
});

test('a line that ended a week before the newest of all has no change, but the time of its end', async () => {
  const path = directory.at('ended.db');
  await importText(path, weeks);
  await using reader = openSqliteReader(path);
  const trends = await read(reader, async (plugins, view) => {
    const { rows } = await plugins.search({ limit: 9 });
    return loadTrends(plugins, rows, view);
  });
  assert.deepEqual([...trends.keys()].sort(), [2, 3, 4, 5, 6]);
  const { isOld, change, newest } = trends.get(6) ?? assert.fail();
  assert.deepEqual({ isOld, change, newest }, { isOld: true, change: undefined, newest: today - 8 * dayMs });
  assert.equal(trends.get(4)?.change, undefined, 'from nothing');
});

test('lines of a point a minute have all of their days', async () => {
  const path = directory.at('dense.db');
  const data: Point[] = [];
  for (let time = today - 16 * dayMs; time < today; time += 60_000)
    data.push([time, time < today - 7 * dayMs ? 4 : 5]);
  const line = JSON.stringify({ record: 'data', pluginId: 2, chartId: 'servers', data });
  const [plugin = '', chart = ''] = withWeeks(2, [1, 1]);
  await importText(path, archiveText([softwareLine(), plugin, chart, line]));
  await using reader = openSqliteReader(path);
  const trends = await read(reader, (plugins, view) => plugins.trends.load(view, [2]));
  assert.equal(trends.get(2)?.change, 0.25);
  assert.ok(trends.get(2)?.means.every((mean) => mean > 0));
});
