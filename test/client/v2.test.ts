// The methods of the client for `/api/v2`: with this project's own server, and with servers that answer
// something else.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { isChartOfType, PluginMetricsClient, PluginMetricsError } from '../../src/client/client.ts';
import { samplePlugins } from '../http/support/sample.ts';
import { makeSampleStore, makeStore, serveStore } from '../http/support/test-server.ts';
import { chartRecord, dataRecord, pluginRecord, softwareRecord } from '../support/records.ts';
import { json, serveAnswers, type TestAnswer } from './support/answering-server.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);

const hours = [0, 1, 2, 3].map((index) => start + index * hourMs);
const store = await makeStore([
  softwareRecord(),
  pluginRecord(1, 'Plugin'),
  chartRecord('players', 1),
  chartRecord('servers', 2),
  chartRecord('os', 3, { type: 'simple_pie' }),
  ...['players', 'servers'].map((chartId, rank) =>
    dataRecord(
      chartId,
      hours.map((time, index) => [time, (rank + 1) * index]),
    ),
  ),
  { record: 'event', pluginId: 1, time: start, title: 'Opened', url: null },
  dataRecord(
    'os',
    [
      { name: 'Linux', y: 3 },
      { name: 'Other systems', y: 1 },
    ],
    { at: start + 2 * hourMs },
  ),
]);
const server = await serveStore(store);
after(() => server[Symbol.asyncDispose]());
const client = new PluginMetricsClient(server.url);

describe('readSeries', () => {
  test('gives series of lines and shares over the same times', async () => {
    const set = await client.readSeries({ charts: ['1:players', '1:os'], range: 'all', top: 1 });
    assert.deepEqual(set, {
      from: start,
      to: start + 3 * hourMs + 1,
      step: null,
      aggregate: null,
      times: hours,
      series: [
        { pluginId: 1, chartId: 'players', name: 'players', values: [0, 1, 2, 3] },
        { pluginId: 1, chartId: 'os', name: 'Linux', values: [null, null, 3, null] },
        { pluginId: 1, chartId: 'os', name: 'Other', isOther: true, values: [null, null, 1, null] },
      ],
    });
  });

  test('gives the band of a line by step', async () => {
    const { series } = await client.readSeries({
      charts: ['1:players'],
      range: 'all',
      step: '7d',
      band: true,
    });
    assert.deepEqual(
      series.map(({ values, ...one }) => [values, 'lows' in one && one.lows, 'highs' in one && one.highs]),
      [[[1.5], [0], [3]]],
    );
  });

  test('takes a time as a Date, as a number, and as text', async () => {
    for (const from of [new Date(start + hourMs), start + hourMs, new Date(start + hourMs).toISOString()]) {
      const set = await client.readSeries({ charts: ['1:players'], from, to: new Date(start + 2 * hourMs) });
      assert.deepEqual(set.times, [start + hourMs]);
    }
    await assert.rejects(
      client.readSeries({ charts: ['1:players'], from: 1_782_257_400, to: '2027-01-01' }),
      {
        status: 400,
      },
    );
    await assert.rejects(client.readSeries({ charts: ['1:players'], from: new Date('yesterday') }), {
      name: 'PluginMetricsError',
      message: /: from must be a date .*; got "null"$/,
    });
  });

  test('throws the problem of the server', async () => {
    await assert.rejects(client.readSeries({ charts: ['1:none'] }), { isNotFound: true, status: 404 });
    await assert.rejects(client.readSeries({ charts: [] }), (error) => {
      assert.ok(error instanceof PluginMetricsError && error.problem?.detail !== undefined);
      assert.equal(error.status, 400);
      return true;
    });
  });
});

describe('with the server of this project', () => {
  const plugin = { id: 1, name: 'Plugin', owner: { id: 1, name: 'Owner' } };
  const software = { id: 1, name: 'Bukkit', url: 'bukkit' };
  const end = start + 3 * hourMs;
  const event = { time: start, title: 'Opened', url: null };

  test('a plugin has the newest data of its charts, and its events', async () => {
    const now = await client.getPluginNow(1);
    assert.deepEqual(
      { ...now, charts: [] },
      { ...plugin, software, isGlobal: false, charts: [], events: [event] },
    );
    const os = now.charts.find(({ chartId }) => chartId === 'os');
    assert.ok(os !== undefined && isChartOfType(os, 'simple_pie'));
    assert.deepEqual(
      [os.first, os.last, os.latest[0]?.name],
      [start + 2 * hourMs, start + 2 * hourMs, 'Linux'],
    );
    assert.deepEqual(now.charts[0]?.latest, [end, 3]);
  });

  test('metrics are those of all plugins that are named', async () => {
    const text = await client.readMetrics({ plugin: [1, 2], software: 'bukkit' });
    assert.match(text, /^plugin_metrics_servers\{plugin_id="1",.*\} 6$/m);
    await assert.rejects(client.readMetrics({}), { status: 400 });
    assert.doesNotMatch(await client.readMetrics({ plugin: [], software: 'bukkit' }), /^plugin_metrics/m);
  });

  test('a plugin has insights', async () => {
    const { at, lines, standing, releases } = await client.readInsights(1);
    assert.deepEqual([at, standing], [end, { rank: 1, of: 1, share: null }]);
    assert.deepEqual(
      lines.map(({ chartId, now, record, changes }) => [chartId, now[1], record, changes['7d']]),
      [
        ['servers', 6, [end, 6], null],
        ['players', 3, [end, 3], null],
      ],
    );
    assert.deepEqual(releases, []);
  });

  test('events have a window, and software its numbers', async () => {
    assert.deepEqual(await client.listEvents(1), [event]);
    assert.deepEqual(await client.listEvents(1, { from: new Date(event.time), to: event.time + 1 }), [event]);
    assert.deepEqual(await client.listEvents(1, { from: event.time + 1 }), []);
    assert.deepEqual(await client.listSoftwareNow(), [
      { ...software, globalPlugin: null, plugins: 1, servers: null },
    ]);
    const { plugins } = await client.listPluginPage({ ids: [1, 2] });
    assert.deepEqual(
      plugins.map(({ id }) => id),
      [1],
    );
    assert.deepEqual(await client.listPluginPage({ ids: [] }), { total: 0, next: null, plugins: [] });
    const longIds = Array.from({ length: 1000 }, (_, index) => 1_000_000 + index);
    assert.equal((await client.listPluginPage({ ids: longIds, q: 'a,b' })).total, 0);
  });

  test('all pages of the sample are all plugins, each once', async () => {
    await using sample = await serveStore(await makeSampleStore());
    const ids: number[] = [];
    const pages = new PluginMetricsClient(sample.url).readPluginPages({ sort: 'id', limit: 4 });
    for await (const { plugins } of pages) ids.push(...plugins.map(({ id }) => id));
    assert.deepEqual(
      ids,
      samplePlugins.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });
});

const head = {
  id: 7,
  name: 'P',
  owner: { id: 3, name: 'O' },
  software: { id: 1, name: 'S', url: 's' },
  isGlobal: false,
};
const listed = { ...head, servers: [1, 2], players: null };
const line = {
  chartId: 'players',
  uid: 1,
  type: 'single_linechart',
  position: 0,
  title: 'T',
  isDefault: true,
  settings: {},
  first: 1,
  last: 9,
  latest: [9, 2.5],
};
const pie = {
  ...line,
  chartId: 'os',
  type: 'simple_pie',
  first: null,
  last: null,
  latest: [{ name: 'a', y: 1 }],
  colours: ['b', 'a'],
  mostUsed: { name: 'a', since: 0 },
};
const now = { ...head, charts: [line, pie], events: [{ time: 1, title: '1.0', url: null }] };
const said = { at: 9, lines: [], standing: null, versions: [], releases: [] };
const page = { total: 1, next: null, plugins: [listed] };
const set = {
  from: 0,
  to: 9,
  step: null,
  aggregate: null,
  times: [1, 2],
  series: [{ pluginId: 7, chartId: 'players', name: 'Players', values: [1, null] }],
};

test('a page is requested with every parameter', async () => {
  const target = '/api/v2/plugins?q=a%26%C3%A4&software=s&owner=3&global=true&sort=name&order=asc&limit=2';
  const { client } = await clientOf({ [`${target}&after=x%2By`]: json(page) });
  const found = await client.listPluginPage({
    q: 'a&ä',
    software: 's',
    owner: 3,
    global: true,
    sort: 'name',
    order: 'asc',
    limit: 2,
    after: 'x+y',
  });
  assert.deepEqual(found, page);
});

test('pages are requested one after the other, and no further than they are wanted', async () => {
  const target = '/api/v2/plugins?limit=1';
  const { client, targets } = await clientOf({
    [target]: json({ ...page, next: 'a' }),
    [`${target}&after=a`]: json({ ...page, next: 'b' }),
    [`${target}&after=b`]: json(page),
  });
  const nexts: (string | null)[] = [];
  for await (const { next } of client.readPluginPages({ limit: 1 })) nexts.push(next);
  assert.deepEqual(nexts, ['a', 'b', null]);
  for await (const { next } of client.readPluginPages({ limit: 1, after: 'a' })) {
    assert.equal(next, 'b');
    break;
  }
  assert.deepEqual(targets().slice(3), [`${target}&after=a`]);
});

test('a page that names itself as the next one is an error, because the pages would never end', async () => {
  const target = '/api/v2/plugins';
  const { client } = await clientOf({
    [target]: json({ ...page, next: 'a' }),
    [`${target}?after=a`]: json({ ...page, next: 'a' }),
  });
  const pages = client.readPluginPages();
  await pages.next();
  await assert.rejects(pages.next(), /\$\.next must be another cursor than that of this page, not "a"$/);
});

test('the newest data of a chart are typed by its type', async () => {
  const { client } = await clientOf({ '/api/v2/plugins/7': json(now) });
  const plugin = await client.getPluginNow(7);
  assert.deepEqual(plugin, now);
  const [first, second] = plugin.charts;
  assert.ok(first !== undefined && isChartOfType(first, 'single_linechart'));
  assert.equal(first.latest?.[1], 2.5);
  assert.ok(second !== undefined && isChartOfType(second, 'simple_pie'));
  assert.equal(second.latest[0]?.name, 'a');
  assert.ok(!isChartOfType(second, 'simple_map'));
});

test('a server without the second interface is an error with the status 404', async () => {
  const { client } = await clientOf({});
  await assert.rejects(client.listPluginPage(), { isNotFound: true });
  await assert.rejects(client.getPluginNow(7), { isNotFound: true });
  await assert.rejects(client.readInsights(7), { isNotFound: true });
  await assert.rejects(client.readSeries({ charts: ['7:players'] }), { isNotFound: true });
});

describe('the client names the position of', () => {
  type Ask = (client: PluginMetricsClient) => Promise<unknown>;
  const asks: Readonly<Record<string, readonly [target: string, ask: Ask]>> = {
    page: ['/api/v2/plugins', (client) => client.listPluginPage()],
    now: ['/api/v2/plugins/7', (client) => client.getPluginNow(7)],
    events: ['/api/v2/plugins/7/events', (client) => client.listEvents(7)],
    software: ['/api/v2/software', (client) => client.listSoftwareNow()],
    insights: ['/api/v2/plugins/7/insights', (client) => client.readInsights(7)],
    series: ['/api/v2/series?charts=7%3Aplayers', (client) => client.readSeries({ charts: ['7:players'] })],
  };
  const plugins = (fields: object) => ({ ...page, plugins: [{ ...listed, ...fields }] });
  const charts = (fields: object) => ({ ...now, charts: [{ ...line, ...fields }] });
  const series = (fields: object) => ({ ...set, series: [{ ...set.series[0], ...fields }] });
  const integer = 'must be an integer of at most 2^53-1';
  const wrong: ReadonlyArray<readonly [keyof typeof asks, unknown, string]> = [
    ['page', { ...page, total: '1' }, `$.total ${integer}, not "1"`],
    ['page', plugins({ owner: { name: 'O' } }), `$.plugins[0].owner.id ${integer}, not nothing`],
    [
      'page',
      plugins({ servers: [1] }),
      '$.plugins[0].servers must be a pair [timestamp, value], not an array',
    ],
    ['now', charts({ colours: 'a' }), '$.charts[0].colours must be an array, not "a"'],
    ['now', charts({ mostUsed: { name: 'a' } }), `$.charts[0].mostUsed.since ${integer}, not nothing`],
    [
      'now',
      charts({ type: 'simple_pie', latest: [{ name: 'a' }] }),
      '$.charts[0].latest[0].y must be a number, not nothing',
    ],
    ['now', { ...now, events: [{ time: 1, title: 'a', url: 7 }] }, '$.events[0].url must be a string, not 7'],
    ['events', [{ time: 1, title: 'a' }], '$[0].url must be a string, not nothing'],
    [
      'software',
      [{ id: 1, name: 'S', url: 's', globalPlugin: null }],
      `$[0].plugins ${integer}, not nothing`,
    ],
    ['insights', { ...said, at: 'x' }, `$.at ${integer}, not "x"`],
    ['insights', { ...said, standing: { rank: 1, of: 2 } }, '$.standing.share must be a number, not nothing'],
    [
      'insights',
      { ...said, lines: [{ chartId: 'servers', now: null }] },
      '$.lines[0].now must be an array, not null',
    ],
    [
      'series',
      { ...set, times: [2, 2] },
      '$.times[1] must be an integer, and later than the time before it, not 2',
    ],
    ['series', series({ isSum: false }), '$.series[0].isSum must be true, or left out, not false'],
    [
      'series',
      series({ values: [1] }),
      '$.series[0].values must be an array with a value for each time, not an array',
    ],
    ['series', series({ values: [1, 'x'] }), '$.series[0].values[1] must be a number or null, not "x"'],
  ];
  for (const [what, body, message] of wrong)
    test(message, async () => {
      const [target, ask] = asks[what] ?? assert.fail();
      const { client, url } = await clientOf({ [target]: json(body) });
      await assert.rejects(ask(client), { message: `${url}${target}: ${message}`, status: 200 });
    });
});

async function clientOf(answers: Readonly<Record<string, TestAnswer>>) {
  const { url, targets } = await serveAnswers(answers);
  return { client: new PluginMetricsClient(url), url, targets };
}
