// The insights of a plugin through the second interface, with figures that were computed by hand.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { get, getText, send } from '../http/support/validated-client.ts';
import { chart, data, event, history, plugin, serveRecords, software } from './support/records.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 0, 1);
const day = (number: number, hour = 0) => start + number * dayMs + hour * hourMs;
const daysTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** 100 servers a day, 110 from day 93 on, and the newest point a half hour before the end of day 99. */
const servers = [
  ...daysTo(100).map((number) => [day(number, 12), number < 93 ? 100 : 110]),
  [day(99, 23.5), 110],
];
const versionTimes = daysTo(100).map((number) => day(number, 23.5));
const { url } = await serveRecords([
  { ...software, globalPluginId: 90 },
  plugin({ name: 'My Plugin' }),
  plugin({ id: 8, name: 'Empty' }),
  plugin({ id: 9, name: 'Larger' }),
  plugin({ id: 90, name: 'All', isGlobal: true }),
  ...[8, 9, 90].map((pluginId) => chart('servers', pluginId, 'single_linechart', { pluginId })),
  ...[
    [9, 500],
    [90, 1000],
  ].map(([pluginId, value]) => ({ ...data('servers', [[start, value]]), pluginId })),
  chart('servers', 1, 'single_linechart'),
  chart('pluginVersion', 2, 'simple_pie', { position: 2 }),
  chart('javaVersion', 3, 'drilldown_pie', { position: 3 }),
  data('servers', servers),
  history('pluginVersion', versionTimes, [
    { name: '1.2.0', values: daysTo(100).map((number) => (number < 60 ? 20 : 15)) },
    { name: '1.10', values: daysTo(100).map((number) => (number < 60 ? 0 : number - 59)) },
    { name: '1.2.1-rc1', values: daysTo(100).map(() => 4) },
    { name: 'dev', values: daysTo(100).map(() => 1) },
  ]),
  data('javaVersion', {
    drilldownData: [],
    seriesData: [
      { name: 'Java 8', y: 3, drilldown: '' },
      { name: 'Java 21', y: 9, drilldown: '' },
    ],
  }),
  event(day(10, 5), 'New logo'),
  event(day(20, 23), 'v1.2'),
  event(day(60, 1), 'My Plugin 3: now 1.10.0, not 1.9!', 'https://example.org/1.10'),
  event(day(120), '2.0-beta1 is near'),
]);
const path = '/api/v2/plugins/7/insights';

describe('insights', () => {
  test('are what the numbers say', async () => {
    const minor = (name: string, value: number, share: number, atLeast: number, before: object | null) => ({
      ...{ name, value, share, atLeast, before },
    });
    assert.deepEqual(JSON.parse(await getText(url, path)), {
      at: day(99, 23.5),
      lines: [
        {
          chartId: 'servers',
          now: [day(99, 23.5), 110],
          changes: { '7d': 0.1, '28d': 0.025, '1y': null },
          peak30d: [day(93, 12), 110],
          record: [day(93, 12), 110],
        },
      ],
      standing: { rank: 2, of: 2, share: 0.11 },
      versions: [
        {
          chartId: 'pluginVersion',
          at: day(99),
          total: 60,
          lines: [
            minor('1.10.x', 40, 0.6667, 0.6667, { at: day(9), share: 0, atLeast: 0 }),
            minor('1.2.x', 19, 0.3167, 0.9833, { at: day(9), share: 0.96, atLeast: 0.96 }),
          ],
          other: { value: 1, share: 0.0167 },
        },
        {
          chartId: 'javaVersion',
          at: day(99, 23.5),
          total: 12,
          lines: [minor('Java 21', 9, 0.75, 0.75, null), minor('Java 8', 3, 0.25, 1, null)],
          other: { value: 0, share: 0 },
        },
      ],
      releases: [
        {
          ...{ time: day(120), title: '2.0-beta1 is near', url: null, version: '2.0-beta1' },
          servers: null,
          share: { '7d': null, '30d': null, now: 0 },
          halfAfterDays: null,
        },
        {
          time: day(60, 1),
          title: 'My Plugin 3: now 1.10.0, not 1.9!',
          url: 'https://example.org/1.10',
          version: '1.10',
          servers: { before: 100, after: 100 },
          share: { '7d': 0.2857, '30d': 0.6078, now: 0.6667 },
          halfAfterDays: 19,
        },
        {
          ...{ time: day(20, 23), title: 'v1.2', url: null, version: '1.2.0' },
          servers: { before: 100, after: 100 },
          share: { '7d': 0.8, '30d': 0.8, now: 0.25 },
          halfAfterDays: 0,
        },
      ],
    });
  });

  test('of a plugin without data are empty', async () => {
    const none = { at: null, lines: [], standing: null, versions: [], releases: [] };
    assert.deepEqual(JSON.parse(await getText(url, '/api/v2/plugins/8/insights')), none);
  });

  test('of a global plugin have no standing', async () => {
    assert.equal(JSON.parse(await getText(url, '/api/v2/plugins/90/insights')).standing, null);
  });

  test('have an entity tag, and HEAD has the same headers', async () => {
    const answer = await get(url, path);
    const tag = answer.headers.get('etag') ?? '';
    assert.match(tag, /^"/);
    const head = await send(url, { method: 'HEAD', target: path });
    assert.deepEqual([head.headers.get('etag'), head.bytes.length], [tag, 0]);
    const again = await get(url, path, { 'if-none-match': tag });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  });
});
