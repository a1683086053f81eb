// The stamp that detects changes of a store whose index file this user may not write.
import assert from 'node:assert/strict';
import { symlinkSync, utimesSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { findUnwritableIndex, stampOf } from '../../../src/sqlite/reading/index-file.ts';
import { openSqliteReader } from '../../../src/sqlite/reading/sqlite-reader.ts';
import { archiveText, softwareLine } from '../../support/archive-text.ts';
import { importText } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

/** Opens a store, and keeps a reader with an empty log. */
async function openStore(name: string) {
  const path = directory.at(name);
  await importText(path, archiveText([softwareLine()]));
  const reader = openSqliteReader(path);
  await reader.listSoftware();
  return { path, reader, index: `${path}-shm` };
}

function setTime(path: string, secondsAgo: number): void {
  const time = new Date(Date.now() - secondsAgo * 1000);
  for (const end of ['', '-wal']) utimesSync(path + end, time, time);
}

test('an idle store keeps its stamp, and every write changes it', async () => {
  const { path, reader, index } = await openStore('rests.db');
  await using _ = reader;
  setTime(path, 60);
  const stamp = stampOf(index);
  assert.equal(typeof stamp, 'string');
  assert.equal(stampOf(index), stamp);
  {
    using db = new DatabaseSync(path);
    db.exec("update software set name = 'Logged'");
    assert.equal(stampOf(index), undefined, 'SQLite itself sees what is in the log');
  }
  await importText(path, archiveText([softwareLine({ name: 'Other' })]));
  setTime(path, 59);
  assert.notEqual(stampOf(index), stamp);
});

test('a store that was just written never has the same stamp twice, since another write may have the same time', async (t) => {
  const { path, reader, index } = await openStore('fresh.db');
  await using _ = reader;
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  setTime(path, 0);
  assert.notEqual(stampOf(index), stampOf(index));
  setTime(path, 1);
  assert.notEqual(stampOf(index), stampOf(index));
});

test('a missing or writable index is not reported', async () => {
  const { path, reader } = await openStore('sound.db');
  await using _ = reader;
  assert.equal(findUnwritableIndex(path), undefined);
  symlinkSync(path, directory.at('link.db'));
  assert.equal(findUnwritableIndex(directory.at('link.db')), undefined);
  assert.equal(findUnwritableIndex(directory.at('missing.db')), undefined);
  using db = new DatabaseSync(directory.at('plain.db'));
  db.exec('create table plain (id)');
  assert.equal(findUnwritableIndex(directory.at('plain.db')), undefined);
});
