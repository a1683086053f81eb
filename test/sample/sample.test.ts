// The committed sample archive: current, valid, and as rich as the examples and other tests expect.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { sampleArchive } from '../../sample/generate.ts';
import { lastTimestampMs } from '../../sample/lines.ts';
import { listExampleUrls } from '../../src/cli/demo/run-demo.ts';
import { sampleUntil } from '../../src/cli/demo/these-days.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

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

const packed = readFileSync(new URL('../../sample/sample.ndjson.gz', import.meta.url));
const text = gunzipSync(packed).toString('utf8');
const lines = text.trimEnd().split('\n');
const records = lines.map((line): ArchiveRecord => JSON.parse(line));
const plugins = records.filter(({ record }) => record === 'plugin');
const charts = records.filter(({ record }) => record === 'chart');
const dataRecords = records.filter(({ record }) => record === 'data');
const typeOf = new Map(charts.map((chart) => [keyOf(chart), chart.type]));
describe('the sample archive', () => {
  it('matches the generator (otherwise run `npm run generate`)', () => {
    const generated = [...sampleArchive()].join('');
    // Not assert.equal: its diff of megabytes takes minutes to print.
    assert.ok(generated === text, 'sample/sample.ndjson.gz is stale');
  });

  it('stays small enough for a checkout', () => {
    assert.ok(packed.length <= 1_600_000, `${packed.length} bytes`);
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

  it('has the charts that `demo` links to', () => {
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

const directory = directoryOfFile();
const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;

describe('the sample of these days', () => {
  it('is the archive on its last day', () => {
    assert.ok(sampleUntil(lastTimestampMs, text).text === text);
  });

  for (const hours of [1.1, 80.9, 167.9])
    it(`ends now, ${hours} hours before the end of a week, and its shares are those of then`, async () => {
      const nowMs = lastTimestampMs + 22 * weekMs - hours * hourMs;
      const shifted = sampleUntil(nowMs, text);
      const path = directory.at(`${hours}.db`);
      await importText(path, shifted.text);
      const { oldestTimestamp } = await openSqliteStore(path).loadStats();
      assert.equal(shifted.oldestPointMs, oldestTimestamp);
      assert.equal(shifted.oldestPointMs, sampleUntil(lastTimestampMs, text).oldestPointMs + 22 * weekMs);
      const shown = shifted.text
        .trimEnd()
        .split('\n')
        .map((line): ArchiveRecord => JSON.parse(line));
      const points = new Map<string, number>();
      const newest = new Map<string, number>();
      let pie: ArchiveRecord | undefined;
      for (const record of shown) {
        const { at = 0, time = 0, times = [], data } = record;
        assert.ok(Math.max(at, time, ...times) <= nowMs);
        if (keyOf(record) === '1337/serverSoftware' && record.record === 'data') pie = record;
        if (typeOf.get(keyOf(record)) !== 'single_linechart' || !Array.isArray(data)) continue;
        for (const [at, value] of data) points.set(`${keyOf(record)} ${at}`, value);
        newest.set(keyOf(record), Math.max(newest.get(keyOf(record)) ?? 0, ...data.map(([at]) => at)));
      }
      // A line that ended long ago.
      for (const [key, at] of newest)
        if (key !== '4242/doors.opened~today') assert.ok(nowMs >= at && nowMs - at < 2 * hourMs, key);
      assert.ok(Array.isArray(pie?.data));
      const sum = pie.data.reduce((total: number, { y }: { readonly y: number }) => total + y, 0);
      assert.equal(sum, points.get(`1337/servers ${pie.at}`));
    });
});

function keyOf({ pluginId, chartId }: ArchiveRecord): string {
  return `${pluginId}/${chartId}`;
}

function dataOf(key: string): unknown {
  return dataRecords.find((record) => keyOf(record) === key)?.data;
}
