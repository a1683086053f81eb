// `collect` as a process: its two listeners, its options, and its end.
import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { parseLines } from '../../src/collect/report-line.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { messagesIn, runProgram } from '../support/run-program.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { countLogged, makeCollectingStore, sendReport, startCollecting } from './collecting.ts';
import { countryDatabase } from './country-database.ts';

const directory = directoryOfFile();
const store = directory.at('metrics.db');

before(() => makeCollectingStore(store));

const startCollect = (...options: readonly string[]) =>
  startCollecting(store, ['--admin-port', '0', ...options]);

test('reports are counted on the admin listener, which says when it is ready, and SIGTERM ends with 0', async () => {
  await using started = await startCollect('--per-address', '2');
  const { url, adminUrl } = started;
  const statuses = [];
  for (const [uuid, id = 2] of [['a'], ['a'], ['b'], ['c'], ['d', 99]] as const)
    statuses.push(await sendReport(url, uuid, { id }));
  assert.deepEqual(statuses, [202, 429, 202, 429, 404]);
  assert.equal((await fetch(`${adminUrl}/ready`)).status, 200);
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  for (const line of [
    'plugin_metrics_reports_accepted_total 2',
    'plugin_metrics_reports_refused_total{reason="reported-already"} 1',
    'plugin_metrics_reports_refused_total{reason="too-many-servers"} 1',
    'plugin_metrics_reports_refused_total{reason="unknown-plugin"} 1',
    'plugin_metrics_open_slot_reports 2',
    'plugin_metrics_slots_left_out_total 0',
    'plugin_metrics_ready 1',
  ])
    assert.ok(metrics.includes(`\n${line}\n`), `${line}\n${metrics}`);
  started.signal('SIGTERM');
  assert.equal((await started.ended).code, 0);
});

test('a start says the options that are not at their defaults, as they were given', async () => {
  await using started = await startCollect('--history', '2h', '--per-address', '64');
  await started.said(/: collect --store \S+ --port 0 --admin-port 0 --history 2h --slot 1d"/);
});

test('a store that is not there and a wrong file of countries stop the start', async () => {
  const text = directory.at('no.mmdb');
  writeFileSync(text, 'no database');
  const run = async (...argv: readonly string[]) => {
    const { code, stdout, stderr } = await runProgram(['collect', '--port', '0', ...argv]);
    assert.deepEqual([code, stdout], [1, '']);
    return messagesIn(stderr);
  };
  assert.equal(await run('--store', store, '--geoip', text), `error: ${text} is not a MaxMind database\n`);
  assert.match(await run('--store', directory.at('missing.db')), /^error: there is no store at /);
});

test('two collectors on the same file take reports, and each knows those from before its start', async () => {
  await using first = await startCollect();
  assert.equal(await sendReport(first.url, 'g'), 202);
  await using second = await startCollect();
  assert.equal(await sendReport(second.url, 'g'), 429);
  const both = await Promise.all([sendReport(first.url, 'h'), sendReport(second.url, 'i')]);
  assert.deepEqual(both, [202, 202]);
});

test('a store that is restored beside a collector gets the reports that follow, and the log says which it lost', async () => {
  const [moved, backup] = [directory.at('moved.db'), directory.at('moved.bak')];
  await makeCollectingStore(moved);
  await runProgram(['backup', backup, '--store', moved]);
  await using started = await startCollecting(moved);
  assert.equal(await sendReport(started.url, 'a'), 202);
  for (const suffix of ['', '-wal', '-shm', '-reports', '-reports-wal', '-reports-shm'])
    renameSync(moved + suffix, directory.at(`away.db${suffix}`));
  assert.equal((await runProgram(['restore', backup, '--store', moved])).code, 0);
  await started.said(/moved\.db-reports was moved or replaced: the reports in it are not counted/);
  let status = 503;
  while (status === 503) status = await sendReport(started.url, 'a');
  assert.equal(status, 202);
  await using reports = await openSqliteStore(moved).openReports();
  assert.deepEqual(await countLogged(reports), { plugin: 1, global: 1, servers: 1 });
});

test('wrong options are named', async () => {
  for (const [option, value] of [
    ['--slot', '7m'],
    ['--slot', '2d'],
    ['--history', 'often'],
    ['--per-address', '0'],
  ] as const) {
    const { code, stderr } = await runProgram(['collect', '--store', store, option, value]);
    assert.equal(code, 2);
    assert.match(messagesIn(stderr), new RegExp(`^error: .*${option}`));
  }
});

test('countries of a file are counted by the address that a trusted proxy names', async () => {
  const file = directory.at('countries.mmdb');
  writeFileSync(file, countryDatabase([{ network: '198.51.100.0/24', code: 'DE', name: 'Germany' }]));
  await using started = await startCollect('--geoip', file, '--trust-proxy', '127.0.0.1/32');
  assert.equal(await sendReport(started.url, 'f', {}, { 'x-forwarded-for': '198.51.100.7' }), 202);
  await using reports = await openSqliteStore(store).openReports();
  const countries = [];
  for (const { start } of await reports.listSlots())
    for await (const text of reports.readLog(start))
      for (const { plugins, globalPlugin } of parseLines(text))
        for (const [, ...values] of [...plugins, ...(globalPlugin === null ? [] : [globalPlugin])])
          countries.push(...values.filter(([chart]) => chart.startsWith('location')));
  // Those of the plugin and of the global plugin.
  const both = [
    ['location simple_pie', 'Germany', 1],
    ['locationMap simple_map', 'DE', 1],
  ];
  assert.deepEqual(countries, [...both, ...both]);
});
