// One plugin through the second interface: what is known now, everything as CSV, everything as an archive.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { exportFrom } from '../contracts/store-contract.ts';
import { assertProblem } from '../http/support/assertions.ts';
import { archiveText, makeDirectory } from '../http/support/test-server.ts';
import { get, getText } from '../http/support/validated-client.ts';
import { importText } from '../support/stores.ts';
import * as records from './support/records.ts';
import { data, event, history, plugin, serveRecords, software } from './support/records.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const chart = (chartId: string, uid: number, type: string) =>
  records.chart(chartId, uid, type, {
    position: -uid,
    data: { lineName: `Line ${uid}`, order: { b: 1, a: 2 } },
  });

const points = Array.from({ length: 6000 }, (_, index) => [
  start + index * (hourMs / 2),
  (index * 7919) % 100,
]);
const times = Array.from({ length: 50 }, (_, index) => start + index * hourMs);
const manyShares = Array.from({ length: 2000 }, (_, index) => ({ name: `share ${index}`, y: index + 1 }));
const all: readonly object[] = [
  software,
  plugin({ name: '"><script>' }),
  plugin({ id: 8, name: 'Other' }),
  { record: 'oldName', pluginId: 7, name: 'Before' },
  chart('servers', 1, 'single_linechart'),
  chart('empty', 2, 'single_linechart'),
  chart('version', 3, 'simple_pie'),
  chart('os', 4, 'drilldown_pie'),
  chart('country', 5, 'advanced_map'),
  chart('games', 6, 'simple_bar'),
  chart('sizes', 9, 'advanced_bar'),
  chart('gone', 12, 'advanced_bar'),
  chart('heat', 10, 'heatmap'),
  chart('large', 11, 'simple_pie'),
  data('servers', points),
  history('version', times, [
    { name: '1.0', values: times.map((_, index) => index % 4) },
    { name: '__proto__', values: times.map(() => 2.5) },
    { name: '=1,"x"', values: times.map((_, index) => (index < 10 ? 1 : null)) },
  ]),
  data('version', [{ name: '3.0', y: 5 }], start + 100 * hourMs),
  history('os', [start], [{ group: 'Windows', name: '11', values: [3] }]),
  data('country', [{ code: 'DE', value: 4 }]),
  data('games', [{ name: 'x', data: [7] }]),
  data('sizes', [{ name: 'x', data: [1, 2] }]),
  data('gone', [{ name: 'x', data: [1, 2] }]),
  data('gone', []),
  data('heat', [[1, 2, 3]]),
  data('large', manyShares, start + hourMs),
  data('large', [{ name: 'few', y: 1 }]),
  event(start, '1.0', 'https://example.org/1.0'),
  event(start + 10 * hourMs, '2.0 "><script>'),
  event(start + 10 * hourMs, '1.9'),
];

const { url } = await serveRecords(all);

describe('a plugin now', () => {
  test('has its charts in order, each with its newest data, and its events', async () => {
    const now = JSON.parse(await getText(url, '/api/v2/plugins/7'));
    const expected = (chartId: string, uid: number, type: string, rest: object) => ({
      chartId,
      uid,
      type,
      position: -uid,
      title: `Title of ${chartId}`,
      isDefault: false,
      settings: { lineName: `Line ${uid}`, order: { b: 1, a: 2 } },
      ...rest,
    });
    const never = { first: null, last: null };
    const ofNow = (...colours: readonly string[]) => ({ colours, mostUsed: null });
    const last = points.at(-1);
    assert.deepEqual(now, {
      id: 7,
      name: '"><script>',
      owner: { id: 1, name: 'Owner' },
      software: { id: 1, name: 'Software', url: 'software' },
      isGlobal: false,
      charts: [
        expected('gone', 12, 'advanced_bar', { ...never, latest: [], ...ofNow() }),
        expected('large', 11, 'simple_pie', {
          first: start + hourMs,
          last: start + hourMs,
          latest: [{ name: 'few', y: 1 }],
          colours: Array.from({ length: 12 }, (_, rank) => `share ${1999 - rank}`),
          mostUsed: { name: 'share 1999', since: start },
        }),
        expected('heat', 10, 'heatmap', { ...never, latest: [[1, 2, 3]] }),
        expected('sizes', 9, 'advanced_bar', {
          ...never,
          latest: [{ name: 'x', data: [1, 2] }],
          ...ofNow('x'),
        }),
        expected('games', 6, 'simple_bar', { ...never, latest: [{ name: 'x', data: [7] }], ...ofNow('x') }),
        expected('country', 5, 'advanced_map', {
          ...never,
          latest: [{ code: 'DE', value: 4 }],
          ...ofNow('DE'),
        }),
        expected('os', 4, 'drilldown_pie', {
          first: start,
          last: start,
          latest: { drilldownData: [], seriesData: [] },
          colours: ['Windows'],
          mostUsed: { name: 'Windows', since: start },
        }),
        expected('version', 3, 'simple_pie', {
          first: start,
          last: start + 100 * hourMs,
          latest: [{ name: '3.0', y: 5 }],
          colours: ['__proto__', '1.0', '=1,"x"', '3.0'],
          mostUsed: { name: '3.0', since: start + 4 * 24 * hourMs },
        }),
        expected('empty', 2, 'single_linechart', { ...never, latest: null }),
        expected('servers', 1, 'single_linechart', { first: start, last: last?.[0], latest: last }),
      ],
      events: [
        { time: start, title: '1.0', url: 'https://example.org/1.0' },
        { time: start + 10 * hourMs, title: '1.9', url: null },
        { time: start + 10 * hourMs, title: '2.0 "><script>', url: null },
      ],
    });
  });

  test('without charts has none, and its settings keep their order', async () => {
    assert.match(await getText(url, '/api/v2/plugins/8'), /"charts":\[\],"events":\[\]\}$/);
    assert.match(
      await getText(url, '/api/v2/plugins/7'),
      /"settings":\{"lineName":"Line 11","order":\{"b":1,"a":2\}\}/,
    );
  });

  for (const path of ['', '/insights', '/events', '/export.csv', '/archive'])
    test(`answers errors at /api/v2/plugins/{pluginId}${path}`, async () => {
      const missing = await get(url, `/api/v2/plugins/9${path}`);
      assertProblem(missing, { status: 404, kind: 'unknown-plugin', detail: /9/ });
      const malformed = await get(url, `/api/v2/plugins/x${path}`);
      assertProblem(malformed, { status: 400, kind: 'malformed-plugin-id' });
      const unknown = await get(url, `/api/v2/plugins/7${path}?maxElements=1`);
      assertProblem(unknown, { status: 400, kind: 'malformed-query', detail: /"maxElements"/ });
      const bom = await get(url, `/api/v2/plugins/7${path}?bom=1`);
      assertProblem(bom, { status: 400, kind: 'malformed-query', detail: /bom/ });
    });
});

describe('the events of a plugin', () => {
  const titlesOf = async (query: string) => {
    const events = JSON.parse(await getText(url, `/api/v2/plugins/7/events${query}`));
    return events.map(({ title }: { title: string }) => title);
  };

  test('are those of its page by time, all or in a window whose end is not part of it', async () => {
    const { events } = JSON.parse(await getText(url, '/api/v2/plugins/7'));
    assert.deepEqual(JSON.parse(await getText(url, '/api/v2/plugins/7/events')), events);
    assert.deepEqual(await titlesOf(`?from=${start}&to=${start + 10 * hourMs}`), ['1.0']);
    assert.deepEqual(await titlesOf('?from=2026-01-01T10:00Z'), ['1.9', '2.0 "><script>']);
    assert.deepEqual(await titlesOf('?to=2026-01-01'), []);
    assert.equal(await getText(url, '/api/v2/plugins/8/events'), '[]');
  });

  test('have no window that ends before it begins', async () => {
    const answer = await get(url, '/api/v2/plugins/7/events?from=2026-01-02&to=2026-01-02');
    assertProblem(answer, { status: 400, kind: 'malformed-query', detail: /^from must be before to/ });
  });
});

describe('a plugin as CSV', () => {
  test('has a row for each point and each share that is not 0', async () => {
    const answer = await get(url, '/api/v2/plugins/7/export.csv');
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    const marked = await get(url, '/api/v2/plugins/7/export.csv?bom=true');
    assert.equal(marked.bytes.toString(), `\ufeff${answer.bytes}`);
    const iso = (time: number) => new Date(time).toISOString();
    const shares = times.flatMap((time, index) => [
      ...(index % 4 === 0 ? [] : [`version,,1.0,${iso(time)},${index % 4}`]),
      ...(index < 10 ? [`version,,"'=1,""x""",${iso(time)},1`] : []),
      `version,,__proto__,${iso(time)},2.5`,
    ]);
    const rows = answer.bytes.toString().split('\r\n');
    assert.deepEqual(
      [...rows].sort(),
      [
        '',
        'chart,group,name,time,value',
        ...manyShares.map(({ name, y }) => `large,,${name},${iso(start + hourMs)},${y}`),
        'large,,few,,1',
        'sizes,x,value 1,,1',
        'sizes,x,value 2,,2',
        'games,,x,,7',
        'country,,DE,,4',
        `os,Windows,11,${iso(start)},3`,
        ...shares,
        `version,,3.0,${iso(start + 100 * hourMs)},5`,
        ...points.map(([time = 0, value]) => `servers,,Line 1,${iso(time)},${value}`),
      ].sort(),
    );
    assert.equal(rows[0], 'chart,group,name,time,value');
    const chartsInOrder = [...new Set(rows.slice(1, -1).map((row) => row.split(',')[0]))];
    assert.deepEqual(chartsInOrder, ['large', 'sizes', 'games', 'country', 'os', 'version', 'servers']);
  });
});

describe('a plugin as an archive', () => {
  /** Exports a store with this plugin alone. */
  const exportOf = async (text: string) => {
    const path = join(makeDirectory(), 'copy.db');
    await importText(path, text);
    return exportFrom(parseStoreName(path));
  };
  const isOfPlugin = (record: object) => !('id' in record) || record.id !== 8;

  test('can be imported, and is everything', async () => {
    const answer = await get(url, '/api/v2/plugins/7/archive');
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
    const expected = await exportOf(archiveText(all.filter(isOfPlugin), 2));
    assert.equal(await exportOf(answer.bytes.toString()), expected);
  });

  test('since a time has points and histories from then on alone', async () => {
    const since = start + 5 * hourMs;
    const text = await getText(url, `/api/v2/plugins/7/archive?since=${since}`);
    const found = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const isSince = (time: number) => time >= since;
    const found_points = found
      .filter(({ chartId }) => chartId === 'servers')
      .flatMap(({ data = [] }) => (Array.isArray(data) ? data : []));
    assert.deepEqual(
      found_points,
      points.filter(([time = 0]) => isSince(time)),
    );
    const history = found.filter(({ record }) => record === 'history');
    assert.deepEqual(
      history.map(({ chartId, times: own }) => [chartId, own]),
      [['version', [...times.filter(isSince), start + 100 * hourMs]]],
    );
    // What is shown and what happened is there whatever its time.
    assert.equal(found.filter(({ record }) => record === 'event').length, 3);
    assert.deepEqual(found.find(({ chartId, record }) => chartId === 'country' && record === 'data')?.data, [
      { code: 'DE', value: 4 },
    ]);
    await exportOf(text);
    const iso = new Date(since).toISOString();
    assert.equal(await getText(url, `/api/v2/plugins/7/archive?since=${iso}`), text);
  });

  const versionChart = chart('version', 3, 'simple_pie');
  const plain = [software, plugin(), versionChart, data('version', [{ name: 'a', y: 1 }])];
  const archiveOf = async (list: readonly object[], query = '') =>
    await getText((await serveRecords(list)).url, `/api/v2/plugins/7/archive${query}`);

  test('has version 2 only if it holds a time, a history, an event or an old name', async () => {
    const versionOf = async (list: readonly object[], query = '') =>
      JSON.parse((await archiveOf(list, query)).split('\n')[0] ?? '');
    assert.deepEqual(await versionOf(plain), { record: 'archive', version: 1 });
    for (const [record, sinceLater] of [
      [data('version', [{ name: 'a', y: 1 }], start), 2],
      [history('version', [start], []), 1],
      [event(start, '1.0'), 2],
      [{ record: 'oldName', pluginId: 7, name: 'Before' }, 2],
    ] as const) {
      assert.equal((await versionOf([...plain, record])).version, 2);
      assert.equal((await versionOf([...plain, record], `?since=${start + 1}`)).version, sinceLater);
    }
  });

  test('has no removals, which are of the store', async () => {
    const removals = [{ before: 5 }, { pluginId: 7, before: null }, { pluginId: 7, chartId: 'x', before: 5 }];
    const withRemovals = [...plain, ...removals.map((fields) => ({ record: 'removal', ...fields }))];
    assert.equal(await archiveOf(withRemovals), await archiveOf(plain));
  });

  test('names a global plugin only if it is the plugin itself', async () => {
    const global = await serveRecords([
      { ...software, globalPluginId: 8 },
      plugin(),
      plugin({ id: 8, name: 'All', isGlobal: true }),
    ]);
    const softwareIn = async (id: number) =>
      JSON.parse((await getText(global.url, `/api/v2/plugins/${id}/archive`)).split('\n')[1] ?? '');
    assert.equal((await softwareIn(7)).globalPluginId, null);
    assert.equal((await softwareIn(8)).globalPluginId, 8);
    await exportOf(await getText(global.url, '/api/v2/plugins/8/archive'));
  });

  test('with a malformed time is refused', async () => {
    for (const time of ['yesterday', '2026', '1782257400']) {
      const answer = await get(url, `/api/v2/plugins/7/archive?since=${time}`);
      assertProblem(answer, { status: 400, kind: 'malformed-query', detail: /since must be a date such as/ });
    }
  });
});
