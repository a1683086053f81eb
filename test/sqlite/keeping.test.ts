// Backup and restore of SQLite stores: a backup is one state, complete or absent, and never blocks a writer.
import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordChecker } from '../../src/archive/check-record.ts';
import { backUpSqliteStore, restoreSqliteStore } from '../../src/store/sqlite/sqlite-backup.ts';
import { checkSqliteStore } from '../../src/store/sqlite/sqlite-check.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { openSqliteReader } from '../support/reads.ts';
import { runProgram } from '../support/run-program.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const catalogue = [
  softwareLine(),
  pluginLine(),
  chartLine(),
  chartLine({ chartId: 'servers', uid: 71, title: 'Servers' }),
];
const points = dataLine('players', '[[1,1],[2,2]]');
const small = archiveText([...catalogue.slice(0, 3), points, ...catalogue.slice(3)]);
const checkRecord = recordChecker();
const faultsOf = (path: string) => Array.fromAsync(checkSqliteStore(path, checkRecord));

async function restore(file: string, path: string): Promise<void> {
  await restoreSqliteStore(file, path, { checkRecord, isDryRun: false });
}

async function smallStore(name: string): Promise<string> {
  const path = directory.at(name);
  await importText(path, small);
  return path;
}

/** Adds a point to both charts. */
function importPoint(path: string, timestamp: number): Promise<void> {
  const data = `[[${timestamp},${timestamp}]]`;
  return importText(path, archiveText([dataLine('players', data), dataLine('servers', data)]));
}

test('a check leaves no files beside a backup, and needs no write permission', async () => {
  const path = await smallStore('checked.db');
  const folder = directory.at('checked');
  mkdirSync(folder);
  const backup = `${folder}/store.backup`;
  await backUpSqliteStore(path, backup, { checkRecord });
  const before = readFileSync(backup);
  assert.deepEqual(await faultsOf(backup), []);
  assert.deepEqual(readdirSync(folder), ['store.backup']);
  chmodSync(backup, 0o400);
  chmodSync(folder, 0o500);
  assert.deepEqual(await faultsOf(backup), []);
  chmodSync(folder, 0o700);
  chmodSync(backup, 0o600);
  writeFileSync(backup, Buffer.from(before).fill(0x5a, 8192, 12_288));
  assert.ok((await faultsOf(backup)).length > 0);
  assert.deepEqual(readdirSync(folder), ['store.backup']);
});

test('a check reads the write-ahead log of an open store, and sees writes during its run', async () => {
  const path = directory.at('written.db');
  const lines = Array.from({ length: 400 }, (_, index) => [
    chartLine({ chartId: `line${index}`, uid: 1000 + index }),
    dataLine(`line${index}`, '[[1,1],[2,2]]'),
  ]);
  await importText(path, archiveText([...catalogue, ...lines.flat()]));
  {
    using reader = new DatabaseSync(path);
    reader.exec('begin; select 1 from software');
    await importPoint(path, 3);
    assert.deepEqual(await faultsOf(path), []);
  }
  // No connection is open, so the check begins without a lock; then another program writes.
  const checking = checkSqliteStore(path, (record) => {
    if (record.kind !== 'plugin') return checkRecord(record);
    using db = new DatabaseSync(path);
    db.exec("update software set name = 'Other'; update plugin set name = 'Other'");
  });
  const faults = await Array.fromAsync(checking);
  assert.deepEqual(faults, ['software 1: its checksum is wrong', 'plugin 7: its checksum is wrong']);
});

test('a backup that was used as a store is restored with the later imports', async () => {
  const path = await smallStore('used.db');
  const backup = directory.at('used.backup');
  await backUpSqliteStore(path, backup, { checkRecord });
  using reader = new DatabaseSync(backup);
  reader.exec('begin; select 1 from software');
  await importPoint(backup, 3);
  assert.ok(readFileSync(`${backup}-wal`).length > 0);
  await restore(backup, directory.at('used-restored.db'));
  assert.match(await exportText(directory.at('used-restored.db')), /\[\[1,1\],\[2,2\],\[3,3\]\]/);
});

test('a damaged backup, a newer one and another database are refused, and leave no files', async () => {
  const path = await smallStore('good.db');
  const make = (name: string, sql: string) => {
    const file = directory.at(name);
    copyFileSync(path, file);
    using db = new DatabaseSync(file);
    db.exec(`${sql}; pragma wal_checkpoint(truncate)`);
    return file;
  };
  const target = directory.at('never.db');
  const cases: ReadonlyArray<readonly [file: string, message: RegExp]> = [
    [
      make('row.backup', "update plugin set name = 'Other'"),
      /the backup is damaged: plugin 7: its checksum is wrong/,
    ],
    [
      make('chunk.backup', 'update chunk set first_timestamp = 5'),
      /the backup is damaged: plugin 7, chart players: /,
    ],
    [make('newer.backup', 'pragma user_version = 99'), /has version 99, written by a newer plugin-metrics/],
    [make('other.backup', 'pragma application_id = 1'), /other\.backup is not a plugin-metrics store/],
  ];
  for (const [file, message] of cases)
    await assert.rejects(restore(file, target), { code: 'invalid', message });
  const cut = directory.at('cut.backup');
  writeFileSync(cut, readFileSync(path).subarray(0, 20_000));
  await assert.rejects(restore(cut, target), { name: 'AppError' });
  assert.deepEqual(directory.entriesLike('never.db'), []);
});

test('a log whose store was moved away is kept by every command, and brought together they have all', async () => {
  const path = await smallStore('alone.db');
  const backup = directory.at('alone.backup');
  await backUpSqliteStore(path, backup, { checkRecord });
  writeFileSync(directory.at('alone.ndjson'), small);
  {
    // The log is not empty after a crash, or while another process reads.
    using reader = new DatabaseSync(path);
    reader.exec('begin; select 1 from software');
    await importText(path, archiveText([softwareLine({ name: 'Logged' })]));
    copyFileSync(path, directory.at('moved.db'));
    copyFileSync(`${path}-wal`, directory.at('moved.db-wal'));
  }
  for (const name of directory.entriesLike('alone.db')) rmSync(directory.at(name));
  copyFileSync(directory.at('moved.db-wal'), `${path}-wal`);
  const said = `error: there is no store at ${path}, but ${path}-wal, the log of one, which may have the last commits: bring both together, and always move FILE-wal with FILE\n`;
  assertDocumented(said);
  const before = readFileSync(`${path}-wal`);
  for (const command of [
    ['import', directory.at('alone.ndjson')],
    ['restore', backup],
    ['restore', directory.at('alone.ndjson')],
    ['add', 'software', 'bukkit'],
    ['mirror', '--plugin', '7', 'http://127.0.0.1:1'],
    ['list', 'plugins'],
    ['prune', '--before', '1d'],
    ['check'],
  ]) {
    const run = await runProgram([...command, '--store', path]);
    assert.deepEqual([run.code, run.stderr], [1, said], command.join(' '));
  }
  const backingUp = backUpSqliteStore(directory.at('moved.db'), path, { checkRecord });
  await assert.rejects(backingUp, { code: 'conflict' });
  assert.deepEqual(directory.entriesLike('alone.db'), ['alone.db-wal']);
  assert.deepEqual(readFileSync(`${path}-wal`), before);
  assert.ok((await exportText(directory.at('moved.db'))).includes('"name":"Logged"'));
});

test('what a reader kept in the log is moved into the store when a server ends', async () => {
  const path = await smallStore('ended.db');
  const server = openSqliteReader(path);
  using other = new DatabaseSync(path);
  other.exec('begin; select 1 from software');
  await importText(path, archiveText([softwareLine({ name: 'Logged' })]));
  other.exec('rollback');
  assert.ok(statSync(`${path}-wal`).size > 0);
  await server[Symbol.asyncDispose]();
  assert.equal(statSync(`${path}-wal`).size, 0);
});

test('a removal that is not committed truncates the log while the store is read', async () => {
  const path = await smallStore('dry-run.db');
  await using reader = openSqliteReader(path);
  reader.generation('data');
  const logBytes = () => statSync(`${path}-wal`).size;
  // A large removal, whose pages do not fit the memory of its transaction, leaves such a log.
  const other = new DatabaseSync(path);
  other.exec(`update plugin set name = name || '.'; update plugin set name = rtrim(name, '.')`);
  other.close();
  assert.ok(logBytes() > 0);
  {
    await using remover = await openSqliteStore(path).openRemover();
    await remover.removePlugin(7);
    // A read lasts until the end of its turn.
    await sleep(10);
  }
  assert.equal(logBytes(), 0);
  assert.equal(await exportText(path), small);
});
