// The stores of `npm start`: one of another version is made again.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { removeOtherVersion } from '../../sample/own-store.ts';
import { archiveText } from '../support/archive-text.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

test('a store of another version is removed with its reports, one of this version stays', async () => {
  const path = directory.at('sample.db');
  removeOtherVersion(path);
  await importText(path, archiveText([]));
  for (const name of ['sample.db-reports', 'sample.ndjson.gz']) writeFileSync(directory.at(name), '');
  const names = readdirSync(directory.path);
  removeOtherVersion(path);
  assert.deepEqual(readdirSync(directory.path), names);
  {
    using db = new DatabaseSync(path);
    db.exec('pragma user_version = 4');
  }
  removeOtherVersion(path);
  assert.deepEqual(readdirSync(directory.path), ['sample.ndjson.gz']);
});
