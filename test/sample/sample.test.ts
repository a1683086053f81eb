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
}

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
    assert.ok(packed.length <= 600_000, `${packed.length} bytes`);
  });

  it('begins with the header and ends with the number of records between', () => {
    assert.equal(lines[0], '{"record":"archive","version":1}');
    assert.equal(lines.at(-1), `{"record":"end","records":${lines.length - 2}}`);
  });

  it('refers only to records of earlier lines', () => {
    const seen = new Set<string>();
    for (const { record, id, pluginId, chartId, softwareId } of records) {
      if (record === 'plugin') assert.ok(seen.has(`software ${softwareId}`), `software ${softwareId}`);
      if (record === 'chart') assert.ok(seen.has(`plugin ${pluginId}`), `plugin ${pluginId}`);
      if (record === 'data')
        assert.ok(seen.has(`chart ${pluginId}/${chartId}`), `chart ${pluginId}/${chartId}`);
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
    const dayMs = 24 * 60 * 60 * 1000;
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
    assert.ok(valuesOf('1/servers').every((value) => value > 90_000));
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
  return collected;
}
