// The reporter for Node, against a real collector and against servers that do not answer as it hopes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defaultSettingsFile, type ReporterOptions, startReporter } from '../../src/reporter/reporter.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { RecordingServer } from './support/recording-server.ts';
import { slotStart, TestCollector, testPluginId } from './support/test-collector.ts';

const directory = directoryOfFile();
let fileCount = 0;
const newFile = () => directory.at(`file-${fileCount++}`);

const minuteMs = 60_000;

/** Starts a reporter that ends with the test. */
function start(
  t: TestContext,
  options: Partial<ReporterOptions> & Pick<ReporterOptions, 'address'>,
): ReturnType<typeof startReporter> & { readonly said: string[]; readonly settingsFile: string } {
  const said: string[] = [];
  const settingsFile = newFile();
  const reporter = startReporter({
    pluginId: testPluginId,
    settingsFile,
    log: (line) => said.push(line),
    ...options,
  });
  t.after(() => reporter.stop());
  return { ...reporter, said, settingsFile: options.settingsFile ?? settingsFile };
}

test('a collector counts what is reported, of every kind of chart', async (t) => {
  await using collector = await TestCollector.start(newFile(), 'other');
  const options: ReporterOptions = {
    address: collector.url,
    pluginId: testPluginId,
    version: '1.4',
    charts: {
      backend: () => 'sqlite',
      features: async () => ({ search: 1, export: 2 }),
      tools: () => ({ editor: { vi: 1, ed: 2 } }),
      worlds: () => 3.5,
      modes: () => ({ fast: [4] }),
      sizes: () => ({ small: [1, 2] }),
    },
  };
  assert.equal(await start(t, options).report(), 202);
  assert.equal(
    await start(t, { ...options, charts: { worlds: () => 1, backend: () => 'sqlite' } }).report(),
    202,
  );
  const data = await collector.closeSlot();
  assert.deepEqual(data, {
    backend: [{ name: 'sqlite', y: 2 }],
    features: [
      { name: 'export', y: 2 },
      { name: 'search', y: 1 },
    ],
    tools: {
      drilldownData: [
        {
          name: 'editor',
          id: 'editor',
          data: [
            ['ed', 2],
            ['vi', 1],
          ],
        },
      ],
      seriesData: [{ name: 'editor', y: 3, drilldown: 'editor' }],
    },
    worlds: [[slotStart, 4.5]],
    modes: [{ name: 'fast', data: [4] }],
    sizes: [{ name: 'small', data: [1, 2] }],
  });
});

test('one machine counts once in half an hour', async (t) => {
  await using collector = await TestCollector.start(newFile(), 'other');
  const { report } = start(t, { address: collector.url });
  assert.deepEqual([await report(), await report()], [202, 429]);
});

test('says what it is asked to, in a request that nothing is to answer but a status', async (t) => {
  await using server = await RecordingServer.start(302, { location: '/elsewhere' });
  const { report, settingsFile } = start(t, {
    address: `${server.url}/metrics/`,
    software: 'bukkit',
    version: '1.4',
    fields: {
      playerAmount: () => 7,
      onlineMode: async () => true,
      none: () => undefined,
      broken: () => {
        throw new Error('no such field');
      },
    },
    charts: {
      backend: () => '"><script>',
      none: () => null,
      late: () => Promise.reject(new Error('no such value')),
    },
  });
  assert.equal(await report(), 302);
  assert.equal(server.requests.length, 1, 'a redirect is not followed');
  const [request] = server.requests;
  assert.deepEqual([request?.method, request?.path], ['POST', '/metrics/api/v2/data/bukkit']);
  assert.equal(request?.headers['content-type'], 'application/json');
  assert.equal(request?.headers['content-encoding'], 'gzip');
  const { serverUUID, osName, osArch, osVersion, ...others } = request?.report ?? {};
  assert.match(readFileSync(settingsFile, 'utf8'), new RegExp(`^server-id=${serverUUID}$`, 'm'));
  for (const fact of [osName, osArch, osVersion]) assert.match(String(fact), /./);
  assert.deepEqual(others, {
    coreCount: availableParallelism(),
    playerAmount: 7,
    onlineMode: true,
    service: {
      id: testPluginId,
      pluginVersion: '1.4',
      customCharts: [{ chartId: 'backend', data: { value: '"><script>' } }],
    },
  });
});

test('a value that takes longer than ten seconds is left out, and the others are sent', async (t) => {
  await using server = await RecordingServer.start();
  const never = () => new Promise<never>(() => {});
  let begun = 0;
  const { report } = start(t, {
    address: server.url,
    fields: { playerAmount: never, onlineMode: () => true },
    charts: {
      stuck: () => {
        begun++;
        return never();
      },
      backend: async () => 'sqlite',
    },
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const answered = report();
  while (begun === 0) await nextTurn();
  t.mock.timers.tick(9_999);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  assert.equal(server.requests.length, 0);
  t.mock.timers.tick(1);
  assert.equal(await answered, 202);
  const { service, playerAmount, onlineMode } = server.requests[0]?.report ?? {};
  assert.deepEqual([playerAmount, onlineMode], [undefined, true]);
  assert.deepEqual((service as { customCharts?: unknown }).customCharts, [
    { chartId: 'backend', data: { value: 'sqlite' } },
  ]);
});

describe('the settings', () => {
  test('are made once, and shared', async (t) => {
    await using server = await RecordingServer.start();
    const settingsFile = join(newFile(), 'deep', 'reporter.properties');
    const shared = { address: server.url, settingsFile };
    await Promise.all([1, 2, 3].map((pluginId) => start(t, { ...shared, pluginId }).report()));
    // One that found the file half written reports the next time.
    await start(t, shared).report();
    assert.equal(new Set(server.requests.map(({ report }) => report['serverUUID'])).size, 1);
    assert.match(defaultSettingsFile, /[/\\]plugin-metrics[/\\]reporter\.properties$/);
  });

  const refusals: readonly (readonly [what: string, text: string])[] = [
    ['say no', 'enabled=false\nserver-id=a\n'],
    ['say no last', 'enabled=true\r\nserver-id=a\r\n enabled = false\r\n'],
    ['say no with a colon', 'enabled=true\nserver-id=a\nenabled: false\n'],
    ['say no with a space', 'enabled=true\nserver-id=a\renabled false\r'],
    ['say something else', 'enabled=yes\nserver-id=a\n'],
    ['do not say', '# enabled=true\nserver-id=a\n'],
    ['have no server id', 'enabled=true\n'],
    ['are empty', ''],
  ];
  for (const [what, text] of refusals) {
    test(`that ${what} send nothing, until they are changed`, async (t) => {
      await using server = await RecordingServer.start();
      const { report, settingsFile } = start(t, { address: server.url });
      writeFileSync(settingsFile, text);
      assert.equal(await report(), undefined);
      assert.equal(server.requests.length, 0);
      writeFileSync(settingsFile, 'enabled = true\nserver-id=a\n');
      assert.equal(await report(), 202);
    });
  }

  test('that cannot be read or made send nothing', async (t) => {
    await using server = await RecordingServer.start();
    const folder = newFile();
    mkdirSync(folder);
    assert.equal(await start(t, { address: server.url, settingsFile: folder }).report(), undefined);
    const below = join(start(t, { address: server.url }).settingsFile, 'below');
    writeFileSync(join(below, '..'), '');
    assert.equal(await start(t, { address: server.url, settingsFile: below }).report(), undefined);
    assert.ok(!existsSync(below));
    assert.equal(server.requests.length, 0);
  });

  test('say nothing: the log has the first report that fails, but not that the collector has one already', async (t) => {
    await using busy = await RecordingServer.start(429);
    await using wrong = await RecordingServer.start(404);
    for (const [address, said] of [
      [busy.url, []],
      [wrong.url, [/answered 404/]],
      [
        'http://127.0.0.1:2',
        [/^no report of plugin metrics was sent to http:.*: TypeError: .+ \(.*ECONNREFUSED.*\)$/],
      ],
    ] as const) {
      const reporter = start(t, { address });
      for (let count = 0; count < 3; count++) await reporter.report();
      assert.equal(reporter.said.length, said.length, reporter.said.join('\n'));
      for (const [index, pattern] of said.entries()) assert.match(reporter.said[index] ?? '', pattern);
    }
  });

  test('that ask for a log have every report and every fault in it', async (t) => {
    await using server = await RecordingServer.start(404);
    const { report, said, settingsFile } = start(t, { address: server.url });
    writeFileSync(settingsFile, 'enabled=true\nlog=true\nserver-id=a\n');
    assert.equal(await report(), 404);
    // Nothing has this port, and no system hands it out. `fetch` would not try port 1.
    const away = { address: 'http://127.0.0.1:2', settingsFile };
    const alone = start(t, away);
    assert.equal(await alone.report(), undefined);
    assert.equal(
      said[0]?.replace(/\{.*\}/, '{}'),
      `the collector of plugin metrics, ${server.url}/api/v2/data/other, answered 404 to {}: why not  [2J`,
    );
    assert.match(said[0] ?? '', /\{"serverUUID":"a".*\}/);
    assert.match(alone.said[0] ?? '', /^no report of plugin metrics was sent to /);
    const deaf = start(t, {
      ...away,
      log: () => {
        throw new Error('the log is closed');
      },
    });
    assert.equal(await deaf.report(), undefined);
  });
});

for (const [random, firstMinutes] of [
  [0, 3],
  [0.5, 4.5],
] as const) {
  test(`reports come from minute ${firstMinutes} after the start on, every half hour, until it stops`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.mock.method(Math, 'random', () => random);
    let begun = 0;
    // A fact that never comes; when it is late, the report fails, because nothing is sent to port 1.
    const playerAmount = () => {
      begun++;
      return new Promise<never>(() => {});
    };
    const arrived = async (count: number) => {
      while (begun < count) await nextTurn();
      assert.equal(begun, count);
    };
    const { stop } = start(t, { address: 'http://127.0.0.1:1', fields: { playerAmount } });
    t.mock.timers.tick(firstMinutes * minuteMs - 1);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.equal(begun, 0);
    t.mock.timers.tick(1);
    await arrived(1);
    t.mock.timers.tick(30 * minuteMs - 1);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.equal(begun, 1);
    t.mock.timers.tick(1);
    await arrived(2);
    stop();
    t.mock.timers.tick(60 * minuteMs);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.equal(begun, 2);
  });
}

test('a reporter without an address or an id is a mistake of the author', () => {
  for (const [address, pluginId] of [
    ['metrics.example.org', 1],
    ['ftp://metrics.example.org', 1],
    ['https://:0:0', 1],
    ['https://metrics.example.org?token=1', 1],
    ['https://metrics.example.org', 0],
    ['https://metrics.example.org', 1.5],
  ] as const)
    assert.throws(() => startReporter({ address, pluginId }), {
      name: 'TypeError',
      message: new RegExp(`an address .* and a plugin id; got ${RegExp.escape(`${address}, ${pluginId}`)}$`),
    });
  assert.throws(
    () => startReporter({ address: 'https://user:secret@metrics.example.org', pluginId: 1 }),
    /got https:\/\/…@metrics\.example\.org, 1$/,
  );
});
