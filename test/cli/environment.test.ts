// Environment variables that match no option, and empty variables.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
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
