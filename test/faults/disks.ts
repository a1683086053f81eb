/**
 * Stores on disks that are full, read-only or broken: reads continue as far as possible, commands end with
 * the reason, no files are left behind and space is freed. Run by `npm run test:faults`; needs root and
 * strace.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { olderText, writeOlder } from '../support/older-stores.ts';
import { runProcess } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { mountMemory } from './support/disks.ts';
import { importCase } from './support/interrupted-import.ts';
import { runTraced, startTraced } from './support/programs.ts';
import { serveProgram } from './support/served-program.ts';

const directory = directoryOfFile();
const of = await importCase(directory.at('case'), false);
const good = of.prepare('good');
const calls = 'pread64';
const fullDisk =
  /^error: the store \S+ cannot be used: the disk is full: make room on the disk of \S+(, or of \S+)?\n$/;

test('an import onto a full disk fails with the reason, and works once there is space', async () => {
  using disk = mountMemory(directory.at('full'), 1024 * 1024);
  const store = join(disk.path, 'store.db');
  copyFileSync(good, store);
  await using server = await serveProgram(store);
  const target = '/api/v1/plugins/7/charts/line3/data';
  const before = await server.get(target);
  const filler = join(disk.path, 'filler');
  for (const leftBytes of [64 * 1024, 0]) {
    fill(filler, disk.path, leftBytes);
    const free = freeBytes(disk.path);
    const run = await runProcess(['import', '--store', store, of.archiveFile]);
    assert.equal(run.code, 1);
    assert.match(run.stderr, fullDisk);
    assertDocumented(run.stderr);
    assert.deepEqual(await server.get(target), before);
    assert.equal(freeBytes(disk.path), free, 'space comes back');
    rmSync(filler);
  }
  assert.deepEqual(readdirSync(disk.path).sort(), ['store.db', 'store.db-shm', 'store.db-wal']);
  assert.equal((await runProcess(['import', '--store', store, of.archiveFile])).code, 0);
  assert.notDeepEqual(await server.get(target), before);
  assert.equal(await examineCopy(store), 'after');
});

test('an upgrade without room for the backup is refused before it does anything, and works once there is space', async () => {
  using disk = mountMemory(directory.at('older'), 4 * 1024 * 1024);
  const store = join(disk.path, 'store.db');
  writeOlder(store);
  const names = readdirSync(disk.path);
  const filler = join(disk.path, 'filler');
  for (const [leftBytes, options] of [
    [1100 * 1024, []],
    [512 * 1024, ['--no-backup']],
  ] as const) {
    fill(filler, disk.path, leftBytes);
    const run = await runProcess(['upgrade', '--store', store, ...options]);
    assert.equal(run.code, 1);
    assert.match(
      run.stderr,
      /^error: the store \S+ was not changed, as the disk is full: make room on the disk of [^,\n]+(, or use --no-backup if you have a backup)?\n$/,
    );
    rmSync(filler);
    assert.deepEqual(readdirSync(disk.path), names);
  }
  assert.equal((await runProcess(['upgrade', '--store', store])).code, 0);
  assert.equal(await exportText(store), olderText);
});

test('an upgrade whose writes fail for lack of space leaves the store as it was', async () => {
  using disk = mountMemory(directory.at('writes'), 4 * 1024 * 1024);
  const store = join(disk.path, 'store.db');
  const failing = { calls: 'pwrite64', inject: 'pwrite64:error=ENOSPC', paths: [`${store}-wal`] };
  writeOlder(store);
  const run = await runTraced(failing, ['upgrade', '--no-backup', '--store', store]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, fullDisk);
  assert.equal((await runProcess(['upgrade', '--store', store])).code, 0);
  assert.equal(await exportText(store), olderText);
});

test('a store that cannot be created on a full disk leaves no files', async () => {
  using disk = mountMemory(directory.at('new'), 128 * 1024);
  const store = join(disk.path, 'store.db');
  const run = await runProcess(['import', '--store', store, of.archiveFile]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, fullDisk);
  assert.deepEqual(readdirSync(disk.path), []);
});

test('an export, a backup and a restore onto a full disk name its folder, and leave no files', async () => {
  using disk = mountMemory(directory.at('small'), 64 * 1024);
  const places = ['archive', 'archive.zst', 'copy.db'].map((name) => join(disk.path, name));
  const [plain = '', zst = '', copy = ''] = places;
  for (const argv of [
    ['export', plain, '--store', good],
    ['export', zst, '--store', good],
    ['backup', copy, '--store', good],
    ['backup', '--keep', '1', disk.path, '--store', good],
    ['restore', good, '--store', copy],
  ]) {
    const run = await runProcess(argv);
    assert.equal(run.code, 1);
    assert.match(run.stderr, /^error: [^\n]*: the disk is full: make room on the disk of \S+\n$/);
    assert.ok(run.stderr.endsWith(` of ${disk.path}\n`), run.stderr);
    assertDocumented(run.stderr);
    assert.deepEqual(readdirSync(disk.path), []);
  }
});

test('a backup and a restore whose compressed or decompressed copy finds no room leave no files', async () => {
  const store = directory.at('random.db');
  const data = JSON.stringify({ text: randomBytes(100_000).toString('base64') });
  await importText(
    store,
    archiveText([softwareLine(), pluginLine(), chartLine({ type: 'custom' }), dataLine('players', data)]),
  );
  const packed = directory.at('packed');
  mkdirSync(packed);
  assert.equal((await runProcess(['backup', '--keep', '1', packed, '--store', store])).code, 0);
  const [name = ''] = readdirSync(packed);
  const copyBytes = statSync(store).size;
  for (const [bytes, argv] of [
    [copyBytes + 32 * 1024, (path: string) => ['backup', '--keep', '1', path, '--store', store]],
    [copyBytes / 2, (path: string) => ['restore', join(packed, name), '--store', join(path, 'copy.db')]],
  ] as const) {
    using disk = mountMemory(directory.at(`room-${bytes}`), bytes);
    const run = await runProcess(argv(disk.path));
    assert.equal(run.code, 1);
    assert.match(run.stderr, /^error: [^\n]*: the disk is full: make room on the disk of \S+\n$/);
    assertDocumented(run.stderr);
    assert.deepEqual(readdirSync(disk.path), []);
  }
});

test('a compaction whose temporary file finds no room names the folder of that too', async () => {
  using disk = mountMemory(directory.at('temporary'), 64 * 1024);
  const store = directory.at('compacted.db');
  const data = JSON.stringify(Array.from({ length: 900 }, (_, y) => ({ name: `${y}`.padEnd(200, '.'), y })));
  const charts = Array.from({ length: 30 }, (_, index) => {
    const chartId = `pie${index}`;
    return [chartLine({ chartId, uid: 1 + index, type: 'simple_pie', data: {} }), dataLine(chartId, data)];
  });
  await importText(store, archiveText([softwareLine(), pluginLine(), ...charts.flat()]));
  const run = await runProcess(['compact', '--store', store], { env: { SQLITE_TMPDIR: disk.path } });
  assert.equal(run.code, 1);
  assert.match(run.stderr, fullDisk);
  assert.ok(run.stderr.endsWith(`, or of ${disk.path}\n`), run.stderr);
  assertDocumented(run.stderr);
});

test('a store on a read-only disk is read and served, and a command that writes gives the reason', async () => {
  using disk = mountMemory(directory.at('read-only'), 8 * 1024 * 1024);
  const store = join(disk.path, 'store.db');
  copyFileSync(good, store);
  writeFileSync(`${store}.new-99999999`, 'what a killed process left');
  remount(disk.path, 'ro');
  {
    await using server = await serveProgram(store);
    assert.equal((await server.get('/api/v1/plugins/7/charts/line3/data')).status, 200);
    assert.equal((await runProcess(['export', '--store', store])).code, 0);
    const run = await runProcess(['import', '--store', store, of.archiveFile]);
    assert.equal(run.code, 1);
    assert.match(
      run.stderr,
      /^error: the store \S+ cannot be used: \S+ is on a disk that is mounted read-only: /,
    );
    assertDocumented(run.stderr);
  }
  remount(disk.path, 'rw');
  assert.equal(await of.examine(store), 'before');
});

test('commands on a disk with EIO fail with the reason, and leave no file', async () => {
  const store = of.prepare('broken');
  const copy = join(store, '..', 'copy');
  for (const when of ['1', '5', '10+', '20+7']) {
    const trace = { calls, inject: `${calls}:error=EIO:when=${when}`, paths: [store] };
    for (const argv of [['check'], ['export', copy], ['backup', copy], ['import', of.archiveFile]]) {
      const run = await runTraced(trace, [...argv, '--store', store]);
      if (run.code === 0) {
        rmSync(copy, { force: true });
        continue;
      }
      assert.equal(run.code, 1);
      assert.match(
        `${run.stderr}${run.stdout}`,
        /disk I\/O error|error code|malformed|cannot be read|is not a plugin-metrics store/,
      );
      assert.doesNotMatch(run.stderr, /bug in plugin-metrics/);
      assert.ok(!existsSync(copy), argv.join(' '));
    }
  }
  assert.equal(await of.examine(store), 'before');
});

test('a server whose disk gives EIO serves what is cached, and 503 for the rest', async () => {
  const store = of.prepare('served');
  const trace = { calls, inject: `${calls}:error=EIO:when=25+`, paths: [store] };
  await using server = await serveProgram(store, { start: (argv) => startTraced(trace, argv) });
  const statuses: number[] = [];
  for (let index = 0; index < 30; index++)
    statuses.push((await server.get(`/api/v1/plugins/7/charts/line${index}/data`)).status);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 503]);
  assert.equal((await server.get('/api/v1/plugins/7/charts/line0/data')).status, 200, 'what is cached');
  assert.equal((await server.get('/openapi.json')).status, 200);
});

/** Checking takes more space than a small disk has. */
function examineCopy(store: string) {
  const copy = of.prepare('copy');
  for (const end of ['', '-wal']) if (existsSync(store + end)) copyFileSync(store + end, copy + end);
  return of.examine(copy);
}

/** Fills a disk except for some bytes. */
function fill(file: string, disk: string, leftBytes: number): void {
  writeFileSync(file, Buffer.alloc(Math.max(0, freeBytes(disk) - leftBytes)));
}

function remount(disk: string, mode: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${mode}`, disk]);
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
