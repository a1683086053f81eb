// A mutated archive is refused with its line and leaves the store unchanged, or it is another valid archive.
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { importArchives } from '../../src/cli/commands/import.ts';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { AppError } from '../../src/model/app-error.ts';
import { archiveText, chartLine, dataLine, pluginLine, softwareLine } from '../support/archive-text.ts';
import { fc } from '../support/seed.ts';
import { exportText, importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
const stored = directory.at('stored.db');
const changed = directory.at('changed.db');
const again = directory.at('again.db');
const file = directory.at('mutated');

const earlier = archiveText([softwareLine({ name: 'Before' }), pluginLine(), chartLine()]);
const text = archiveText([
  softwareLine({ globalPluginId: 7 }),
  pluginLine({ name: 'Naïve "\\" 😀' }),
  chartLine(),
  chartLine({ chartId: 'pie', uid: 71, type: 'advanced_pie' }),
  dataLine('players', '[[1000,9],[3000,9.5],[2000,1e3]]'),
  dataLine('pie', '[{"name":"é","y":1.0}]'),
]);
let storedText = '';
let importedText = '';

before(async () => {
  await importText(stored, earlier);
  storedText = await exportText(stored);
  copyFileSync(stored, changed);
  await importText(changed, text);
  importedText = await exportText(changed);
});

const mutationCount = Number(process.env['PLUGIN_METRICS_TEST_MUTATIONS'] ?? 100);

const mutation = fc.record({
  at: fc.nat(),
  deleted: fc.nat(3),
  inserted: fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc
      .constantFrom('"', '{', '}', '[', ']', ',', ':', '\\', '\n', ' ', '0', '-', 'e', '\ud83d')
      .map((one) => Buffer.from(one)),
  ),
});

function mutate(
  bytes: Uint8Array,
  mutations: readonly { at: number; deleted: number; inserted: Uint8Array }[],
) {
  return mutations.reduce<Buffer>((mutated, { at, deleted, inserted }) => {
    const from = at % (mutated.length + 1);
    return Buffer.concat([mutated.subarray(0, from), inserted, mutated.subarray(from + deleted)]);
  }, Buffer.from(bytes));
}

const params = { [constants.ZSTD_c_checksumFlag]: 1 };
for (const { name, bytes, isChecked } of [
  { name: 'a plain archive', bytes: Buffer.from(text), isChecked: false },
  { name: 'a gzip archive', bytes: gzipSync(text), isChecked: true },
  { name: 'a zstd archive with a checksum', bytes: zstdCompressSync(text, { params }), isChecked: true },
]) {
  test(`${name} with random changes is refused with its line, or is valid`, async (t) => {
    const outcomes = { refused: 0, stored: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 2 }), async (mutations) => {
        for (const path of [changed, again])
          for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
        copyFileSync(stored, changed);
        writeFileSync(file, mutate(bytes, mutations));
        const error = await importArchives(parseStoreName(changed), [file]).catch(
          (thrown: unknown) => thrown,
        );
        outcomes[error === undefined ? 'stored' : 'refused']++;
        const outcome = await exportText(changed);
        if (error !== undefined) {
          assert.ok(error instanceof AppError, String(error));
          assert.match(error.place ?? '', /mutated:\d+$/);
          assert.equal(outcome, storedText);
        } else if (isChecked) assert.equal(outcome, importedText);
        else {
          await importText(again, outcome);
          assert.equal(await exportText(again), outcome);
        }
      }),
      { numRuns: mutationCount },
    );
    t.diagnostic(`${outcomes.refused} refused, ${outcomes.stored} stored`);
  });
}
