// Upgrades of SQLite stores that 0.3.0 made, and their backups.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { upgradeContract } from '../contracts/upgrade-contract.ts';
import { olderText, olderVersion, writeOlder } from '../support/older-stores.ts';
import { runProgram } from '../support/run-program.ts';
import { exportText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let count = 0;

function makeOlder(): string {
  const path = directory.at(`older-${count++}.db`);
  writeOlder(path);
  return path;
}

function withDatabase<T>(path: string, work: (db: DatabaseSync) => T): T {
  using db = new DatabaseSync(path);
  return work(db);
}

const versionOf = (path: string) =>
  withDatabase(path, (db) => db.prepare('pragma user_version').get()?.['user_version']);

upgradeContract('SQLite', async () => {
  const path = makeOlder();
  return {
    store: parseStoreName(path),
    run: async (sql) => withDatabase(path, (db) => db.exec(sql)),
    setVersion: async (version) => withDatabase(path, (db) => db.exec(`pragma user_version = ${version}`)),
    version: async () => Number(versionOf(path)),
    chunks: async () =>
      withDatabase(path, (db) =>
        db.prepare('select chart_uid, first_timestamp, hex(bytes) as bytes from chunk').all(),
      ),
    async hold() {
      const db = new DatabaseSync(path, { readOnly: true });
      db.exec('select 1 from plugin');
      return { [Symbol.asyncDispose]: async () => db.close() };
    },
  };
});

const upgrade = (path: string, ...options: string[]) => runProgram(['upgrade', '--store', path, ...options]);

test('the backup beside the store is the store as it was', async () => {
  const path = makeOlder();
  const backup = `${path}.v${olderVersion}`;
  const before = readFileSync(path);
  const { code, stdout, stderr } = await upgrade(path);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    new RegExp(
      `^upgraded ${path} from version 7 to version ${storeVersion} in \\d.*; ${backup} is the store as it was\\n$`,
    ),
  );
  assert.equal(versionOf(path), storeVersion);
  assert.equal(versionOf(backup), olderVersion);
  const rowsOf = (file: string) => {
    using db = new DatabaseSync(file, { readOnly: true });
    return db.prepare('select * from chunk').all();
  };
  const old = directory.at('before.db');
  writeFileSync(old, before);
  assert.deepEqual(rowsOf(backup), rowsOf(old));
  // The backup is a store, and can be upgraded itself.
  assert.equal((await upgrade(backup, '--no-backup')).code, 0);
  assert.equal(await exportText(backup), olderText);
  assert.ok(!existsSync(`${backup}.v${olderVersion}`));
});

test('the backup of an upgrade that was interrupted is kept, and any other file is refused', async () => {
  const path = makeOlder();
  const backup = `${path}.v${olderVersion}`;
  copyFileSync(path, backup);
  const kept = readFileSync(backup);
  withDatabase(path, (db) => db.exec('update generation set data = data + 1'));
  for (const content of [kept, Buffer.from('something else')]) {
    writeFileSync(backup, content);
    const { code, stderr } = await upgrade(path);
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `error: ${backup}: it is there already, and a backup replaces nothing: move it away, or upgrade with --no-backup\n`,
    );
    assert.equal(versionOf(path), olderVersion);
    assert.deepEqual(readFileSync(backup), content);
  }
  writeFileSync(backup, kept);
  withDatabase(path, (db) => db.exec('update generation set data = data - 1'));
  // Killed right after the backup got its name, the upgrade leaves the file in which it was made, and the
  // lock.
  linkSync(backup, `${backup}.new-17`);
  writeFileSync(`${backup}.new-0`, '');
  assert.equal((await upgrade(path)).code, 0);
  assert.deepEqual(readFileSync(backup), kept);
  assert.ok(!existsSync(`${backup}.new-17`) && !existsSync(`${backup}.new-0`));
  assert.equal(await exportText(path), olderText);
});

test('what a log has is upgraded, and is in the backup', async () => {
  const path = makeOlder();
  const source = makeOlder();
  const late = `update generation set data = 77`;
  using db = new DatabaseSync(source);
  db.exec(late);
  for (const suffix of ['', '-wal']) copyFileSync(source + suffix, path + suffix);
  assert.equal((await upgrade(path)).code, 0);
  const ofBackup = withDatabase(`${path}.v${olderVersion}`, (one) =>
    one.prepare('select data from generation').get(),
  );
  assert.equal(ofBackup?.['data'], 77);
  assert.equal(await exportText(path), olderText);
});

test('what is no store, or is not there, is refused', async () => {
  const none = directory.at('none.db');
  assert.match((await upgrade(none)).stderr, /^error: there is no store at /);
  assert.ok(!existsSync(none));
  const other = directory.at('other.db');
  withDatabase(other, (db) => db.exec('create table x (y)'));
  assert.match((await upgrade(other)).stderr, /is not a plugin-metrics store\n$/);
});
