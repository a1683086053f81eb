// The stores of `npm start`: one of another version or week is made again.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { removeOther } from '../../sample/own-store.ts';
import { storeVersion } from '../../src/store/store-version.ts';
import { pastText, pluginLine, softwareLine } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

test('a store of another version or week is removed with its reports, one of the same stays', async () => {
  const path = directory.at('sample.db');
  removeOther(path);
  const event = { record: 'event', pluginId: 7, title: '2.4.0', url: null };
  const archive = [
    softwareLine(),
    pluginLine(),
    ...[2000, 1000].map((time) => JSON.stringify({ ...event, time })),
  ];
  const removals: readonly (readonly [
    version: number,
    oldestEventMs: number | undefined,
    isKept: boolean,
  ])[] = [
    [storeVersion, undefined, true],
    [storeVersion, 1000, true],
    [storeVersion, 2000, false],
    [4, 1000, false],
  ];
  for (const [version, oldestEventMs, isKept] of removals) {
    await importText(path, pastText(archive));
    for (const name of ['sample.db-reports', 'sample.ndjson.gz']) writeFileSync(directory.at(name), '');
    {
      using db = new DatabaseSync(path);
      db.exec(`pragma user_version = ${version}`);
    }
    const names = readdirSync(directory.path);
    removeOther(path, oldestEventMs);
    assert.deepEqual(readdirSync(directory.path), isKept ? names : ['sample.ndjson.gz']);
  }
});
