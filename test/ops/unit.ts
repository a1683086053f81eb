/** The systemd unit as systemd reads it. Run by `npm run test:ops`; needs root and Debian's systemd and strace. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { readDocument } from '../doc-tables.ts';
import { sampleFile } from '../http/support/sample-file.ts';
import { checkout } from '../package/installed-package.ts';
import { mainPath } from '../support/run-program.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { findProgram } from './proxy.ts';

const unit = join(checkout, 'ops/plugin-metrics.service');
/** Of Debian's nobody. */
const user = 65_534;

test('systemd has nothing to say against the unit', () => {
  const { status, stderr } = analyze('verify', unit);
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('systemd calls the unit well confined', () => {
  // Of 10; from 2.0 on it says "medium". What is left is the network, and the user that the store belongs to.
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', unit);
  assert.equal(status, 0, stdout);
});

test('an import and two workers that draw make no system call that the unit refuses', {
  timeout: 60_000,
}, async () => {
  assert.equal(
    process.getuid?.(),
    0,
    'this test runs the program as another user, and only root may do that',
  );
  using folder = temporaryDirectory();
  chownSync(folder.path, user, user);
  const store = folder.at('metrics.db');
  const imported = traced(folder.at('import'), ['import', '--store', store, sampleFile]);
  assert.deepEqual(await once(imported, 'close'), [0, null]);
  const server = traced(folder.at('serve'), ['serve', '--store', store, '--port', '0', '--workers', '2']);
  const [line] = await once(server.stdout, 'data');
  const base = /http:\S+/.exec(String(line))?.[0];
  for (const path of ['/', '/embed/1337.svg', '/embed/1337.png', '/api/v1/plugins'])
    assert.equal((await fetch(base + path)).status, 200, path);
  const traces = [readFileSync(folder.at('import'), 'utf8'), readFileSync(folder.at('serve'), 'utf8')];
  // The first process that is traced is the program.
  process.kill(Number(/^\d+/.exec(traces[1] ?? '')?.[0]), 'SIGTERM');
  await once(server, 'close');
  const calls = new Set([...traces.join('').matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = '']) => name));
  assert.ok(calls.size > 30);
  const allowed = allowedCalls();
  assert.deepEqual(
    [...calls].filter((name) => !allowed.has(name)),
    [],
  );
});

/** Runs the program without root, with its system calls in a file. */
function traced(file: string, argv: readonly string[]) {
  const asUser = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs'];
  const strace = [findProgram('strace'), '-f', '-qq', '-o', file, process.execPath, mainPath, ...argv];
  return spawn('setpriv', [...asUser, ...strace], {
    env: { ...process.env, XDG_CACHE_HOME: dirname(file) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** What the lines of the unit let through: a set in one, less those of another. */
function allowedCalls(): ReadonlySet<string> {
  const allowed = new Set<string>();
  for (const [, not, names = ''] of readDocument('ops/plugin-metrics.service').matchAll(
    /^SystemCallFilter=(~?)(.*)$/gm,
  ))
    for (const call of names.split(' ').flatMap(callsOf))
      if (not === '~') allowed.delete(call);
      else allowed.add(call);
  return allowed;
}

function callsOf(set: string): readonly string[] {
  const lines = analyze('syscall-filter', set).stdout.split('\n').slice(1);
  const names = lines.map((line) => line.trim()).filter((line) => /^[@a-z]/.test(line));
  return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}

function analyze(...argv: readonly string[]) {
  return spawnSync(findProgram('systemd-analyze', 'systemd'), argv, { encoding: 'utf8' });
}
