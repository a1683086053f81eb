// The reporter for Java, compiled for Java 8 and run against a real collector. The glue for Bukkit, Velocity,
// Fabric and NeoForge is compiled against stubs of the few calls that it makes, so that it is known to fit
// those, and no more.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { RecordingServer } from './support/recording-server.ts';
import { slotStart, TestCollector } from './support/test-collector.ts';

const run = promisify(execFile);
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const directory = directoryOfFile();
const classes = directory.at('classes');
let folderCount = 0;
const newFolder = () => directory.at(`folder-${folderCount++}`);
const settingsIn = (folder: string) => join(folder, 'plugin-metrics', 'reporter.properties');

before(async () => {
  const sources = globSync(['reporter/java/**/*.java', 'test/reporter/**/*.java'], { cwd: checkout });
  const warnings = ['-Xlint:all', '-Xlint:-options', '-Werror'];
  await run('javac', ['--release', '8', '-encoding', 'UTF-8', ...warnings, '-d', classes, ...sources], {
    cwd: checkout,
  });
});

/** Runs the reporter; returns the lines that it prints, and those that it logs. */
async function trial(what: string, address: string, folder = newFolder()) {
  const { stdout, stderr } = await run('java', [
    '-cp',
    classes,
    'pluginmetrics.ReporterTrial',
    what,
    address,
    folder,
  ]);
  return { lines: stdout.trimEnd().split('\n'), log: stderr };
}

function settle(folder: string, text: string): void {
  mkdirSync(dirname(settingsIn(folder)), { recursive: true });
  writeFileSync(settingsIn(folder), text);
}

test('a collector counts what is reported, of every kind of chart', async () => {
  await using collector = await TestCollector.start(directory.at('charts.db'), 'other');
  const folder = newFolder();
  const { lines, log } = await trial('charts', collector.url, folder);
  assert.deepEqual([lines, log], [['202'], '']);
  assert.deepEqual((await trial('twice', collector.url, folder)).lines, ['429', '429']);
  assert.deepEqual((await trial('charts', collector.url)).lines, ['202'], 'another server');
  assert.deepEqual(await collector.closeSlot(), {
    backend: [{ name: 'sqlite "\\😀</script>', y: 2 }],
    features: [{ name: 'search', y: 2 }],
    tools: {
      drilldownData: [{ name: 'editor', id: 'editor', data: [['vi', 4]] }],
      seriesData: [{ name: 'editor', y: 4, drilldown: 'editor' }],
    },
    worlds: [[slotStart, 7]],
    modes: [{ name: 'fast', data: [8] }],
    sizes: [{ name: 'small', data: [2, 4] }],
  });
});

for (const [what, software, expected] of [
  ['bukkit', 'bukkit', { players: [[slotStart, 3]], minecraftVersion: [{ name: '1.21', y: 1 }] }],
  ['folia', 'bukkit', { serverSoftware: [{ name: 'Paper', y: 1 }], onlineMode: [{ name: 'online', y: 1 }] }],
  [
    'velocity',
    'velocity',
    { managed_servers: [[slotStart, 2]], onlineMode: [{ name: 'offline', y: 1 }], players: [[slotStart, 3]] },
  ],
  ['fabric', 'fabric', { players: [[slotStart, 3]] }],
  ['neoforge', 'neoforge', { players: [[slotStart, 3]] }],
] as const) {
  test(`the glue for ${what} reports what the default charts need`, async () => {
    await using collector = await TestCollector.start(directory.at(`${what}.db`), software);
    assert.deepEqual((await trial(what, collector.url)).lines, ['202']);
    const data = await collector.closeSlot();
    for (const [chartId, values] of Object.entries(expected))
      assert.deepEqual(data[chartId], values, chartId);
    assert.deepEqual(data['pluginVersion'], [{ name: '1.4', y: 1 }]);
    assert.deepEqual(data['servers'], [[slotStart, 1]]);
  });
}

describe('the settings', () => {
  test('are made at the first report, with an id of the server', async () => {
    await using server = await RecordingServer.start();
    const folder = newFolder();
    await trial('twice', server.url, folder);
    const ids = server.requests.map(({ report }) => report['serverUUID']);
    assert.equal(ids.length, 2);
    assert.equal(new Set(ids).size, 1);
    assert.match(readFileSync(settingsIn(folder), 'utf8'), new RegExp(`^server-id=${ids[0]}$`, 'm'));
    assert.match(String(ids[0]), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('that do not say yes, or have no id, send nothing', async () => {
    await using server = await RecordingServer.start();
    for (const text of ['enabled=false\nserver-id=a\n', 'enabled=yes\nserver-id=a\n', 'enabled=true\n', '']) {
      const folder = newFolder();
      settle(folder, text);
      assert.deepEqual((await trial('charts', server.url, folder)).lines, ['0'], text);
    }
    const folder = newFolder();
    mkdirSync(settingsIn(folder), { recursive: true });
    assert.deepEqual((await trial('charts', server.url, folder)).lines, ['0'], 'a folder');
    assert.equal(server.requests.length, 0);
  });

  test('that ask for a log have every report and every fault in it', async () => {
    const folder = newFolder();
    settle(folder, 'enabled=true\nlog=true\nserver-id=a\n');
    const server = await RecordingServer.start(404);
    const address = server.url;
    const answered = await trial('charts', address, folder);
    await server[Symbol.asyncDispose]();
    assert.deepEqual(answered.lines, ['404']);
    assert.equal(
      answered.log.replace(/\{"serverUUID":"a".*\}/, '{}'),
      `the collector of plugin metrics, ${address}/api/v2/data/other, answered 404 to {}: why not  [2J\n`,
    );
    const failed = await trial('charts', address, folder);
    assert.deepEqual(failed.lines, ['0']);
    assert.match(failed.log, /^no report of plugin metrics was sent to .*: java\.net\.ConnectException.*\n$/);
  });
});

test('a redirect is not followed', async () => {
  await using server = await RecordingServer.start(302, { location: '/elsewhere' });
  assert.deepEqual((await trial('charts', `${server.url}/metrics/`)).lines, ['302']);
  const [request, ...others] = server.requests;
  assert.equal(others.length, 0);
  assert.deepEqual([request?.method, request?.path], ['POST', '/metrics/api/v2/data/other']);
  assert.equal(request?.headers['content-type'], 'application/json');
});

test('reports are planned 3 to 6 minutes after the start, and every half hour', async () => {
  const { lines } = await trial('times', 'http://127.0.0.1:1');
  const [first = 0, ...others] = lines.map(Number);
  assert.ok(first >= 179_900 && first < 360_000, `${first}`);
  assert.equal(others.length, 2);
  // The clock of the trial goes on a little; the first report begins its minutes early.
  for (const [index, delay] of others.entries()) {
    const planned = first + (index + 1) * 1_800_000;
    assert.ok(delay <= planned && delay > planned - 20_000, `${delay}`);
  }
});

test('a wrong address, software or id is a mistake of the author', async () => {
  assert.deepEqual(
    (await trial('mistakes', 'http://127.0.0.1:1')).lines,
    Array.from({ length: 5 }, () => 'refused'),
  );
});
