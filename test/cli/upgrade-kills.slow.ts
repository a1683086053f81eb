// An upgrade that is killed leaves the store as it was, or complete; the next one ends as if nothing had
// been. Nobody reads a state between.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { before, test } from 'node:test';
import { recordChecker } from '../../src/archive/check-record.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { durationOf, killAfter } from '../support/killed-program.ts';
import { olderText, olderVersion, openSlot, writeOlder } from '../support/older-stores.ts';
import { runProgram } from '../support/run-program.ts';
import { exportText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

/** Number of kills; more of them find rare faults. */
const killCount = Number(process.env['PLUGIN_METRICS_TEST_MOMENTS'] ?? 12);

const directory = directoryOfFile();
const template = directory.at('template.db');
let count = 0;

before(() => writeOlder(template));

function copyOf() {
  const prefix = `killed-${count++}.db`;
  const path = directory.at(prefix);
  for (const suffix of ['', '-reports']) copyFileSync(template + suffix, path + suffix);
  return { path, entries: () => directory.entriesLike(prefix).map((entry) => entry.slice(prefix.length)) };
}

function versionOf(path: string): number {
  using db = new DatabaseSync(path, { readOnly: true });
  return Number(db.prepare('pragma user_version').get()?.['user_version']);
}

function rowsOf(path: string): string {
  using db = new DatabaseSync(path, { readOnly: true });
  const tables = ['plugin', 'chart', 'removal', 'event', 'generation', 'chart_now', 'chart_shares'];
  const all = [...tables, 'chunk'].map((name) => db.prepare(`select * from ${name}`).all());
  return JSON.stringify(all);
}

test(`an upgrade killed at ${killCount} moments`, { timeout: 600_000 }, async (t) => {
  const old = rowsOf(template);
  const argvOf = (path: string) => ['upgrade', '--store', path];
  const durations: number[] = [];
  for (let run = 0; run < 2; run++) durations.push(await durationOf(argvOf(copyOf().path)));
  const durationMs = Math.min(...durations);
  const counts = { killed: 0, before: 0, after: 0 };
  for (let kill = 0; kill < killCount; kill++) {
    const { path, entries } = copyOf();
    if (await killAfter(argvOf(path), (durationMs * kill) / killCount)) counts.killed++;
    const isAfter = versionOf(path) === storeVersion;
    counts[isAfter ? 'after' : 'before']++;
    if (!isAfter) {
      assert.equal(versionOf(path), olderVersion);
      assert.equal(rowsOf(path), old);
    }
    const backup = `${path}.v${olderVersion}`;
    if (isAfter || existsSync(backup)) assert.equal(rowsOf(backup), old);
    const { code, stderr } = await runProgram(argvOf(path));
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(await Array.fromAsync(checkSqliteStore(path, recordChecker())), []);
    assert.equal(await exportText(path), olderText);
    assert.equal(rowsOf(backup), old);
    using reports = new DatabaseSync(`${path}-reports`, { readOnly: true });
    assert.equal(reports.prepare('select start from report_slot').get()?.['start'], openSlot);
    const left = entries().filter((entry) => !/-(wal|shm)$/.test(entry));
    assert.deepEqual(left.sort(), ['', '-reports', `.v${olderVersion}`]);
  }
  t.diagnostic(
    `${counts.killed} were killed within ${durationMs.toFixed(0)} ms; ${counts.before} left the state before, ${counts.after} the state after`,
  );
  assert.ok(counts.killed > 0, 'none was killed');
});

test('programs that open the store meanwhile see it as it was or complete', async () => {
  const { path } = copyOf();
  const upgrading = runProgram(['upgrade', '--store', path]);
  const others = Array.from({ length: 4 }, () => runProgram(['stats', '--store', path]));
  for (const { code, stderr } of await Promise.all(others))
    assert.ok(code === 0 || /"plugin-metrics upgrade" brings it|cannot be used/.test(stderr), stderr);
  const { code, stderr } = await upgrading;
  // One that had opened it before may have been in the way.
  if (code !== 0) assert.match(stderr, /another process has the store/);
  assert.equal((await runProgram(['upgrade', '--store', path])).code, 0);
  assert.equal(await exportText(path), olderText);
});
