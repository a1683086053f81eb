// No command overwrites its own input through redirected standard streams. A shell opens the files, as for users.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openSqliteReader } from '../../src/sqlite/reading/sqlite-reader.ts';
import { mainPath } from '../support/run-program.ts';
import type { TemporaryDirectory } from '../support/temporary-directory.ts';
import { assertRefused, makeNamedStores } from './support/named-stores.ts';

let directory: TemporaryDirectory;
before(async () => {
  directory = await makeNamedStores();
});
after(() => directory[Symbol.dispose]());

/** Runs a shell command in the folder, with `pm` for the program. */
function shell(line: string): Promise<{ readonly code: unknown; readonly stderr: string }> {
  return new Promise((resolve) => {
    const argv = ['-c', `pm() { "$node" "$main" "$@"; }; ${line}`];
    const env = { ...process.env, node: process.execPath, main: mainPath };
    execFile('sh', argv, { cwd: directory.path, env }, (error, _, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}

const refused = (line: string, said: string | RegExp) => assertRefused(directory, () => shell(line), said);

describe('export to its own store', () => {
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

  test('by redirection into the write-ahead log of an open store is refused', async () => {
    await using reader = openSqliteReader(directory.at('open.db'));
    await reader.listSoftware();
    await refused('pm export --store open.db >> open.db-wal', '<stdout> belongs to the store open.db');
  });
});

describe('other commands', () => {
  test('refuse standard input that is the store', async () => {
    await refused('pm import --store s.db - < s.db', 'the store s.db is <stdin>');
    await refused('pm restore --store link.db - < hard.db', 'the store link.db is <stdin>');
    await refused('pm import --store s.db /dev/stdin < s.db', 'the store s.db is FILE /dev/stdin');
  });

  test('refuse standard output that is their input', async () => {
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
    test(`refuse standard output or standard error that is their store: ${command}`, async () => {
      await refused(`pm ${command} --store s.db >> s.db`, '<stdout> is the store s.db');
      // The message itself would be written into the store, so there is none.
      await refused(`pm ${command} --store s.db 2>> hard.db`, '');
      await refused(`pm ${command} --store s.db >> s.db 2>&1`, '');
    });

  test('may read and write what is not a file, such as a terminal or /dev/null', async () => {
    assert.equal((await shell('pm check --store s.db < /dev/null > /dev/null 2> /dev/null')).code, 0);
    const { code, stderr } = await shell('pm import --store empty/new.db - < /dev/null > /dev/null');
    assert.equal(code, 1);
    assert.match(stderr, /^error: <stdin>:1: the archive is empty/);
    assert.equal((await shell('pm export --store s.db 2>> said.txt > said.ndjson; rm said.*')).code, 0);
  });
});

test('a closed descriptor does not count as a file', async () => {
  assert.equal((await shell('pm check --store s.db 2>&-')).code, 0);
});
