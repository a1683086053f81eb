// No command overwrites its own input, by whatever name: it prints both names, ends with exit code 2 and changes nothing.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openSqliteReader } from '../../src/sqlite/reading/sqlite-reader.ts';
import { runProgram } from '../support/run-program.ts';
import type { TemporaryDirectory } from '../support/temporary-directory.ts';
import { assertRefused, makeNamedStores } from './support/named-stores.ts';

let directory: TemporaryDirectory;
before(async () => {
  directory = await makeNamedStores();
});
after(() => directory[Symbol.dispose]());

/** Runs a command in the folder; `PWD` in the arguments is replaced by its path. */
function run(command: string) {
  const argv = command.replaceAll('PWD', directory.path).split(' ');
  return runProgram(argv, { cwd: directory.path });
}

const refused = (command: string, said: string | RegExp) =>
  assertRefused(directory, () => run(command), said);

describe('export to its own store', () => {
  const names = [
    's.db',
    './s.db',
    'here/s.db',
    'empty/../s.db',
    'link.db',
    'here/here/link.db',
    'PWD/s.db',
    '/proc/self/cwd/s.db',
  ];
  for (const name of names)
    test(`by the name ${name} is refused, even with --force`, async () => {
      await refused(
        `export --store s.db --force ${name}`,
        /^error: FILE \S+s?\.?db is the store s\.db: no command/,
      );
    });

  for (const store of ['sqlite:s.db', 'PWD/s.db', 'link.db'])
    test(`by the name ${store} of the store is refused`, async () => {
      await refused(
        `export --force --store ${store} s.db`,
        /^error: FILE s\.db is the store \S+: no command/,
      );
    });

  for (const end of ['-wal', '-shm', '-journal', '-reports'])
    test(`by the SQLite file beside it, s.db${end}, is refused, even if that does not exist`, async () => {
      await refused(`export --store s.db s.db${end}`, `FILE s.db${end} belongs to the store s.db`);
      await refused(
        `export --force --store link.db here/s.db${end}`,
        `FILE here/s.db${end} belongs to the store link.db`,
      );
    });

  test('by the name of the write-ahead log of an open store is refused', async () => {
    await using reader = openSqliteReader(directory.at('open.db'));
    await reader.listSoftware();
    await refused(
      'export --store open.db --force open.db-wal',
      'FILE open.db-wal belongs to the store open.db',
    );
  });
});

describe('other commands', () => {
  for (const name of ['s.db', 'link.db', 'here/s.db'])
    test(`backup, restore and import refuse the store by the name ${name}`, async () => {
      await refused(`backup --store s.db ${name}`, `FILE ${name} is the store s.db`);
      await refused(`restore --store s.db ${name}`, `FILE ${name} is the store s.db`);
      await refused(`restore --dry-run --store s.db ${name}`, `FILE ${name} is the store s.db`);
      await refused(`import --store s.db a.ndjson ${name}`, `FILE ${name} is the store s.db`);
      await refused(`import --csv --chart 7/players --store s.db ${name}`, `FILE ${name} is the store s.db`);
    });

  test('backup refuses the SQLite files beside the store, and a store in the way of the backup', async () => {
    await refused('backup --store s.db s.db-wal', 'FILE s.db-wal belongs to the store s.db');
    await refused('restore --store b.db b.db-wal', 'FILE b.db-wal belongs to the store b.db');
  });

  test('other files with similar names do not belong to the store', async () => {
    for (const name of ['S.DB', 's.db2', 'as.db-wal', 'empty/s.db-wal', 'empty/s.db']) {
      assert.equal((await run(`export --store s.db ${name}`)).code, 0, name);
      rmSync(directory.at(name));
    }
  });
});
