// The stores of `demo`: one of another version or week is made again.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { keepDemoStore } from '../../../src/cli/demo/demo-store.ts';
import { archiveText, softwareLine } from '../../support/archive-text.ts';
import { runProgram } from '../../support/run-program.ts';
import { importText } from '../../support/stores.ts';
import { directoryOfFile } from '../../support/temporary-directory.ts';

const directory = directoryOfFile();

test('a store of another version or week is removed with its reports, one of the same stays', async () => {
  const path = directory.at('new/demo-sample.db');
  const folder = dirname(path);
  const others = ['demo-sample.db.bak', 'sample.db'];
  assert.equal(await keepDemoStore(path, () => assert.fail('there is no store')), false);
  const pragma = (text: string) => {
    using db = new DatabaseSync(path);
    return db.prepare(`pragma user_version${text}`).get()?.['user_version'];
  };
  for (const [version, isOfThisWeek, isKept] of [
    ['', true, true],
    ['', false, false],
    ['= 4', true, false],
  ] as const) {
    await importText(path, archiveText([softwareLine()]));
    for (const name of ['demo-sample.db-reports', ...others]) writeFileSync(`${folder}/${name}`, '');
    pragma(version);
    const names = readdirSync(folder);
    const isSame = async (store: { readonly loadStats: () => Promise<unknown> }) => {
      await store.loadStats();
      return isOfThisWeek;
    };
    assert.equal(await keepDemoStore(path, isSame), isKept);
    assert.deepEqual(
      readdirSync(folder).filter((name) => !/-(shm|wal)$/.test(name)),
      isKept ? names : others,
    );
  }
});

test('a folder that cannot be made, and a time that is none, are named', async () => {
  writeFileSync(directory.at('file'), '');
  const inFile = await runProgram(['demo', '--folder', `${directory.at('file')}/demo`]);
  assert.equal(inFile.code, 1);
  assert.match(inFile.stderr, /^error: \S+file\/demo: .*; --folder names another folder\n$/);
  const never = await runProgram(['demo', '--now', 'never']);
  assert.equal(never.code, 2);
  assert.match(never.stderr, /--now .*a time such as 2026-06-30T23:30Z, got "never"/);
});
