// Opening a SQLite store: refusals, their messages, and that they leave no files behind.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { recordChecker } from '../../src/archive/check-record.ts';
import { AppError } from '../../src/model/app-error.ts';
import { applicationId } from '../../src/store/sqlite/sqlite-database.ts';
import { sqliteFault } from '../../src/store/sqlite/sqlite-fault.ts';
import { openSqliteStore } from '../../src/store/store.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { anotherImport } from '../../src/store/wanted-store.ts';
import { archiveText, chartLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { assertDocumented } from '../support/documented-messages.ts';
import { openSqliteReader } from '../support/reads.ts';
import { runProgram } from '../support/run-program.ts';
import { exportText, importText, openSqliteWriter } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const restoring = 'move it away, and "plugin-metrics restore" makes it again from a backup';

/** Files at the path of a store, with the code and the message of the error. */
const refusals: ReadonlyArray<
  readonly [what: string, make: (path: string) => void, code: string, message: string]
> = [
  ['a directory', (path) => mkdirSync(path), 'invalid', 'the store PATH is not a file'],
  ['an empty file', (path) => writeFileSync(path, ''), 'invalid', 'PATH is not a plugin-metrics store'],
  [
    'an archive',
    (path) => writeFileSync(path, archiveText([])),
    'invalid',
    `PATH is not a plugin-metrics store; if it was one, ${restoring}`,
  ],
  [
    'a database of somebody else',
    (path) => makeDatabase(path, 'create table software (id integer); pragma user_version = 1'),
    'invalid',
    'PATH is not a plugin-metrics store',
  ],
  [
    'a store of a newer version',
    (path) => makeDatabase(path, `pragma application_id = ${applicationId}; pragma user_version = 999`),
    'invalid',
    `the store PATH has version 999, written by a newer plugin-metrics; this one knows version ${storeVersion}`,
  ],
  [
    'a store truncated in its header',
    (path) => {
      makeDatabase(path, `pragma application_id = ${applicationId}; create table t (a)`);
      truncateSync(path, 50);
    },
    'unavailable',
    `the store PATH is damaged: database disk image is malformed; ${restoring}`,
  ],
];

for (const [index, [what, make, code, message]] of refusals.entries()) {
  test(`${what} is refused as a store, for reading and writing, and not changed`, async () => {
    const path = directory.at(`refused-${index}.db`);
    make(path);
    const before = contentOf(path);
    for (const open of [openSqliteReader, openSqliteWriter]) {
      await assert.rejects(async () => open(path), isAppError(code, message.replace('PATH', path)));
    }
    assert.deepEqual(contentOf(path), before);
    assert.deepEqual(directory.entriesLike(`refused-${index}.db`), [`refused-${index}.db`]);
  });
}

test('a store that cannot be created is named as in the command', async () => {
  writeFileSync(directory.at('file'), '');
  const [file, folder] = [directory.at('file'), directory.at('no/such')];
  for (const [path, reason] of [
    [`${file}/store.db`, `${file} is not a folder: name a store in one`],
    [`${folder}/store.db`, `there is no folder ${directory.at('no')}: "mkdir -p ${folder}" makes it`],
  ] as const) {
    const message = `the store ${path} cannot be used: ${reason}`;
    assertDocumented(message);
    await assert.rejects(openSqliteWriter(path), isAppError('unavailable', message));
  }
});

test('a store of an older program is refused by every command, which says how to move it, and is not changed', async () => {
  const path = directory.at('older.db');
  writeFileSync(path, gunzipSync(readFileSync(new URL('../older/version-4.db.gz', import.meta.url))));
  const before = readFileSync(path);
  const store = openSqliteStore(path);
  const options = { checkRecord: recordChecker() };
  const commands = [
    store.openReader,
    store.openWriter,
    store.openRemover,
    store.loadStats,
    () => store.loadRemovals(7),
    store.compact,
    store.measure,
    () => Array.fromAsync(store.check(options.checkRecord)),
    () => store.file.backUp(directory.at('older.backup'), options),
    () => openSqliteStore(directory.at('older.restored')).file.restore(path, { ...options, isDryRun: false }),
  ];
  const message =
    `the store ${path} has version 4, of an older plugin-metrics, and this one knows version ${storeVersion} alone: ` +
    '"export" it with the program that made it, and "import" the archive into a new store with this one';
  for (const run of commands)
    await assert.rejects(async () => run(), isAppError('invalid', message), String(run));
  assert.deepEqual(readFileSync(path), before);
  assert.deepEqual(
    directory.entriesLike('older.').filter((name) => !/-(wal|shm)$/.test(name)),
    ['older.db'],
  );
  const exported = await runProgram(['export', '--store', path]);
  assert.deepEqual([exported.code, exported.stderr], [1, `error: ${message}\n`]);
});

test('a store with a dropped table is unavailable, not a bug of the program', async () => {
  const path = directory.at('dropped.db');
  const lines = [softwareLine(), pluginLine(), chartLine({ type: 'simple_pie', data: {} })];
  await importText(path, archiveText(lines));
  makeDatabase(path, 'drop table snapshot');
  const isDamaged = {
    name: 'AppError',
    code: 'unavailable',
    message: /^the store \S+dropped\.db cannot be used: (.*: )?no such table: (main\.)?snapshot$/,
  };
  await using reader = openSqliteReader(path);
  await assert.rejects(async () => reader.readChartData(7, 'players', 1), isDamaged);
  await assert.rejects(importText(path, archiveText(lines)), isDamaged);
});

test('an integer beyond 2^53 makes its response unavailable, and is not a bug of the program', async () => {
  const path = directory.at('large-integer.db');
  await importText(path, archiveText([softwareLine(), pluginLine(), chartLine()]));
  makeDatabase(path, 'update chart set position = 9007199254740993');
  await using reader = openSqliteReader(path);
  const isDamaged = { code: 'unavailable', message: /^the store .*large-integer\.db cannot be used: / };
  await assert.rejects(reader.getChart(7, 'players'), isDamaged);
  await assert.rejects(Array.fromAsync(reader.records()), isDamaged);
  assert.equal((await reader.listSoftware()).length, 1);
});

test('a busy store is reported with its name', () => {
  const path = directory.at('busy.db');
  makeDatabase(path, 'create table t (a)');
  using first = new DatabaseSync(path);
  using second = new DatabaseSync(path, { timeout: 0 });
  first.exec('begin immediate');
  try {
    second.exec('begin immediate');
    assert.fail('the second writer was let in');
  } catch (error) {
    const fault = sqliteFault(error, path);
    assert.ok(isAppError('unavailable', `the store ${path} cannot be used: ${anotherImport}`)(fault));
  }
});

test('an error that is not from SQLite is rethrown unchanged', () => {
  const error = new TypeError('a bug');
  assert.equal(sqliteFault(error, 'store.db'), error);
});

test('names that are special to SQLite can be names of files', async () => {
  for (const name of ['question?mode=memory.db', 'hash#.db', 'per%20cent.db', "quote'.db", 'ü 😀.db']) {
    const path = directory.at(name);
    await importText(path, archiveText([softwareLine()]));
    assert.equal(await exportText(path), archiveText([softwareLine()]), name);
    assert.ok(directory.entriesLike(name).includes(name), name);
  }
});

function makeDatabase(path: string, sql: string): void {
  using db = new DatabaseSync(path);
  db.exec(sql);
}

function contentOf(path: string): unknown {
  try {
    return readFileSync(path);
  } catch {
    return readdirSync(path);
  }
}

function isAppError(code: string, message: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AppError, String(error));
    assert.deepEqual([error.code, error.message], [code, message]);
    return true;
  };
}
