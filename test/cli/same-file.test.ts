// No command overwrites its own input, by whatever name: it names the file and the store, ends with exit code
// 2 and changes nothing.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { runProgram } from '../support/run-program.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const { path } = directory;
before(async () => {
  const text = archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1]]')]);
  await importText(directory.at('s.db'), text);
  writeFileSync(directory.at('a.ndjson'), text);
  symlinkSync('s.db', directory.at('link.db'));
  symlinkSync('.', directory.at('here'));
  mkdirSync(directory.at('empty'));
});

/** Runs a command in the folder; `PWD` in the arguments is replaced by its path. */
function run(command: string) {
  return runProgram(command.replaceAll('PWD', path).split(' '), { cwd: path });
}

async function refused(command: string, said: RegExp): Promise<void> {
  const before = contents();
  const { code, stderr } = await run(command);
  assert.deepEqual([code, contents()], [2, before], stderr);
  assert.match(stderr, said, command);
}

/**
 * The files of the folder with their bytes, without those that SQLite makes for a store that is only read.
 */
function contents() {
  const names = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
  return names
    .filter(({ name }) => !/-(wal|shm)$/.test(name))
    .map(({ name }) => [name, readFileSync(directory.at(name), 'latin1')]);
}

describe('a command refuses its own store as its output or its input', () => {
  for (const name of ['s.db', 'here/link.db'])
    test(`by the name ${name}`, async () => {
      for (const command of [
        'export --store s.db --force',
        'backup --store sqlite:s.db',
        'restore --store PWD/s.db',
        'restore --dry-run --store s.db',
        'import --store link.db a.ndjson',
        'import --csv --chart 7/players --store s.db',
      ])
        await refused(
          `${command} ${name}`,
          /^error: FILE \S+\.db is the store \S+: no command writes what it reads\n/,
        );
    });

  test('by the name that its output has until it is whole', async () => {
    await refused(
      'notify --store s.db.new --plugin 7 --webhook http://localhost/ --state s.db',
      /^error: FILE s\.db\.new is the store \S+: no command writes what it reads\n/,
    );
  });

  test('by a SQLite file beside it, even if that does not exist', async () => {
    for (const end of ['-wal', '-shm', '-journal', '-reports'])
      for (const command of [
        `export --store s.db --force s.db${end}`,
        `backup --store link.db here/s.db${end}`,
      ])
        await refused(
          command,
          /^error: FILE \S+ belongs to the store \S+: no command writes what it reads\n/,
        );
  });

  test('but not other files with similar names', async () => {
    for (const name of ['S.DB', 'empty/s.db-wal', 'empty/s.db']) {
      assert.equal((await run(`export --store s.db ${name}`)).code, 0, name);
      rmSync(directory.at(name));
    }
  });
});
