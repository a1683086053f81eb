// Writing a SQLite store: readers and other writers see all of it or nothing, and a new store appears
// complete or not at all.
import assert from 'node:assert/strict';
import { existsSync, linkSync, renameSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { AppError } from '../../src/model/app-error.ts';
import type { MetricsRecord } from '../../src/model/metrics-record.ts';
import { beginReading } from '../../src/store/sqlite/sqlite-sql.ts';
import { statement } from '../../src/store/statement.ts';
import { tables } from '../../src/store/tables.ts';
import { archiveText, softwareLine } from '../support/archive-text.ts';
import { openSqliteReader } from '../support/reads.ts';
import { exportText, importText, openSqliteWriter } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const place = 'a test';
const software = (name: string): MetricsRecord => ({
  place,
  kind: 'software',
  software: { id: 1, name, url: 'bukkit', globalPluginId: null },
});
const end: MetricsRecord = { place, kind: 'end' };

test('a new store appears when it is complete, and not before', async () => {
  const path = directory.at('new.db');
  await using writer = await openSqliteWriter(path);
  await writer.write([software('A'), end]);
  assert.ok(!existsSync(path));
  await writer.commit();
  assert.ok(existsSync(path));
  await writer[Symbol.asyncDispose]();
  assert.deepEqual(directory.entriesLike('new.db'), ['new.db']);
});

test('a store whose creation fails early leaves no file', async () => {
  // The name has room for the suffix of the store being built, but not for SQLite's files beside it.
  const name = `early${'y'.repeat(230)}`;
  await assert.rejects(openSqliteWriter(directory.at(name)), AppError);
  assert.deepEqual(directory.entriesLike(name), []);
});

test('leftovers of killed processes do not accumulate, and a store being created by another process is kept', async () => {
  const path = directory.at('piled.db');
  writeFileSync(`${path}.new-99999991`, 'half a store');
  await importText(directory.at('other.db'), archiveText([softwareLine()]));
  renameSync(directory.at('other.db'), `${path}.new-99999992`);
  using busy = new DatabaseSync(`${path}.new-99999993`);
  busy.exec('pragma journal_mode = off; create table t (a); begin immediate');
  await importText(path, archiveText([softwareLine()]));
  assert.deepEqual(directory.entriesLike('piled.db.new'), ['piled.db.new-99999993']);
  assert.equal(await exportText(path), archiveText([softwareLine()]));
});

test('the second link that a process killed right after publishing leaves is removed by the next import', async () => {
  const path = directory.at('twice.db');
  await importText(path, archiveText([softwareLine()]));
  linkSync(path, `${path}.new-99999991`);
  await using reader = openSqliteReader(path);
  await importText(path, archiveText([softwareLine({ name: 'After' })]));
  assert.deepEqual(directory.entriesLike('twice.db.new'), []);
  assert.equal((await reader.listSoftware())[0]?.name, 'After');
});

test('a store created meanwhile by another process is not replaced', async () => {
  const path = directory.at('race.db');
  await using writer = await openSqliteWriter(path);
  await writer.write([software('Late'), end]);
  writeFileSync(path, 'another was faster');
  await assert.rejects(
    writer.commit(),
    (error) =>
      error instanceof AppError &&
      error.code === 'conflict' &&
      error.message ===
        `another program has made the store ${path} meanwhile, and nothing was written to it; run this again`,
  );
  await writer[Symbol.asyncDispose]();
  assert.deepEqual(directory.entriesLike('race.db'), ['race.db']);
});

test('a store whose closed slots are not known is damaged for those who ask for them', async () => {
  const path = directory.at('collection.db');
  await importText(path, archiveText([softwareLine()]));
  {
    using db = new DatabaseSync(path);
    db.exec('delete from collection');
  }
  await using writer = await openSqliteWriter(path);
  await assert.rejects(writer.getClosedUntil(), {
    code: 'unavailable',
    message: 'the store is damaged: the table collection has no row',
  });
});

test('a statement that selects other columns than its parts say is a bug', async () => {
  const path = directory.at('columns.db');
  await importText(path, archiveText([softwareLine()]));
  await using transaction = beginReading(path);
  const wrongSql = statement`select name, ${tables.software.pick('id')} from software`;
  await assert.rejects(
    transaction.sql.read(wrongSql),
    /selects other columns than its parts say: select name/,
  );
});
