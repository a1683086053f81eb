// Environment variables that match no option, and empty variables.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { before, describe, test } from 'node:test';
import { readFonts } from '../../src/site/images/fonts.ts';
import { archiveText, softwareLine } from '../support/archive-text.ts';
import { endOf, messagesIn, type Run, runProgram, startProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const text = archiveText([softwareLine()]);
before(() => importText(directory.at('plugin-metrics.db'), text));

const run = (argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Run> =>
  runProgram(argv, { cwd: directory.path, env });

test('an unknown variable is reported', async () => {
  const ours = ['STROE', 'store', 'QUITE_ANOTHER', ''].map((name) => `PLUGIN_METRICS_${name}`);
  const near = ['PLUGIN_METRIC_STORE', 'PLUGINMETRICS_STORE', 'plugin_metrics_store', 'PLUGIN-METRICS-STORE'];
  for (const name of [...ours, ...near]) {
    assert.deepEqual(await run(['check'], { [name]: 'x' }), {
      code: 0,
      signal: null,
      stdout: 'plugin-metrics.db: no faults\n',
      stderr: `no option has the variable ${name}\n`,
    });
  }
});

test('what is meant for a mirror or for an import does not narrow a prune', async () => {
  const others = {
    PLUGIN_METRICS_PLUGIN: '7,8',
    PLUGIN_METRICS_CHART: 'players',
    PLUGIN_METRICS_AFTER: '1d',
  };
  assert.deepEqual(await run(['prune', '--dry-run'], { ...others, PLUGIN_METRICS_BEFORE: '1970-01-02' }), {
    code: 0,
    signal: null,
    stdout: 'would prune points before 1970-01-02T00:00:00.000Z: 0 charts, 0 points\n',
    stderr: 'no option has the variable PLUGIN_METRICS_AFTER\n',
  });
});

test('each unknown variable is reported on its own line, and only once for all processes', async () => {
  const child = startProgram(['serve', '--port', '0', '--workers', '2', '--admin-port', '0'], {
    cwd: directory.path,
    env: { PLUGIN_METRICS_PROT: '1', PLUGIN_METRICS_HOSTS: 'x', 'PLUGIN_METRICS_\n\u001b[2J': 'x' },
  });
  const ended = endOf(child);
  let said = '';
  for await (const block of child.stdout) {
    said += block;
    if (said.includes('admin on')) break;
  }
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0);
  assert.deepEqual(messagesIn(stderr).trimEnd().split('\n').sort(), [
    'no option has the variable PLUGIN_METRICS_HOSTS',
    'no option has the variable PLUGIN_METRICS_PROT',
    'no option has the variable PLUGIN_METRICS_\\n\\u001b[2J',
  ]);
});

test('the value of a variable that may contain a password is not printed', async () => {
  const { stderr } = await run(['check'], { 'PLUGIN_METRICS_postgres://me:secret@host/db': 'x' });
  assert.equal(stderr, 'no option has the variable …\n');
});

test('an empty variable counts as unset', async () => {
  const empty = { PLUGIN_METRICS_STORE: '', PLUGIN_METRICS_FORCE: '', PLUGIN_METRICS_UNKNOWN: '' };
  const exported = await run(['export'], empty);
  assert.deepEqual([exported.code, exported.stdout], [0, text]);
  assert.doesNotMatch(exported.stderr, /UNKNOWN/);
  const env = Object.fromEntries(
    ['PORT', 'HOST', 'MAX_AGE', 'LIVE_FIELDS', 'NO_SITE', 'TRUST_PROXY', 'ADMIN_PORT', 'WAIT'].map((name) => [
      `PLUGIN_METRICS_${name}`,
      '',
    ]),
  );
  const child = startProgram(['serve', '--port', '0'], { cwd: directory.path, env });
  const ended = endOf(child);
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, messagesIn(stderr)], [0, '']);
  assert.match(stdout, /^listening on http:\/\/127\.0\.0\.1:\d+\n$/);
});

describe('--check', () => {
  const password = 'postgres://me:secret@localhost:1/metrics';
  const files = () => readdirSync(directory.path).sort();

  for (const command of ['serve', 'collect'])
    test(`${command} --check prints the settings with their sources, opens the store, and changes nothing`, async () => {
      // An own copy, which no other test opens.
      const store = directory.at(`${command}.db`);
      await importText(store, text);
      const before = files();
      const env = {
        PLUGIN_METRICS_STORE: store,
        PLUGIN_METRICS_RATE_LIMIT: '7',
        PLUGIN_METRICS_LOG_REQUESTS: 'true',
      };
      const argv = [
        command,
        '--check',
        '--port',
        '1',
        '--trust-proxy',
        '10.0.0.0/8',
        '--trust-proxy',
        '::1',
        '--host',
        '127.0.0.1',
      ];
      assert.deepEqual(await run(argv, env), {
        code: 0,
        signal: null,
        stdout: [
          `--store ${store} (PLUGIN_METRICS_STORE)`,
          '--port 1 (command line)',
          ...(command === 'serve' ? ['--log-requests (PLUGIN_METRICS_LOG_REQUESTS)'] : []),
          '--trust-proxy 10.0.0.0/8,::1/128 (command line)',
          '--rate-limit 7 (PLUGIN_METRICS_RATE_LIMIT)',
          `the store ${store} can be opened`,
          '',
        ].join('\n'),
        stderr: '',
      });
      assert.deepEqual(files(), before);
    });

  test('a wrong setting ends with 2', async () => {
    const { code, stderr } = await run(['serve', '--check'], { PLUGIN_METRICS_TRUST_PROXY: '10.0.0.0/99' });
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^error: --trust-proxy \(PLUGIN_METRICS_TRUST_PROXY\): it must be an IP address or a network/,
    );
  });

  for (const argv of [
    ['collect', '--geoip', ''],
    ['notify', '--plugin', '7', '--webhook', 'http://127.0.0.1:9', '--state', ''],
    ['backup', '--keep', '2', ''],
    ['backup', ''],
    ['import', '-', ''],
    ['export', ''],
    ['publish', '--all', '--public-url', 'https://example.org', ''],
  ])
    test(`${argv[0]} refuses an empty name of a file before it does anything`, async () => {
      const before = files();
      const { code, stdout, stderr } = await run(argv, {});
      assert.deepEqual([code, stdout], [2, '']);
      const message = argv[0] === 'collect' ? messagesIn(stderr) : stderr;
      assert.match(message, /^error: (--geoip|--state|FILE|DIR).*: it must be a name, got ""\n/);
      assert.deepEqual(files(), before);
    });

  const failures: ReadonlyArray<readonly [argv: readonly string[], stderr: RegExp]> = [
    [['serve', '--store', 'none.db'], /^error: there is no store at none\.db; /],
    [['collect', '--store', 'none.db'], /^error: there is no store at none\.db; /],
    [['serve', '--store', 'text.db'], /^error: text\.db is not a plugin-metrics store; /],
    [
      ['collect', '--geoip', 'none.mmdb'],
      /^error: the countries in none\.mmdb cannot be read: there is no such file\n$/,
    ],
    [['collect', '--geoip', 'text.db'], /^error: text\.db is not a MaxMind database\n$/],
    [['collect', '--store', 'reported.db'], /^error: reported\.db-reports has no reports of this program/],
    [['serve', '--store', password], /^error: .*localhost.*/],
  ];
  for (const [argv, expected] of failures)
    test(`${argv.join(' ').replace(password, 'postgres://…')} --check ends with 1, and makes no file`, async () => {
      await importText(directory.at('reported.db'), text);
      writeFileSync(directory.at('reported.db-reports'), '');
      new DatabaseSync(directory.at('reported.db-reports')).exec('create table other (id)');
      writeFileSync(directory.at('text.db'), 'no database, and longer than the header of one'.repeat(30));
      const before = files();
      const { code, stdout, stderr } = await run([...argv, '--check'], {});
      assert.equal(code, 1);
      assert.match(stderr, expected);
      assert.doesNotMatch(stdout + stderr, /secret|can be opened/);
      assert.deepEqual(
        files().filter((name) => !before.includes(name)),
        [],
      );
    });

  test('fonts that cannot be read are a failure that names their folder', () => {
    assert.throws(() => readFonts(directory.at('fonts')), {
      code: 'unavailable',
      message: /^the fonts in \S+fonts cannot be read: ENOENT/,
    });
  });
});
