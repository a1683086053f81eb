// A store file that is replaced or deleted while a reader has it open.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { MetricsReader } from '../../src/model/metrics-reader.ts';
import { UnusedDatabase } from '../../src/store/sqlite/sqlite-database.ts';
import { beginReading } from '../../src/store/sqlite/sqlite-sql.ts';
import { statement } from '../../src/store/statement.ts';
import { tables } from '../../src/store/tables.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { openSqliteReader, type Reads } from '../support/reads.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { untilLater, waitUntil } from '../support/wait-until.ts';

const directory = directoryOfFile();
let count = 0;

async function makeStore(name: string, points = '[[0,1]]'): Promise<string> {
  const path = directory.at(`${name}-${count++}.db`);
  await importText(
    path,
    archiveText([softwareLine({ name }), pluginLine(), chartLine(), dataLine('players', points)]),
  );
  return path;
}

async function nameIn(reader: Reads): Promise<string | undefined> {
  return (await reader.listSoftware())[0]?.name;
}

const generationsOf = (reader: MetricsReader) => [reader.generation('catalogue'), reader.generation('data')];

test('a store that is read without a lock is not read on when it was written meanwhile', async () => {
  const path = await makeStore('Old');
  await using transaction = beginReading(path, new UnusedDatabase(path));
  const { sql } = transaction;
  const namesSql = statement`select ${tables.software.pick('name')} from software`;
  assert.deepEqual(await sql.read(namesSql), [{ name: 'Old' }]);
  await importText(path, archiveText([softwareLine({ name: 'New' })]));
  const message = `the store ${path} was written while it was read, without the right to lock it: run this again`;
  assertDocumented(message);
  await assert.rejects(sql.read(namesSql), { code: 'unavailable', message });
  await assert.rejects(sql.run('select name from nothing'), { code: 'unavailable', message });
});

test('a store that replaces the open one is opened, with new generations', async () => {
  const path = await makeStore('Old');
  await using reader = openSqliteReader(path);
  const [catalogue, data] = generationsOf(reader);
  assert.equal(await nameIn(reader), 'Old');
  renameSync(await makeStore('New'), path);
  const after = generationsOf(reader);
  assert.notEqual(after[0], catalogue);
  assert.notEqual(after[1], data);
  assert.equal(reader.unreachableMs(), 0);
  assert.equal(await nameIn(reader), 'New');
  assert.deepEqual(generationsOf(reader), after);
  const before = reader.generation('data');
  await importText(path, archiveText([dataLine('players', '[[1,1]]')]));
  assert.notEqual(reader.generation('data'), before, 'what is written from then on is seen');
});

for (const noticing of ['reads', 'ends'])
  test(`the log of a store that was moved away is kept, and not part of the new one, when a server ${noticing}`, async () => {
    const path = await makeStore('Old');
    const next = await makeStore('New', '[[5,5]]');
    const expected = await exportText(next);
    await using reader = openSqliteReader(path);
    assert.equal(await nameIn(reader), 'Old');
    {
      // This reader keeps the log from being moved into the old file.
      using other = new DatabaseSync(path);
      other.exec('begin; select 1 from software');
      await importText(path, archiveText([softwareLine({ name: 'Logged' }), dataLine('players', '[[9,9]]')]));
    }
    const moved = directory.at(`moved-${noticing}.db`);
    renameSync(path, moved);
    renameSync(next, path);
    if (noticing === 'ends') await reader[Symbol.asyncDispose]();
    else assert.equal(await nameIn(reader), 'New');
    assert.equal(await exportText(path), expected);
    renameSync(`${path}-wal.old`, `${moved}-wal`);
    assert.match(await exportText(moved), /"name":"Logged".*\[9,9\]/s);
  });

test('a deleted store is unreachable, and its open file stays readable until it is back', async () => {
  const path = await makeStore('Kept');
  const copy = directory.at('copy.db');
  copyFileSync(path, copy);
  await using reader = openSqliteReader(path);
  const before = generationsOf(reader);
  rmSync(path);
  assert.deepEqual(generationsOf(reader), before);
  assert.ok(reader.unreachableMs() > 0);
  assert.equal(await nameIn(reader), 'Kept');
  assert.equal((await Array.fromAsync(reader.listPlugins())).length, 1);
  renameSync(copy, path);
  assert.deepEqual(generationsOf(reader), before, 'it is the same state');
  assert.equal(reader.unreachableMs(), 0);
  assert.equal((await Array.fromAsync(reader.listPlugins())).length, 1);
});

test('a file that is not a store does not replace the open one, but a later store does', async () => {
  const path = await makeStore('Open');
  const next = await makeStore('Next');
  await using reader = openSqliteReader(path);
  const before = generationsOf(reader);
  const other = directory.at('other');
  writeFileSync(other, 'no store');
  renameSync(other, path);
  assert.deepEqual(generationsOf(reader), before);
  assert.ok(reader.unreachableMs() > 0);
  assert.equal(await nameIn(reader), 'Open');
  renameSync(next, path);
  await waitUntil(() => reader.generation('data') !== before[1]);
  assert.equal(reader.unreachableMs(), 0);
  assert.equal(await nameIn(reader), 'Next');
});

test('a store that is overwritten in its place is unreachable until it can be read again', async () => {
  const path = await makeStore('Overwritten');
  // The test overwrites only the file, and SQLite's log would still be good.
  new DatabaseSync(path).exec('pragma wal_checkpoint(truncate)');
  const bytes = readFileSync(path);
  await using reader = openSqliteReader(path);
  assert.equal(await nameIn(reader), 'Overwritten');
  const before = generationsOf(reader);
  await untilLater(path);
  writeFileSync(path, Buffer.alloc(bytes.length, 0x5a), { flag: 'r+' });
  await waitUntil(() => reader.generation('data') === before[1] && reader.unreachableMs() > 0);
  assert.equal(await nameIn(reader), 'Overwritten', 'SQLite has it in memory');
  writeFileSync(path, bytes, { flag: 'r+' });
  await waitUntil(() => reader.generation('data') === before[1] && reader.unreachableMs() === 0);
});
