// The reports of open slots in a database beside the embedded store.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqliteReports } from '../../src/store/sqlite/sqlite-reports.ts';
import { reportContract } from '../contracts/report-contract.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();
let storeCount = 0;
const newStore = () => directory.at(`store-${++storeCount}.db`);

reportContract('SQLite', async () => {
  const store = newStore();
  return async () => openSqliteReports(store);
});

const start = 1_782_864_000_000;

test('a file that is something else is refused, and left as it is', async () => {
  const store = newStore();
  using db = new DatabaseSync(`${store}-reports`);
  db.exec('create table things (id)');
  db.close();
  const before = readFileSync(`${store}-reports`);
  await assert.rejects(openSqliteReports(store), { code: 'invalid' });
  assert.deepEqual(readFileSync(`${store}-reports`), before);
  const text = newStore();
  writeFileSync(`${text}-reports`, 'these are no reports, and neither are they a database'.repeat(100));
  await assert.rejects(openSqliteReports(text), { code: 'invalid' });
});

test('files whose log could not be synced are opened again', async ({ mock }) => {
  const store = newStore();
  await using reports = await openSqliteReports(store);
  await reports.openSlot(start);
  await using file = await open(import.meta.filename);
  const failing = () => Promise.reject(new Error('EIO'));
  mock.method(Object.getPrototypeOf(file), 'datasync', failing, { times: 1 });
  await assert.rejects(reports.append(start, 'lost'), { code: 'unavailable', message: /the disk failed/ });
  await reports.openSlot(start);
  await reports.append(start, 'kept');
  assert.ok(readFileSync(`${store}-reports-wal`).includes('kept'));
});

test('reports of an older program are refused, with what to do, and left as they are', async () => {
  const store = newStore();
  await using reports = await openSqliteReports(store);
  await reports.openSlot(start);
  await reports[Symbol.asyncDispose]();
  using db = new DatabaseSync(`${store}-reports`);
  db.exec('pragma user_version = 1');
  db.close();
  const before = readFileSync(`${store}-reports`);
  await assert.rejects(openSqliteReports(store), {
    code: 'invalid',
    message: `${store}-reports has no reports of this program: if an older one made it, run that until the next slot has begun, stop it, and remove ${store}-reports`,
  });
  assert.deepEqual(readFileSync(`${store}-reports`), before);
});

for (const reading of ['nobody', 'another program'])
  test(`the key of a slot that is forgotten while ${reading} reads is in no file any more`, async () => {
    const store = newStore();
    await using reports = await openSqliteReports(store);
    const key = await reports.openSlot(start);
    const isThere = () =>
      ['', '-wal'].some((suffix) => readFileSync(`${store}-reports${suffix}`).includes(Buffer.from(key)));
    assert.equal(isThere(), true);
    using reader = new DatabaseSync(`${store}-reports`);
    reader.exec('begin');
    if (reading !== 'nobody') reader.exec('select count(*) from report_slot');
    await reports.freezeSlot(start);
    const forgotten = reports.forgetSlot(start);
    const stop = setTimeout(() => reader.exec('rollback'), 200);
    await forgotten;
    clearTimeout(stop);
    assert.equal(isThere(), false);
  });
