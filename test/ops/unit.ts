/**
 * The systemd units as systemd reads them, and the effect of their commands. Run by `npm run test:ops`; needs
 * root and Debian's systemd and strace.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { readDocument } from '../doc-tables.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { checkout } from '../package/installed-package.ts';
import { mainPath, runProgram } from '../support/run-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { findProgram } from './proxy.ts';

const folderOfUnits = 'ops/systemd';
/** The part that the other services have in common. */
const common = `${folderOfUnits}/plugin-metrics-.service.d/common.conf`;
const services = globSync(`${folderOfUnits}/*.service`, { cwd: checkout });
const timers = globSync(`${folderOfUnits}/*.timer`, { cwd: checkout });
/** The user `nobody` of Debian. */
const user = 65_534;

for (const unit of [...services, ...timers])
  test(`systemd accepts ${basename(unit)} without complaints`, () => {
    const { status, stderr } = analyze('verify', join(checkout, unit));
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });

for (const unit of services)
  test(`systemd rates the confinement of ${basename(unit)} as good`, () => {
    // Out of 10; from 2.0 on it says "medium". The rest is the network, and the user that owns the store.
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', join(checkout, unit));
    assert.equal(status, 0, stdout);
  });

test('no service is started again and again for wrong usage', () => {
  const restarting = services.map(readDocument).filter((unit) => unit.includes('\nRestart='));
  assert.equal(restarting.length, 4);
  for (const unit of restarting) assert.match(unit, /^RestartPreventExitStatus=2$/m);
});

test('every timer starts an existing service', () => {
  assert.ok(timers.length > 0);
  for (const timer of timers) assert.ok(services.includes(timer.replace('.timer', '.service')), timer);
});

test('the backup service makes a backup, and removes old ones', async () => {
  using folder = temporaryDirectory();
  const store = folder.at('metrics.db');
  assert.equal((await runProgram(['import', '--store', store, sampleFile])).code, 0);
  const backups = folder.at('plugin-metrics-backups');
  mkdirSync(backups);
  const old = 'metrics-2026-01-01-031000.ndjson.gz';
  const others = ['metrics-before-the-move.db', 'notes'];
  const own = Array.from(
    { length: 31 },
    (_, day) => `metrics-2026-01-${String(day + 1).padStart(2, '0')}T031000.000Z.db.zst`,
  );
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  for (const name of [old, ...others, ...own]) writeFileSync(join(backups, name), '');
  for (const name of [old, ...others]) utimesSync(join(backups, name), longAgo, longAgo);
  const program = folder.at('plugin-metrics');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${mainPath}' "$@"\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder.path}:${process.env['PATH']}`, PLUGIN_METRICS_STORE: store };
  const unit = readDocument(`${folderOfUnits}/plugin-metrics-backup.service`);
  // On PostgreSQL the service writes archives.
  for (const [, command = ''] of `${archiveCommands()}\n${unit}`.matchAll(/^Exec\w+=(.+)$/gm)) {
    const meanings: Readonly<Record<string, string>> = { '%S': folder.path, '%%': '%', $$: '$' };
    const asShell = command.replaceAll(/%S|%%|\$\$/g, (sign) => meanings[sign] ?? '');
    const { status, stderr } = spawnSync('sh', ['-c', asShell], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  const left = readdirSync(backups).sort();
  const kept = [...others, ...own.slice(-29)];
  assert.deepEqual(
    left.filter((name) => [...kept, old, ...own].includes(name)),
    kept.sort(),
  );
  const made = left.filter((name) => !kept.includes(name));
  assert.deepEqual(made.map((name) => name.replaceAll(/\d/g, 'N')).sort(), [
    'metrics-NNNN-NN-NN-NNNNNN.ndjson.gz',
    'metrics-NNNN-NN-NNTNNNNNN.NNNZ.db.zst',
  ]);
});

/** The commands that docs/operating.md gives the backup service on PostgreSQL. */
function archiveCommands(): string {
  const document = readDocument('docs/operating.md');
  return /^ExecStart=.*plugin-metrics export.*\n#.*\nExecStartPost=.*$/m.exec(document)?.[0] ?? '';
}

test('no command and no drawing worker makes a system call that the units forbid', async () => {
  assert.equal(
    process.getuid?.(),
    0,
    'this test runs the program as another user, and only root may do that',
  );
  using folder = temporaryDirectory();
  chownSync(folder.path, user, user);
  const store = folder.at('metrics.db');
  const commands = {
    import: [sampleFile],
    backup: [folder.at('backup.db')],
    check: [],
    prune: ['--before', '2026-06-01'],
  };
  for (const [command, argv] of Object.entries(commands)) {
    const run = traced(folder.at(command), [command, '--store', store, ...argv]);
    assert.deepEqual(await once(run, 'close'), [0, null], command);
  }
  const serving = traced(folder.at('serve'), [
    ...['serve', '--store', store, '--port', '0', '--admin-port', '0', '--workers', '2'],
  ]);
  const [lines] = await once(serving.stdout, 'data');
  const [base, admin] = String(lines).match(/http:\S+/g) ?? [];
  for (const path of ['/', '/embed/1337.svg', '/embed/1337.png', '/api/v1/plugins'])
    assert.equal((await fetch(base + path)).status, 200, path);
  assert.equal((await fetch(`${admin}/metrics`)).status, 200);
  const mirror = [
    'mirror',
    base ?? '',
    '--plugin',
    '1337',
    '--rate',
    '100',
    '--store',
    folder.at('mirror.db'),
  ];
  assert.deepEqual(await once(traced(folder.at('mirror'), mirror), 'close'), [0, null]);
  endTraced(folder.at('serve'));
  await once(serving, 'close');
  const files = [...Object.keys(commands), 'mirror', 'serve'];
  const traces = files.map((name) => readFileSync(folder.at(name), 'utf8'));
  const calls = new Set([...traces.join('').matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = '']) => name));
  assert.ok(calls.size > 30);
  const allowed = allowedCalls();
  assert.deepEqual(
    [...calls].filter((name) => !allowed.has(name)),
    [],
  );
});

/** Stops the first process in a file of system calls, which is the program. */
function endTraced(file: string): void {
  process.kill(Number(/^\d+/.exec(readFileSync(file, 'utf8'))?.[0]), 'SIGTERM');
}

/** Runs the program without root, and writes its system calls to a file. */
function traced(file: string, argv: readonly string[], options: readonly string[] = []) {
  const asUser = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs'];
  const strace = [
    findProgram('strace'),
    '-f',
    '-qq',
    '-o',
    file,
    ...options,
    process.execPath,
    mainPath,
    ...argv,
  ];
  return spawn('setpriv', [...asUser, ...strace], {
    env: { ...process.env, XDG_CACHE_HOME: dirname(file) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/**
 * The system calls that the unit allows: its lines add sets and calls, and take them away, in their order.
 */
function allowedCalls(): ReadonlySet<string> {
  const allowed = new Set<string>();
  for (const [, not, names = ''] of readDocument(common).matchAll(/^SystemCallFilter=(~?)(.*)$/gm))
    for (const call of names.split(' ').flatMap(callsOf))
      if (not === '~') allowed.delete(call);
      else allowed.add(call);
  return allowed;
}

function callsOf(set: string): readonly string[] {
  if (!set.startsWith('@')) return [set];
  const lines = analyze('syscall-filter', set).stdout.split('\n').slice(1);
  const names = lines.map((line) => line.trim()).filter((line) => /^[@a-z]/.test(line));
  return names.flatMap(callsOf);
}

function analyze(...argv: readonly string[]) {
  return spawnSync(findProgram('systemd-analyze', 'systemd'), argv, { encoding: 'utf8' });
}
