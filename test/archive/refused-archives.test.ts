// Every archive that breaks a rule is refused with the line and the rule, and nothing of it is stored.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { importArchives } from '../../src/cli/commands/import.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';
import { good, type RefusedArchive, refusedArchives } from './refused-archives.ts';

const directory = directoryOfFile();
const storedPath = directory.at('stored.db');
let storedText = '';

before(async () => {
  storedText = archiveText([
    softwareLine(),
    pluginLine(),
    chartLine({ chartId: 'pie', uid: 71, type: 'advanced_pie' }),
    dataLine('pie', '[{"name":"a","y":1}]'),
    chartLine(),
    dataLine('players', '[[1000,1],[2000,2]]'),
  ]);
  await importText(storedPath, storedText);
  assert.equal(await exportText(storedPath), storedText);
});

for (const { what, bytes, line, message } of refusedArchives) {
  test(`${what}: refused with its line`, async () => {
    const file = directory.at('bad.ndjson');
    writeFileSync(file, bytes);
    await assertNothingStored([file], { place: `${file}:${line}`, message });
  });
}

test('if the second of two files is bad, nothing of the first is stored', async () => {
  const first = directory.at('first.ndjson');
  writeFileSync(first, archiveText(good));
  const second = directory.at('second.ndjson');
  writeFileSync(second, archiveText([pluginLine({ softwareId: 9 })]));
  await assertNothingStored([first, second], {
    place: `${second}:2`,
    message: 'there is no software with the id 9',
  });
});

test('a directory or a missing file is refused before the import begins', async () => {
  const first = directory.at('first.ndjson');
  writeFileSync(first, archiveText(good));
  await assertNothingStored([first, directory.path], {
    place: directory.path,
    message: /is a directory, not a file$/,
  });
  const missing = directory.at('missing.ndjson');
  await assertNothingStored([first, missing], {
    place: missing,
    message: 'cannot be read: there is no such file',
  });
  const below = `${first}/below`;
  await assertNothingStored([below], { place: below, message: /^cannot be read: ./ });
});

interface Refusal extends Pick<RefusedArchive, 'message'> {
  readonly place: string;
}

/** Imports into an existing store and into a new one, and asserts that nothing changed. */
async function assertNothingStored(files: readonly string[], { place, message }: Refusal) {
  const newPath = directory.at('new.db');
  for (const path of [storedPath, newPath]) {
    const error = await importArchives(parseStoreName(path), files).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof AppError, error instanceof Error ? String(error.stack) : 'it was imported');
    assert.equal(error.place, place);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
  }
  assert.equal(await exportText(storedPath), storedText);
  const made = directory.entriesLike('new.db');
  for (const entry of made) rmSync(directory.at(entry));
  assert.deepEqual(made, []);
}
