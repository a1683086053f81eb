/** A folder with a store under several names, whose files must stay unchanged. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../../support/archive-text.ts';
import { importText } from '../../support/stores.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../../support/temporary-directory.ts';

/** Makes the folder: the stores `s.db` and `open.db`, two names for the first one. */
export async function makeNamedStores(): Promise<TemporaryDirectory> {
  const directory = temporaryDirectory();
  const text = archiveText([softwareLine(), pluginLine(), chartLine(), dataLine('players', '[[1000,1]]')]);
  for (const name of ['s.db', 'open.db']) await importText(directory.at(name), text);
  writeFileSync(directory.at('a.ndjson'), text);
  symlinkSync('s.db', directory.at('link.db'));
  symlinkSync('.', directory.at('here'));
  mkdirSync(directory.at('empty'));
  return directory;
}

/**
 * Runs a command that must be refused with exit code 2 and this message (none if empty) and must change no file of the
 * folder.
 */
export async function assertRefused(
  { path }: TemporaryDirectory,
  run: () => Promise<{ readonly code: unknown; readonly stderr: string }>,
  said: string | RegExp,
): Promise<void> {
  const before = contentsOf(path);
  const { code, stderr } = await run();
  assert.equal(code, 2, stderr);
  if (said === '') assert.equal(stderr, '');
  else if (typeof said === 'string')
    assert.equal(stderr.split('\n')[0], `error: ${said}: no command writes what it reads`);
  else assert.match(stderr.split('\n')[0] ?? '', said);
  assert.deepEqual(contentsOf(path), before);
}

/** Hashes every file, without the files that SQLite makes for a store that is only read. */
function contentsOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(s|open)\.db-(wal|shm)$/.test(entry.name))
    .map(({ name }) => `${name} ${hash('sha256', readFileSync(`${folder}/${name}`))}`);
}
