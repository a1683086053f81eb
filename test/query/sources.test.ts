// One loader over two sources: a view of the store, and the second interface over HTTP, give the same plain
// data.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { formOf } from '../../src/model/chart-types.ts';
import type { MetricsView } from '../../src/model/metrics-reader.ts';
import type { SeriesSource, SourceChart } from '../../src/model/series-source.ts';
import { spanOver, windowOver } from '../../src/model/window.ts';
import { loadLines } from '../../src/query/load-lines.ts';
import { loadSharesOverTime } from '../../src/query/load-shares.ts';
import { NoSuchChart, RefusedRequest, serverSource } from '../../src/site/browser/element/server-source.ts';
import { loadFacts } from '../../src/site/charts/load-facts.ts';
import { parseSettings, storeSource } from '../../src/site/charts/store-source.ts';
import { chart, data, history, plugin, software } from '../api/support/records.ts';
import { importRecords, makeDirectory, serveStore } from '../http/support/test-server.ts';
import { openSqliteReader } from '../support/reads.ts';
import { fc } from '../support/seed.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2025, 0, 1);
const hours = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => start + (first + index) * hourMs);
const times = hours(9000);
const sharesOf = (group: (rank: number) => object) =>
  Array.from({ length: 30 }, (_, rank) => ({
    ...group(rank),
    name: `share ${rank}`,
    values: times.map((_, index) => (index + rank * 7) % (rank + 2)),
  }));

const store = join(makeDirectory(), 'sources.db');
await importRecords(
  store,
  [
    software,
    plugin(),
    chart('servers', 1, 'single_linechart', { data: { lineName: 'Servers' } }),
    chart('players', 2, 'single_linechart'),
    chart('empty', 3, 'single_linechart'),
    chart('version', 4, 'simple_pie'),
    chart('os', 5, 'drilldown_pie'),
    chart('now', 6, 'simple_pie'),
    chart('beta', 7, 'advanced_pie'),
    data(
      'servers',
      hours(9000).map((time, index) => [time, index % 100]),
    ),
    data(
      'players',
      hours(3000, 2500).map((time, index) => [time + 60_000 * (index % 3), index / 8]),
    ),
    history(
      'version',
      times,
      sharesOf(() => ({})),
    ),
    history(
      'os',
      times,
      sharesOf((rank) => ({ group: `outer ${rank % 4}` })),
    ),
    history(
      'beta',
      hours(500, 8000),
      ['share 1', '1.21.4', '1.21.10'].map((name, rank) => ({
        name,
        values: hours(500, 8000).map((_, index) => 10 * rank + (index % 5)),
      })),
    ),
    data('now', [{ name: 'a', y: 1 }]),
  ],
  2,
);
const server = await serveStore(store);
const reader = await openSqliteReader(store);
const { url } = server;
after(async () => {
  await server[Symbol.asyncDispose]();
  await reader[Symbol.asyncDispose]();
});

async function getJson<Answer>(address: string): Promise<Answer> {
  const response = await fetch(address);
  if (response.status === 404) throw new NoSuchChart();
  assert.equal(response.status, 200, address);
  return JSON.parse(await response.text());
}

/**
 * Asks both sources, and compares what they give. The server knows more of some series than it sends: how
 * many the others are.
 */
async function ofBoth<Loaded>(load: (source: SeriesSource) => Promise<Loaded>): Promise<Loaded> {
  const [ofServer, ofStore] = await Promise.all([
    load(serverSource(url, getJson)),
    reader.read((view) => load(storeSource(view))),
  ]);
  const sent = (loaded: Loaded): unknown => JSON.parse(JSON.stringify(loaded, plain));
  assert.deepEqual(sent(ofServer), sent(ofStore));
  return ofServer;
}

/** Typed arrays as arrays of text, and without the members that only one of the sources has. */
function plain(key: string, value: unknown): unknown {
  if (['chart', 'otherCount'].includes(key)) return undefined;
  if (value instanceof Float64Array) return Array.from(value, String);
  if (typeof value !== 'object' || value === null || !('values' in value)) return value;
  return { ...value, pluginId: undefined, chartId: undefined };
}

const nameOf = (chartId: string) => ({ pluginId: 7, chartId });
const chartIds = ['servers', 'players', 'empty', 'version', 'beta', 'os', 'now'];
const known = new Map<string, SourceChart>();
for (const chartId of chartIds) known.set(chartId, await serverSource(url, getJson).chart(nameOf(chartId)));

/** Reads from the store what a page needs of a chart. */
async function readChart(view: MetricsView, chartId: string): Promise<object> {
  const chart = await storeSource(view).getChart(7, chartId);
  const { type, title, isDefault, pluginName, span, latest } = chart;
  const ends = span && { first: span.first, last: span.last };
  const about = {
    ...nameOf(chartId),
    type,
    title,
    isDefault,
    pluginName,
    settings: parseSettings(chart),
    span: ends,
  };
  const data = formOf(type) === 'line' ? undefined : await view.readChartData(7, chartId, 0);
  if (data?.storage !== 'latest') return { ...about, latest };
  return { ...about, ...(await loadFacts(view, chart)), latest: JSON.parse(data.json) };
}

test('a chart from the server is as the store has it', async () => {
  for (const [chartId, sent] of known) {
    const stored = await reader.read((view) => readChart(view, chartId));
    const shared = Object.keys(stored).map((key) => [key, sent[key as keyof SourceChart]]);
    assert.deepEqual(Object.fromEntries(shared), stored, chartId);
  }
});
const chartsOf = (ids: readonly string[]) => ids.flatMap((id) => known.get(id) ?? []);

const anyWindow = fc
  .record({
    from: fc.integer({ min: -2 * dayMs, max: 380 * dayMs }),
    length: fc.oneof(fc.integer({ min: 1, max: 90 * dayMs }), fc.integer({ min: 1, max: 400 * dayMs })),
  })
  .map(({ from, length }) => ({ from: start + from, to: start + from + length }));
const anyWidth = fc.integer({ min: 200, max: 1600 });

test('lines over any window', async () => {
  const ids = fc.subarray(['servers', 'players', 'empty'], { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(ids, anyWindow, anyWidth, async (some, window, width) => {
      const lines = await ofBoth((source) => loadLines(source, chartsOf(some), { window, width }));
      for (const [index, { points, newest, band }] of lines.entries()) {
        const { span } = chartsOf(some)[index] ?? {};
        const hasPoints = points.times.length > 0;
        assert.equal(hasPoints, Number.isFinite(newest.time));
        if (span !== undefined && hasPoints) assert.ok(newest.time < window.to && newest.time <= span.last);
        if (band !== undefined) assert.equal(band.lows.length, points.times.length);
      }
    }),
    { numRuns: 40 },
  );
});

test('lines to add', async () => {
  await fc.assert(
    fc.asyncProperty(anyWindow, fc.constantFrom('1h', '6h', '1d', '7d'), async (window, step) => {
      const charts = chartsOf(['servers', 'players']);
      const asked = { window, width: 800, step } as const;
      const lines = await ofBoth((source) => loadLines(source, charts, asked));
      const stored = await ofBoth((source) =>
        source.series({ charts, window, step: null, aggregate: 'mean', top: 1, level: 1, isSum: false }),
      );
      for (const [index, { points, newest, band }] of lines.entries()) {
        const values = stored.series[index]?.values ?? [];
        const last = values.findLastIndex((value) => !Number.isNaN(value));
        assert.deepEqual([newest.time, newest.value], [stored.times[last] ?? NaN, values[last] ?? NaN]);
        assert.deepEqual([points.times.length > 0, band], [last !== -1, undefined]);
      }
    }),
    { numRuns: 20 },
  );
});

test('shares over time, the outer and the inner ones', async () => {
  const ids = fc.constantFrom('version', 'os');
  const asked = fc.record({
    period: fc.oneof(anyWindow, fc.constantFrom('7d' as const, '1y' as const, 'all' as const)),
    width: anyWidth,
    level: fc.constantFrom(1 as const, 2 as const),
    top: fc.constantFrom(3, 12, 100),
  });
  await fc.assert(
    fc.asyncProperty(ids, asked, async (id, request) => {
      const [found] = chartsOf([id]);
      const span = found?.span ?? assert.fail();
      const { means } = await ofBoth((source) =>
        loadSharesOverTime(source, { charts: [nameOf(id)], span }, request),
      );
      assert.ok(means.series.length <= request.top + 1);
    }),
    { numRuns: 30 },
  );
});

test('a sum of lines and of shares, by minor line and in the order of versions', async () => {
  const asked = fc.record({
    charts: fc.subarray(['servers', 'players', 'version', 'beta', 'os'], { minLength: 1 }),
    window: anyWindow,
    step: fc.constantFrom('1d' as const, '7d' as const),
    aggregate: fc.constantFrom('mean' as const, 'last' as const),
    top: fc.constantFrom(2, 100),
    level: fc.constantFrom(1 as const, 2 as const),
    group: fc.constantFrom('minor' as const, undefined),
    order: fc.constantFrom('version' as const, undefined),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ charts, ...query }) => {
      const { series } = await ofBoth((source) =>
        source.series({ ...query, charts: charts.map(nameOf), isSum: true }),
      );
      assert.ok(series.filter(({ name }) => name === 'Sum').length <= 1);
    }),
    { numRuns: 30 },
  );
});

test('a band of a server that does not know it is made of three answers', async () => {
  const asked: string[] = [];
  const older = <Answer>(address: string): Promise<Answer> => {
    asked.push(address);
    return address.includes('band') ? Promise.reject(new RefusedRequest('band')) : getJson(address);
  };
  const query = {
    charts: [nameOf('servers'), nameOf('players')],
    window: { from: start, to: start + 30 * dayMs },
    ...({ step: '1d', aggregate: 'mean', top: 1, level: 1, isSum: false, hasBand: true } as const),
  };
  assert.deepEqual(
    await serverSource(url, older).series(query),
    await serverSource(url, getJson).series(query),
  );
  assert.equal(asked.length, 4);
  const lost = new Error('lost');
  await assert.rejects(serverSource(url, () => Promise.reject(lost)).series(query), lost);
});

test('a chart that is not there is refused by both', async () => {
  await assert.rejects(serverSource(url, getJson).chart(nameOf('none')), NoSuchChart);
  await assert.rejects(
    reader.read((view) => storeSource(view).getChart(7, 'none')),
    { code: 'not_found' },
  );
});

test('more points of a short window than a picture can use come by step, with their band', async () => {
  const charts = chartsOf(['servers']);
  const window = windowOver('all', spanOver(charts.flatMap(({ span }) => span ?? [])) ?? assert.fail());
  const asked = { charts, window, step: null, aggregate: 'mean', top: 1, level: 1, isSum: false } as const;
  const { step, series } = await reader.read((view) => storeSource(view, 100).series(asked));
  assert.equal(step, hourMs / 2);
  assert.deepEqual(series[0]?.lows, series[0]?.highs);
});
