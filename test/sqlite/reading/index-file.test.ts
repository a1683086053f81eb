// The stamp by which a change of a store is known whose index file this user may not write.
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

/** A store that a reader keeps open, with an empty log. */
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

test('a store that rests keeps its stamp, and every write gives it another', async () => {
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

test('a store that was written a moment ago has no stamp twice, as another write may leave the same time', async () => {
  const { path, reader, index } = await openStore('fresh.db');
  await using _ = reader;
  setTime(path, 0);
  assert.notEqual(stampOf(index), stampOf(index));
  setTime(path, 1);
  assert.notEqual(stampOf(index), stampOf(index));
});

test('an index that is not there, or may be written, is no fault', async () => {
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
