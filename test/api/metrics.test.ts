// Newest values for Prometheus, over HTTP, beside those of the other endpoints.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertProblem } from '../http/support/assertions.ts';
import { get, getText } from '../http/support/validated-client.ts';
import { chart, data, history, plugin, serveRecords, software } from './support/records.ts';

const start = Date.UTC(2026, 0, 1);
const ofPlugin = (pluginId: number, record: object) => ({ ...record, pluginId });
const hostile = 'a\\b "c" {d="e"} ü\u2028';

const { url } = await serveRecords([
  software,
  { ...software, id: 2, name: 'Velocity', url: 'velocity' },
  plugin({ id: 9, name: hostile, owner: { id: 3, name: '\\' } }),
  plugin({ id: 4, name: 'Four', owner: { id: 3, name: '\\' } }),
  plugin({ id: 5, name: 'Five', owner: { id: 8, name: 'Eight' }, softwareId: 2 }),
  plugin({ id: 6, name: 'Without data', owner: { id: 8, name: 'Eight' }, softwareId: 2 }),
  ...[9, 4, 5].flatMap((id) => [
    chart('servers', 10 * id, 'single_linechart', { pluginId: id }),
    ofPlugin(
      id,
      data('servers', [
        [start, 1],
        [start + id, id + 0.5],
      ]),
    ),
  ]),
  chart('players', 91, 'single_linechart', { pluginId: 9 }),
  ofPlugin(9, data('players', [[start, 1e21]])),
  chart('commands', 92, 'single_linechart', { pluginId: 9 }),
  ofPlugin(9, data('commands', [[start, -2]])),
  chart('unused', 93, 'single_linechart', { pluginId: 9 }),
  // Neither a line, nor the newest value of one.
  chart('players', 51, 'simple_pie', { pluginId: 5 }),
  ofPlugin(5, history('players', [start + 60_000], [{ name: 'x', values: [7] }])),
]);

const labels = {
  4: 'plugin_id="4",plugin="Four",owner="\\\\",software="software"',
  5: 'plugin_id="5",plugin="Five",owner="Eight",software="velocity"',
  9: 'plugin_id="9",plugin="a\\\\b \\"c\\" {d=\\"e\\"} ü\u2028",owner="\\\\",software="software"',
};

const samplesOf = async (query: string) =>
  (await getText(url, `/api/v2/metrics?${query}`)).split('\n').filter((line) => !/^(#|$)/.test(line));

describe('/api/v2/metrics', () => {
  test('has the newest values of plugins, by metric and then by id', async () => {
    const { headers, bytes } = await get(
      url,
      '/api/v2/metrics?plugin=9&plugin=4&plugin=5&plugin=6&plugin=77',
    );
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal(
      bytes.toString(),
      `# HELP plugin_metrics_servers Newest number of servers that use the plugin.
# TYPE plugin_metrics_servers gauge
plugin_metrics_servers{${labels[4]}} 4.5
plugin_metrics_servers{${labels[5]}} 5.5
plugin_metrics_servers{${labels[9]}} 9.5
# HELP plugin_metrics_players Newest number of players on these servers.
# TYPE plugin_metrics_players gauge
plugin_metrics_players{${labels[9]}} 1e+21
# HELP plugin_metrics_line Newest value of another line chart.
# TYPE plugin_metrics_line gauge
plugin_metrics_line{${labels[9]},chart="commands"} -2
# HELP plugin_metrics_newest_point_timestamp_seconds Time of the newest value of any chart.
# TYPE plugin_metrics_newest_point_timestamp_seconds gauge
plugin_metrics_newest_point_timestamp_seconds{${labels[4]}} ${(start + 4) / 1000}
plugin_metrics_newest_point_timestamp_seconds{${labels[5]}} ${start / 1000 + 60}
plugin_metrics_newest_point_timestamp_seconds{${labels[9]}} ${(start + 9) / 1000}
`,
    );
  });

  test('takes an owner, a software, and several at once', async () => {
    const idsOf = async (query: string) =>
      (await samplesOf(query)).flatMap((line) => /_servers\{plugin_id="(\d+)"/.exec(line)?.[1] ?? []);
    assert.deepEqual(await idsOf('owner=3'), ['4', '9']);
    assert.deepEqual(await idsOf('software=velocity'), ['5']);
    assert.deepEqual(await idsOf('owner=3&software=velocity'), []);
    assert.deepEqual(await idsOf('software=software&plugin=4&plugin=5'), ['4']);
    assert.deepEqual(await samplesOf('owner=99'), []);
    assert.deepEqual(await samplesOf('software=none'), []);
  });

  test('needs one of the three, and takes up to 1,000 plugins', async () => {
    for (const [query, detail] of [
      ['', /plugin, owner or software must say which plugins are meant/],
      ['?plugin=', /must say which plugins/],
      ['?plugin=x', /plugin must be up to 1000 ids, repeated or with commas between/],
      ['?owner=3&owner=4', /owner/],
      ['?plugins=4', /there is no parameter "plugins"/],
      [`?plugin=${'4,'.repeat(1000)}5`, /up to 1000 ids/],
      [`?${'plugin=4,4&'.repeat(500)}plugin=5`, /up to 1000 ids/],
    ] as const)
      assertProblem(await get(url, `/api/v2/metrics${query}`), {
        status: 400,
        kind: 'malformed-query',
        detail,
      });
    assert.equal((await samplesOf(`plugin=${'4,'.repeat(999)}9`)).length, 6);
    assert.equal((await samplesOf(`${'plugin=99999&'.repeat(999)}plugin=9`)).length, 4);
  });

  test('has the 1,000 plugins with the most servers', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
    const many = await serveRecords([
      software,
      ...ids.flatMap((id) => [
        plugin({ id, name: `Plugin ${id}` }),
        chart('servers', id, 'single_linechart', { pluginId: id }),
        ofPlugin(id, data('servers', [[start, id]])),
      ]),
    ]);
    const text = await getText(many.url, '/api/v2/metrics?software=software');
    const found = [...text.matchAll(/_servers\{plugin_id="(\d+)"/g)].map(([, id]) => Number(id));
    assert.deepEqual(found, ids.slice(1));
  });
});
