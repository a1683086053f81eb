/**
 * The installed package as the image runs it: without root privileges, on a file system where only the store's folder and a
 * temporary one are writable. Run by `npm run test:ops`; needs root and util-linux.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sampleFile } from '../http/support/sample-file.ts';
import { type InstalledPackage, installPackage } from '../package/installed-package.ts';
import { imageEnvironment } from './dockerfile.ts';

/** The user of the official image. */
const user = 1000;

let installed: InstalledPackage;
let writable: readonly string[] = [];

before(async () => {
  assert.equal(process.getuid?.(), 0, 'this test makes a file system read-only, and only root may do that');
  installed = await installPackage();
  writable = ['data', 'tmp'].map((name) => join(installed.folder, name));
  for (const folder of writable) {
    mkdirSync(folder);
    chownSync(folder, user, user);
  }
  copyFileSync(sampleFile, join(installed.folder, 'sample.ndjson.gz'));
});

after(() => installed[Symbol.dispose]());

test('the package imports and serves, with pictures, and logs nothing else', async () => {
  const imported = runConfined(['import', 'sample.ndjson.gz']);
  const [code] = await once(imported.child, 'close');
  assert.equal(code, 0, imported.stderr());
  assert.match(imported.stdout(), /^imported 6 software, .*\n$/);
  assert.equal(imported.stderr(), '');
  const { child, stdout, stderr } = runConfined([
    'serve',
    '--port',
    '0',
    '--admin-port',
    '0',
    '--host',
    '127.0.0.1',
  ]);
  while (!stdout().includes('admin on')) await once(child.stdout ?? assert.fail(), 'data');
  const [base = '', admin = ''] = [...stdout().matchAll(/http:\S+/g)].map(([url]) => url);
  assert.equal((await fetch(`${admin}/ready`)).status, 200);
  for (const path of ['/api/v1/plugins', '/', '/embed/1337.svg', '/embed/1337.png'])
    assert.equal((await fetch(base + path)).status, 200, path);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
  assert.equal(stderr(), '');
});

test('nothing else is writable', async () => {
  const touch = runConfined(['/tmp/written', '/dev/shm/written', 'written'], 'touch');
  await once(touch.child, 'close');
  assert.equal(touch.stderr().match(/Read-only file system/g)?.length, 3, touch.stderr());
});

interface Confined {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** Runs a program in its own mounts: everything is read-only except the folder of the store. */
function runConfined(argv: readonly string[], program = 'node_modules/.bin/plugin-metrics'): Confined {
  const confine = `
    set -eu
    for place in $WRITABLE; do mount --bind "$place" "$place"; done
    for place in $(cut -d ' ' -f 2 /proc/self/mounts); do
      case $place in "$PWD"/* | /proc | /proc/* | /sys | /sys/*) continue ;; esac
      mount -o remount,bind,ro "$place" || true
    done
    exec setpriv --reuid ${user} --regid ${user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;
  const child = spawn('unshare', ['--mount', 'sh', '-c', confine, 'sh', program, ...argv], {
    cwd: installed.folder,
    env: {
      ...imageEnvironment(),
      PATH: `${join(process.execPath, '..')}:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: '/nonexistent',
      WRITABLE: writable.join(' '),
      PLUGIN_METRICS_STORE: `sqlite:${join(installed.folder, 'data/metrics.db')}`,
      XDG_CACHE_HOME: join(installed.folder, 'tmp'),
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  return { child, stdout: () => stdout, stderr: () => stderr };
}
