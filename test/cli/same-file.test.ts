// No command writes what it reads, by whatever name: it says both names, ends with exit code 2 and has done nothing.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openSqliteReader } from '../../src/sqlite/sqlite-reader.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { mainPath } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
after(() => directory[Symbol.dispose]());
const text = archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1]]')]);

before(async () => {
  await importText(directory.at('s.db'), text);
  await importText(directory.at('open.db'), text);
  await importText(directory.at('b.db-wal'), text);
  writeFileSync(directory.at('a.ndjson'), text);
  symlinkSync('s.db', directory.at('link.db'));
  symlinkSync('.', directory.at('here'));
  linkSync(directory.at('s.db'), directory.at('hard.db'));
  mkdirSync(directory.at('empty'));
});

/** Runs a line of a shell, with `pm` for the program; everything in the folder but its output must stay as it is. */
async function refused(line: string, said: string | RegExp): Promise<void> {
  const before = contents();
  const { code, stderr } = await shell(line);
  assert.equal(code, 2, stderr);
  const [first = ''] = stderr.split('\n');
  if (typeof said === 'string') assert.equal(first, `error: ${said}: no command writes what it reads`);
  else assert.match(first, said);
  assert.deepEqual(contents(), before);
}

function shell(line: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  return new Promise((resolve) => {
    const argv = ['-c', `pm() { "$node" "$main" "$@"; }; ${line}`];
    const env = { ...process.env, node: process.execPath, main: mainPath };
    execFile('sh', argv, { cwd: directory.path, env }, (error, _, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}

/** Every file with a hash of its bytes, without what only reading a store makes beside it. */
function contents() {
  return readdirSync(directory.path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(s|open)\.db-(wal|shm)$/.test(entry.name))
    .map(({ name }) => `${name} ${hash('sha256', readFileSync(directory.at(name)))}`);
}

describe('export to what is its store', () => {
  const names = [
    's.db',
    './s.db',
    'here/s.db',
    'empty/../s.db',
    'link.db',
    'hard.db',
    'here/here/link.db',
    '"$PWD/s.db"',
    '/proc/self/cwd/s.db',
  ];
  for (const name of names)
    test(`by the name ${name} is refused, with --force too`, async () => {
      await refused(
        `pm export --store s.db --force ${name}`,
        /^error: FILE \S+s?\.?db is the store s\.db: no command/,
      );
    });

  for (const store of ['sqlite:s.db', '"$PWD/s.db"', 'link.db', 'sqlite:here/hard.db'])
    test(`by the name ${store} of the store is refused`, async () => {
      await refused(
        `pm export --force --store ${store} s.db`,
        /^error: FILE s\.db is the store \S+: no command/,
      );
    });

  for (const end of ['-wal', '-shm', '-journal', '-WAL'])
    test(`by what SQLite keeps beside it, s.db${end}, is refused, also where that is not there`, async () => {
      await refused(`pm export --store s.db s.db${end}`, `FILE s.db${end} belongs to the store s.db`);
      await refused(
        `pm export --force --store link.db here/s.db${end}`,
        `FILE here/s.db${end} belongs to the store link.db`,
      );
    });

  test('by redirection is refused', async () => {
    await refused('pm export --store s.db >> s.db', '<stdout> is the store s.db');
    await refused('pm export --store s.db - >> hard.db', '<stdout> is the store s.db');
    await refused('pm export --store s.db --force /dev/stdout >> s.db', '<stdout> is the store s.db');
    await refused('pm export --store s.db --force /dev/fd/7 7>> s.db', 'FILE /dev/fd/7 is the store s.db');
    assert.match(
      (await shell('cp s.db cut.db; pm export --store cut.db > cut.db')).stderr,
      /^error: <stdout> is the store cut/,
    );
    rmSync(directory.at('cut.db'));
  });

  test('by redirection into the log of a store that is open is refused', async () => {
    await using reader = openSqliteReader(directory.at('open.db'));
    await reader.listSoftware();
    await refused('pm export --store open.db >> open.db-wal', '<stdout> belongs to the store open.db');
    await refused(
      'pm export --store open.db --force open.db-wal',
      'FILE open.db-wal belongs to the store open.db',
    );
  });
});

describe('the other commands', () => {
  for (const name of ['s.db', 'link.db', 'hard.db', 'here/s.db'])
    test(`backup, restore and import refuse the store by the name ${name}`, async () => {
      await refused(`pm backup --store s.db ${name}`, `FILE ${name} is the store s.db`);
      await refused(`pm restore --store s.db ${name}`, `the store s.db is FILE ${name}`);
      await refused(`pm restore --dry-run --store s.db ${name}`, `the store s.db is FILE ${name}`);
      await refused(`pm import --store s.db a.ndjson ${name}`, `the store s.db is FILE ${name}`);
      await refused(
        `pm import --csv --chart 7/players --store s.db ${name}`,
        `the store s.db is FILE ${name}`,
      );
    });

  test('backup refuses what SQLite keeps beside the store, and a store that is in the way of the backup', async () => {
    await refused('pm backup --store s.db s.db-wal', 'FILE s.db-wal belongs to the store s.db');
    // Of a backup b.db, b.db-wal would be the log, which SQLite would read.
    await refused('pm backup --store b.db-wal b.db', 'the store b.db-wal belongs to FILE b.db');
    await refused('pm restore --store b.db b.db-wal', 'FILE b.db-wal belongs to the store b.db');
  });

  test('standard input that is the store is refused', async () => {
    await refused('pm import --store s.db - < s.db', 'the store s.db is <stdin>');
    await refused('pm restore --store link.db - < hard.db', 'the store link.db is <stdin>');
    await refused('pm import --store s.db /dev/stdin < s.db', 'the store s.db is FILE /dev/stdin');
  });

  test('standard output that is what a command reads is refused', async () => {
    await refused('pm import --store new.db a.ndjson >> a.ndjson', '<stdout> is FILE a.ndjson');
    await refused('pm import --store new.db - < a.ndjson >> a.ndjson', '<stdout> is <stdin>');
    await refused('pm restore --store new.db a.ndjson >> a.ndjson', '<stdout> is FILE a.ndjson');
    await refused(
      'pm mirror --store new.db --plugins-file a.ndjson http://127.0.0.1:1 >> a.ndjson',
      '<stdout> is FILE a.ndjson',
    );
  });

  for (const command of [
    'check',
    'compact',
    'serve --port 0',
    'backup x.db',
    'import a.ndjson',
    'mirror --all http://127.0.0.1:1',
  ])
    test(`${command} refuses standard output that is its store, and standard error`, async () => {
      await refused(`pm ${command} --store s.db >> s.db`, '<stdout> is the store s.db');
      // Nothing is said where it would be written into the store.
      const before = contents();
      assert.deepEqual(await shell(`pm ${command} --store s.db 2>> hard.db`), { code: 2, stderr: '' });
      assert.deepEqual(await shell(`pm ${command} --store s.db >> s.db 2>&1`), { code: 2, stderr: '' });
      assert.deepEqual(contents(), before);
    });

  test('what is no file, such as a terminal or /dev/null, may be input and output', async () => {
    assert.equal((await shell('pm check --store s.db < /dev/null > /dev/null 2> /dev/null')).code, 0);
    const { code, stderr } = await shell('pm import --store empty/new.db - < /dev/null > /dev/null');
    assert.equal(code, 1);
    assert.match(stderr, /^error: <stdin>:1: the archive is empty/);
    assert.equal((await shell('pm export --store s.db 2>> said.txt > said.ndjson; rm said.*')).code, 0);
  });

  test('other files with names like those of the store are none of its files', async () => {
    for (const name of ['S.DB', 's.db-wal2', 'as.db-wal', 'empty/s.db-wal', 'empty/s.db'])
      assert.equal((await shell(`pm export --store s.db ${name} && rm ${name}`)).code, 0, name);
  });
});

test('a descriptor that is closed is no file', async () => {
  assert.equal((await shell('pm check --store s.db 2>&-')).code, 0);
});
