// Snapshots of a SQLite store that is written or replaced at the worst moment.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { ChangeScope } from '../../../src/model/metrics-reader.ts';
import { SqliteSnapshots } from '../../../src/sqlite/reading/sqlite-snapshots.ts';
import { prepareStatements } from '../../../src/sqlite/reading/sqlite-statements.ts';
import { WatchedFile } from '../../../src/sqlite/reading/watched-file.ts';
import { archiveText, softwareLine } from '../../support/archive-text.ts';
import { importText } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());

/** The snapshots of a store, with an action before each read of its generation. */
async function openSnapshots(name: string, beforeLook: (lookCount: number) => void) {
  const path = directory.at(name);
  await importText(path, archiveText([softwareLine()]));
  let lookCount = 0;
  class Looked extends WatchedFile<ReturnType<typeof prepareStatements>> {
    override generation(of: ChangeScope): number {
      beforeLook(++lookCount);
      return super.generation(of);
    }
  }
  const file = new Looked(path, prepareStatements);
  return { path, file, snapshots: new SqliteSnapshots(path, file) };
}

function rename(path: string, name: string): void {
  using db = new DatabaseSync(path);
  db.exec(`update software set name = '${name}'; update generation set catalogue = catalogue + 1`);
}

const nameOf = ({ statements }: ReturnType<SqliteSnapshots['take']>) => statements.software.get()?.['name'];

test('a snapshot of an older state never has the newest generations, whenever the store is written', async () => {
  for (let writeAt = 1; writeAt <= 4; writeAt++) {
    const { path, file, snapshots } = await openSnapshots(`written-${writeAt}.db`, (lookCount) => {
      if (lookCount === writeAt) rename(path, 'New');
    });
    using _snapshots = snapshots;
    using _file = file;
    const taken = snapshots.take();
    const isOld = nameOf(taken) !== 'New';
    for (const scope of ['catalogue', 'data'] as const) {
      const generation = taken.generation(scope);
      assert.equal(Number.isNaN(generation), false);
      if (isOld)
        assert.notEqual(file.generation(scope), generation, `${scope}, written before look ${writeAt}`);
    }
    snapshots.giveBack(taken);
  }
});

test('a store that is replaced while a snapshot begins is read from the new file', async () => {
  for (let replaceAt = 2; replaceAt <= 4; replaceAt++) {
    const next = directory.at(`next-${replaceAt}.db`);
    await importText(next, archiveText([softwareLine({ name: 'New' })]));
    const { path, file, snapshots } = await openSnapshots(`replaced-${replaceAt}.db`, (lookCount) => {
      if (lookCount === replaceAt) renameSync(next, path);
    });
    using _snapshots = snapshots;
    using _file = file;
    const taken = snapshots.take();
    const generation = file.generation('data');
    assert.equal(nameOf(taken) === 'New', taken.generation('data') === generation, `look ${replaceAt}`);
    snapshots.giveBack(taken);
  }
});

test('a store that changes at every check gives snapshots without a generation', async () => {
  const { path, file, snapshots } = await openSnapshots('restless.db', (lookCount) => {
    assert.ok(lookCount < 20, 'it looks again and again');
    rename(path, `Name ${lookCount}`);
  });
  using _snapshots = snapshots;
  using _file = file;
  const taken = snapshots.take();
  assert.deepEqual([taken.generation('catalogue'), taken.generation('data')], [Number.NaN, Number.NaN]);
  assert.match(String(nameOf(taken)), /^Name /);
  snapshots.giveBack(taken);
});

test('a connection whose transaction ended in a disk fault is closed', async () => {
  const { file, snapshots } = await openSnapshots('faulty.db', () => {});
  using _snapshots = snapshots;
  using _file = file;
  const taken = snapshots.take();
  taken.db.exec('rollback');
  snapshots.giveBack(taken);
  assert.equal(taken.db.isOpen, false);
  const next = snapshots.take();
  assert.equal(nameOf(next), 'Bukkit / Spigot');
  snapshots.giveBack(next);
});

test('snapshots of one turn share a transaction, which ends with it', async () => {
  const { path, file, snapshots } = await openSnapshots('shared.db', () => {});
  using _file = file;
  const first = snapshots.take();
  snapshots.giveBack(first);
  const second = snapshots.take();
  assert.equal(second, first);
  snapshots.giveBack(second);
  rename(path, 'New');
  // Snapshots that are taken one right after the other share a look at the file.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  const afterWrite = snapshots.take();
  assert.notEqual(afterWrite, first);
  assert.equal(nameOf(afterWrite), 'New');
  snapshots.giveBack(afterWrite);
  await setImmediate();
  assert.deepEqual([first.db.isTransaction, afterWrite.db.isTransaction], [false, false]);
  snapshots.giveBack(snapshots.take());
  snapshots[Symbol.dispose]();
  assert.deepEqual([first.db.isOpen, afterWrite.db.isOpen], [false, false]);
});
