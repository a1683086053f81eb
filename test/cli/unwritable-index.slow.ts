// A store whose index file (`-shm`) belongs to another user: cached responses stay cached, and writes are noticed.
import assert from 'node:assert/strict';
import { chmodSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { after, test } from 'node:test';
import { compactSqliteStore } from '../../src/store/sqlite/sqlite-compact.ts';
import { parseMetrics } from '../admin/metrics-text.ts';
import { serveProgram } from '../faults/support/served-program.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

/** Root may write every file, so as root the server runs as another user, and the store belongs to root. */
const isRoot = process.getuid?.() === 0;
const serverUid = isRoot ? 65_534 : undefined;
const target = '/api/v1/plugins/7/charts/players/data';

const importPoints = (path: string, points: string) =>
  importText(path, archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', points)]));

/** Leaves a store as a command that only read it does: with an empty log and an index. */
async function storeOfAnother(name: string): Promise<string> {
  const path = directory.at(name);
  await importPoints(path, '[[0,1]]');
  assert.equal((await runProgram(['stats', '--store', path])).code, 0);
  assert.equal(statSync(`${path}-wal`).size, 0);
  chmodSync(directory.path, 0o755);
  if (!isRoot) chmodSync(`${path}-shm`, 0o444);
  return path;
}

/** Serves as a user who may not write the index. */
function serve(path: string) {
  const argv = ['--admin-port', '0'];
  return serveProgram(path, serverUid === undefined ? { argv } : { argv, uid: serverUid });
}

for (const [name, link] of [
  ['quiet.db', undefined],
  ['linked.db', 'link.db'],
] as const) {
  test(`an index file that the server cannot write does not look like a change${link === undefined ? '' : ', behind a symbolic link'}`, async () => {
    const path = await storeOfAnother(name);
    if (link !== undefined) symlinkSync(path, directory.at(link));
    const longAgo = new Date('2026-01-01T00:00:00Z');
    for (const end of ['', '-wal']) utimesSync(path + end, longAgo, longAgo);
    await using server = await serve(link === undefined ? path : directory.at(link));
    for (let count = 0; count < 50; count++)
      assert.deepEqual(await server.get(target), { status: 200, text: '[[0,1]]' });
    const series = parseMetrics(await (await fetch(`${server.adminUrl}/metrics`)).text());
    assert.equal(series.get('plugin_metrics_responses_total{cache="hit"}'), 49);
    assert.equal(series.get('plugin_metrics_responses_total{cache="miss"}'), 1);
  });
}

test('writes to such a store are in the next response', async () => {
  const path = await storeOfAnother('written.db');
  await using server = await serve(path);
  assert.equal((await server.get(target)).text, '[[0,1]]');
  for (let value = 2; value < 40; value++) {
    if (!isRoot) chmodSync(`${path}-shm`, 0o644);
    await importPoints(path, `[[0,${value}]]`);
    // Empties the log, so that only the file shows the change.
    if (value % 2 === 0) compactSqliteStore(path);
    if (!isRoot) chmodSync(`${path}-shm`, 0o444);
    assert.equal((await server.get(target)).text, `[[0,${value}]]`);
  }
});

test('such a store is served from the open file when it is deleted or becomes unreadable', async () => {
  const path = await storeOfAnother('deleted.db');
  await using server = await serve(path);
  assert.equal((await server.get(target)).text, '[[0,1]]');
  if (isRoot) {
    chmodSync(directory.path, 0o700);
    for (const _ of ['once', 'again']) assert.equal((await server.get(target)).text, '[[0,1]]');
    chmodSync(directory.path, 0o755);
  }
  rmSync(path);
  for (const _ of ['once', 'again']) assert.equal((await server.get(target)).text, '[[0,1]]');
});
