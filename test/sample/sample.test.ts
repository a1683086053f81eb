// The committed sample archive: current, valid, and as rich as the examples and other tests expect.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sampleArchiveLines } from '../../sample/generate.ts';
import { listExampleUrls } from '../../sample/start.ts';

interface ArchiveRecord {
  readonly record: string;
  readonly version?: number;
  readonly records?: number;
  readonly id?: number;
  readonly pluginId?: number;
  readonly chartId?: string;
  readonly uid?: number;
  readonly type?: string;
  readonly position?: number;
  readonly name?: string;
  readonly url?: string;
  readonly globalPluginId?: number | null;
  readonly softwareId?: number;
  readonly isGlobal?: boolean;
  readonly data?: unknown;
  readonly at?: number;
  readonly times?: readonly number[];
  readonly series?: readonly ShareValues[];
  readonly time?: number;
  readonly title?: string;
}

/** The values of a share in a history record. */
interface ShareValues {
  readonly group?: string;
  readonly name: string;
  readonly values: readonly number[];
}

const dayMs = 24 * 60 * 60 * 1000;
const packed = readFileSync(new URL('../../sample/sample.ndjson.gz', import.meta.url));
const text = gunzipSync(packed).toString('utf8');
const lines = text.trimEnd().split('\n');
const records = lines.map((line): ArchiveRecord => JSON.parse(line));
const plugins = records.filter(({ record }) => record === 'plugin');
const charts = records.filter(({ record }) => record === 'chart');
const dataRecords = records.filter(({ record }) => record === 'data');
const typeOf = new Map(charts.map((chart) => [keyOf(chart), chart.type]));
const pointsOf = collectPoints();

describe('the sample archive', () => {
  it('matches the generator (otherwise run `npm run generate`)', () => {
    const generated = `${[...sampleArchiveLines()].join('\n')}\n`;
    // Not assert.equal: its diff of megabytes takes minutes to print.
    assert.ok(generated === text, 'sample/sample.ndjson.gz is stale');
  });

  it('stays small enough for a checkout', () => {
    assert.ok(packed.length <= 1_600_000, `${packed.length} bytes`);
  });

  it('begins with the header and ends with the number of records between', () => {
    assert.equal(lines[0], '{"record":"archive","version":2}');
    assert.equal(lines.at(-1), `{"record":"end","records":${lines.length - 2}}`);
  });

  it('refers only to records of earlier lines', () => {
    const seen = new Set<string>();
    for (const { record, id, pluginId, chartId, softwareId } of records) {
      if (record === 'plugin') assert.ok(seen.has(`software ${softwareId}`), `software ${softwareId}`);
      if (record === 'chart') assert.ok(seen.has(`plugin ${pluginId}`), `plugin ${pluginId}`);
      if (record === 'data' || record === 'history')
        assert.ok(seen.has(`chart ${pluginId}/${chartId}`), `chart ${pluginId}/${chartId}`);
      if (record === 'event') assert.ok(seen.has(`plugin ${pluginId}`), `plugin ${pluginId}`);
      seen.add(record === 'chart' ? `chart ${pluginId}/${chartId}` : `${record} ${id}`);
    }
    const pluginIds = new Set(plugins.map(({ id }) => id));
    for (const { record, globalPluginId } of records) {
      if (record === 'software' && globalPluginId !== null) assert.ok(pluginIds.has(globalPluginId));
    }
  });

  it('has unique ids', () => {
    const software = records.filter(({ record }) => record === 'software');
    const count = { software: software.length, plugin: plugins.length, chart: charts.length };
    assert.equal(new Set(software.map(({ id }) => id)).size, count.software);
    assert.equal(new Set(software.map(({ url }) => url)).size, count.software);
    assert.equal(new Set(plugins.map(({ id }) => id)).size, count.plugin);
    assert.equal(new Set(charts.map(({ uid }) => uid)).size, count.chart);
    assert.equal(new Set(charts.map(keyOf)).size, count.chart);
  });

  it('has at least 5 software, one of them without a global plugin', () => {
    const software = records.filter(({ record }) => record === 'software');
    assert.ok(software.length >= 5);
    assert.ok(software.some(({ globalPluginId }) => globalPluginId === null));
  });

  it('has at least 12 plugins besides the global ones, with names that are awkward to print', () => {
    const names = plugins.filter(({ isGlobal }) => isGlobal === false).map(({ name = '' }) => name);
    assert.ok(names.length >= 12);
    for (const awkward of [
      /"/,
      /</,
      /&/,
      /'/,
      /\p{Emoji_Presentation}/u,
      /\p{Script=Han}/u,
      /\p{Script=Cyrillic}/u,
    ]) {
      assert.ok(
        names.some((name) => awkward.test(name)),
        String(awkward),
      );
    }
    assert.ok(names.some((name) => /\p{Script=Arabic}/u.test(name)));
  });

  it('has every chart type, and unknown ones with an object and with an array', () => {
    assert.deepEqual([...new Set(typeOf.values())].sort(), [
      'advanced_bar',
      'advanced_map',
      'advanced_pie',
      'drilldown_pie',
      'heatmap_calendar',
      'simple_bar',
      'simple_map',
      'simple_pie',
      'single_linechart',
      'text_wall',
    ]);
    assert.ok(!Array.isArray(dataOf('4242/opening_hours')));
    assert.ok(Array.isArray(dataOf('4242/guestbook')));
  });

  it('has chart ids that a plain object would lose or reorder', () => {
    for (const chartId of ['7', '12', '__proto__', 'constructor'])
      assert.ok(typeOf.has(`4242/${chartId}`), chartId);
    const byPosition = charts
      .filter(({ pluginId }) => pluginId === 4242)
      .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
      .map(({ chartId }) => chartId);
    assert.ok(byPosition.indexOf('servers') < byPosition.indexOf('12'));
    assert.ok(byPosition.indexOf('12') < byPosition.indexOf('7'));
  });

  it('has settings with integer-like member names in another order', () => {
    const line = lines.find((candidate) => candidate.includes('"type":"heatmap_calendar"')) ?? '';
    assert.ok(line.includes('{"10":"ten","9":"nine","2":"two"}'));
  });

  it('has a line and a drilldown pie without data', () => {
    for (const [key, type] of Object.entries({
      '1/never_reported': 'single_linechart',
      '4242/never_reported': 'single_linechart',
      '4242/empty_shelf': 'drilldown_pie',
    })) {
      assert.equal(typeOf.get(key), type);
      assert.equal(dataOf(key), undefined);
    }
  });

  it('has one plugin without charts', () => {
    const bare = plugins.filter(({ id }) => !charts.some(({ pluginId }) => pluginId === id));
    assert.deepEqual(
      bare.map(({ id }) => id),
      [9002],
    );
  });

  it('has servers and players of every plugin with charts, mostly over two months', () => {
    let longLineCount = 0;
    const reporting = plugins.filter(({ id }) => charts.some(({ pluginId }) => pluginId === id));
    for (const { id } of reporting) {
      for (const chartId of ['servers', 'players']) {
        const points = pointsOf.get(`${id}/${chartId}`) ?? [];
        const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
        assert.ok(points.length > 0, `${id}/${chartId}`);
        assert.ok(points.every(([timestampMs]) => timestampMs % (dayMs / 48) === 0));
        if (last - first > 60 * dayMs) longLineCount += 1;
      }
    }
    assert.ok(longLineCount >= 2 * (reporting.length - 1));
  });

  it('has lines from dead to large', () => {
    assert.ok(valuesOf('3661/servers').every((value) => value === 0));
    assert.ok(valuesOf('1/servers').every((value) => value > 80_000));
  });

  it('has a line with decimals, one with negative values, one with irregular timestamps, one with a day missing', () => {
    assert.ok(valuesOf('4242/average_tps').some((value) => !Number.isInteger(value)));
    assert.ok(valuesOf('4242/net_visitors').some((value) => value < 0));
    const doors = pointsOf.get('4242/doors.opened~today') ?? [];
    assert.ok(doors.some(([timestampMs]) => timestampMs % 1000 !== 0));
    const steps = (pointsOf.get('2103/servers') ?? []).map(([timestampMs], index, points) => {
      return timestampMs - (points[index - 1]?.[0] ?? timestampMs);
    });
    assert.ok(Math.max(...steps) >= 24 * 60 * 60 * 1000);
  });

  it('has two years of histories of the example plugin, hourly in the last two months', () => {
    for (const [key, type] of typeOf) {
      if (!key.startsWith('1337/') || type === 'single_linechart') continue;
      const { times } = historyOf(key);
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      assert.ok(last - first > 728 * dayMs, key);
      assert.ok(times.filter((time) => last - time < 60 * dayMs).length > 60 * 23, key);
      assert.ok(
        times.every((time, index) => time > (times[index - 1] ?? 0)),
        key,
      );
    }
  });

  it('has as many servers in each share chart of the example plugin as its line had at that time', () => {
    const servers = new Map(pointsOf.get('1337/servers'));
    for (const chartId of ['minecraftVersion', 'pluginVersion', 'os', 'locationMap']) {
      const { times, sums } = historyOf(`1337/${chartId}`);
      assert.deepEqual(
        sums,
        times.map((time) => servers.get(time)),
        chartId,
      );
    }
  });

  it('has histories that rise and fall, and end before what is shown now', () => {
    const { names, times } = historyOf('1337/pluginVersion');
    const shown = dataRecords.find((record) => keyOf(record) === '1337/pluginVersion');
    assert.equal((shown?.at ?? 0) - (times.at(-1) ?? 0), 60 * 60 * 1000);
    assert.ok(names.has('2.2.0') && !JSON.stringify(shown?.data).includes('"2.2.0"'));
    assert.ok(historyOf('1337/javaVersion').names.has('Java 21/21.0.11'));
    assert.ok(historyOf('4242/__proto__').names.has('__proto__'));
  });

  it('has the releases of the versions of the example plugin, and an event without an address', () => {
    const events = records.filter(({ record, pluginId }) => record === 'event' && pluginId === 1337);
    const { names, times } = historyOf('1337/pluginVersion');
    const releases = events.filter(({ url }) => url !== null);
    assert.ok(releases.length >= 8);
    for (const { title = '', time = 0 } of releases) {
      assert.ok(names.has(title), title);
      assert.ok(time > (times[0] ?? 0) && time < (times.at(-1) ?? 0), title);
    }
    assert.equal(events.length, releases.length + 1);
  });

  it('has the charts that `npm start` links to', () => {
    for (const { url } of listExampleUrls('http://127.0.0.1:8080')) {
      const [, pluginId, chartId] = /plugins\/(\d+)(?:\/charts\/(\w+))?/.exec(url) ?? [];
      if (pluginId !== undefined)
        assert.ok(
          plugins.some(({ id }) => id === Number(pluginId)),
          url,
        );
      if (chartId !== undefined) assert.ok(dataOf(`${pluginId}/${chartId}`) !== undefined, url);
    }
  });
});

function keyOf({ pluginId, chartId }: ArchiveRecord): string {
  return `${pluginId}/${chartId}`;
}

function dataOf(key: string): unknown {
  return dataRecords.find((record) => keyOf(record) === key)?.data;
}

function valuesOf(key: string): number[] {
  const values = (pointsOf.get(key) ?? []).map(([, value]) => value);
  assert.ok(values.length > 0, key);
  return values;
}

/** The history of a chart: its times, the sum of the shares at each, and the names of all shares. */
function historyOf(key: string) {
  const found = records.filter((record) => record.record === 'history' && keyOf(record) === key);
  const times = found.flatMap((record) => record.times ?? []);
  const sums = found.flatMap(({ times: own = [], series = [] }) =>
    own.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
  );
  const names = found.flatMap(({ series = [] }) =>
    series.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)),
  );
  assert.ok(times.length > 0, key);
  return { times, sums, names: new Set(names) };
}

function collectPoints(): Map<string, (readonly [number, number])[]> {
  const collected = new Map<string, (readonly [number, number])[]>();
  for (const record of dataRecords) {
    const key = keyOf(record);
    if (typeOf.get(key) !== 'single_linechart') continue;
    assert.ok(Array.isArray(record.data) && record.data.length <= 5000, key);
    const points = collected.get(key) ?? [];
    for (const point of record.data) points.push(point);
    collected.set(key, points);
  }
  // An archive need not be sorted, and the past of a line comes last.
  for (const points of collected.values()) points.sort(([one], [other]) => one - other);
  return collected;
}
