/**
 * A real Prometheus that scrapes `/api/v2/metrics` and is asked what it stored. Run by `npm run test:ops`;
 * needs prometheus and promtool.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chart, data, plugin, serveRecords, software } from '../api/support/records.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { findProgram } from './proxy.ts';

const hostile = 'a\\b "c" {d="e"}, ü';
const time = Date.UTC(2026, 0, 1);
const { url } = await serveRecords([
  software,
  plugin({ name: hostile, owner: { id: 3, name: '\\' } }),
  ...['servers', 'players', 'commands'].map((chartId, index) =>
    chart(chartId, index + 1, 'single_linechart'),
  ),
  data('servers', [[time, 1.5]]),
  data('players', [[time, 1e21]]),
  data('commands', [[time, -2]]),
]);

const expected = {
  'plugin_metrics_servers{}': '1.5',
  'plugin_metrics_players{}': '1e+21',
  'plugin_metrics_line{chart="commands"}': '-2',
  'plugin_metrics_newest_point_timestamp_seconds{}': String(time / 1000),
};

test('Prometheus stores every value with its labels', { timeout: 60_000 }, async () => {
  using folder = temporaryDirectory();
  const port = await freePort();
  const job = {
    job_name: 'plugins',
    metrics_path: '/api/v2/metrics',
    params: { plugin: ['7', '8'] },
    static_configs: [{ targets: [new URL(url).host] }],
  };
  // JSON is YAML.
  const config = { global: { scrape_interval: '1s' }, scrape_configs: [job] };
  writeFileSync(folder.at('prometheus.yml'), JSON.stringify(config));
  const program = findProgram('prometheus');
  const argv = [
    `--config.file=${folder.at('prometheus.yml')}`,
    `--storage.tsdb.path=${folder.at('data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const prometheus = spawn(program, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    for (const [query, value] of Object.entries(expected)) {
      const [found] = await ask(port, query);
      const { metric, value: [, stored] = [] } = found ?? {};
      assert.deepEqual(
        [metric?.['plugin_id'], metric?.['plugin'], metric?.['owner'], metric?.['software'], stored],
        ['7', hostile, '\\', 'software', value],
        query,
      );
    }
    // The server is in this process: a scrape may fail while it has no processor.
    await ask(port, 'up{job="plugins"} == 1');
  } finally {
    prometheus.kill();
    await once(prometheus, 'exit');
  }
});

test('promtool finds nothing to improve', async () => {
  const text = await (await fetch(`${url}/api/v2/metrics?plugin=7`)).text();
  const promtool = findProgram('promtool', 'prometheus');
  const { status, stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** Asks until there is an answer with a sample. */
async function ask(port: number, query: string): Promise<readonly Sample[]> {
  for (;;) {
    await sleep(100);
    const address = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`;
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok !== true) continue;
    const { data } = (await response.json()) as { readonly data: { readonly result: readonly Sample[] } };
    if (data.result.length > 0) return data.result;
  }
}
