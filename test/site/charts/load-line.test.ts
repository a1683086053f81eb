// The points of a line in a picture: exactly those within the range, at any density.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { MetricsView } from '../../../src/model/metrics-reader.ts';
import { type Range, rangeNames, ranges } from '../../../src/model/window.ts';
import { cutWords, loadLine, maxPointCount } from '../../../src/site/charts/load-line.ts';
import { importRecords, makeDirectory } from '../../http/support/test-server.ts';
import { type Entry, entriesOf } from '../../support/points.ts';
import { openSqliteReader, type Reads } from '../../support/reads.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const newest = 1_763_600_000_000;

const lines: Readonly<Record<string, readonly Entry[]>> = {
  'half-hourly': every(30 * minute, 60_000),
  daily: every(day, 900),
  'minute-by-minute': every(minute, 140_000),
  short: every(30 * minute, 40),
  one: every(30 * minute, 1),
  none: [],
  // Half-hourly for three days, then a point every second.
  denser: [...every(30 * minute, 144, newest - 20_000 * 1000), ...every(1000, 20_000)],
  // A year and a half with points only at both ends.
  'with a hole': [...every(30 * minute, 9000, newest - 400 * day), ...every(30 * minute, 10)],
};

let reader: Reads;

before(async () => {
  const store = join(makeDirectory(), 'lines.db');
  const about = { pluginId: 1, type: 'single_linechart', position: 0, title: 'Line', isDefault: false };
  const ids = Object.keys(lines).map((name) => name.replaceAll(' ', '-'));
  await importRecords(store, [
    { record: 'software', id: 1, name: 'Bukkit', url: 'bukkit', globalPluginId: null },
    { record: 'plugin', id: 1, name: 'One', owner: { id: 1, name: 'Owner' }, softwareId: 1, isGlobal: false },
    ...ids.map((chartId, index) => ({ record: 'chart', ...about, chartId, uid: index + 1, data: {} })),
    { record: 'chart', ...about, chartId: 'pie', type: 'simple_pie', uid: 99, data: {} },
    ...Object.values(lines).map((data, index) => ({
      record: 'data',
      pluginId: 1,
      chartId: ids[index],
      data,
    })),
  ]);
  reader = openSqliteReader(store);
});

after(() => reader[Symbol.asyncDispose]());

for (const [name, entries] of Object.entries(lines)) {
  test(`a line that is ${name} has exactly the points of each range`, async () => {
    for (const range of rangeNames) {
      const start = newest - ranges[range];
      const expected = entries.filter(([timestamp]) => timestamp >= start);
      const read = await readEntries(name.replaceAll(' ', '-'), range);
      assert.equal(read.length, expected.length, range);
      assert.deepEqual(read, expected, range);
    }
  });
}

test('a range starts its length before the newest point, but not before the first one', async () => {
  const month = await loadLine(reader, { pluginId: 1, chartId: 'half-hourly', range: '30d' });
  assert.deepEqual([month?.from, month?.to], [newest - 30 * day, newest]);
  const short = await loadLine(reader, { pluginId: 1, chartId: 'short', range: '30d' });
  assert.deepEqual([short?.from, short?.to], [newest - 39 * 30 * minute, newest]);
  const all = await loadLine(reader, { pluginId: 1, chartId: 'daily', range: 'all' });
  assert.deepEqual([all?.from, all?.to], [newest - 899 * day, newest]);
  const hole = await loadLine(reader, { pluginId: 1, chartId: 'with-a-hole', range: '1y' });
  assert.deepEqual([hole?.from, hole?.to], [newest - 365 * day, newest]);
});

test('the newest points are included, so that the usual interval can be determined', async () => {
  const line = await loadLine(reader, { pluginId: 1, chartId: 'denser', range: 'all' });
  const times = [...(line?.newest.timestamps ?? [])];
  assert.equal(times.at(-1), newest);
  assert.ok(times.length >= 100 && times.at(-100) === newest - 99_000);
});

test('a chart that is not a line has no points', async () => {
  assert.equal(await loadLine(reader, { pluginId: 1, chartId: 'pie', range: '30d' }), undefined);
});

test('an unknown chart is not found', async () => {
  for (const range of rangeNames)
    await assert.rejects(loadLine(reader, { pluginId: 1, chartId: 'other', range }), { code: 'not_found' });
});

async function readEntries(chartId: string, range: Range): Promise<readonly Entry[]> {
  const line = await loadLine(reader, { pluginId: 1, chartId, range });
  return line === undefined ? [] : Array.from(line.runs, entriesOf).flat();
}

function every(intervalMs: number, count: number, last = newest): Entry[] {
  return Array.from(
    { length: count },
    (_, index): Entry => [last - (count - 1 - index) * intervalMs, (index * 7919) % 1000],
  );
}

test('a line with too many points is cut to the newest ones, and says so', async () => {
  const asked: number[] = [];
  const total = 3 * maxPointCount;
  const view: Pick<MetricsView, 'readChartData'> = {
    readChartData: async (_, __, latestCount) => {
      asked.push(latestCount);
      const pointCount = Math.min(latestCount, total);
      const first = newest - (pointCount - 1) * 1000;
      const run = { timestamps: Float64Array.of(first, newest), values: Float64Array.of(1, 2) };
      return { storage: 'series', pointCount, runs: [run] };
    },
  };
  for (const range of ['1y', 'all'] as const) {
    const line = await loadLine(view as MetricsView, { pluginId: 1, chartId: 'dense', range });
    assert.equal(line?.isCut, true, range);
    assert.equal(line.from, newest - (maxPointCount - 1) * 1000);
    assert.equal(cutWords([undefined, line]), ' (newest 1,000,000 points)');
  }
  assert.ok(Math.max(...asked) <= maxPointCount);
});
