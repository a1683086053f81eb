// Flipped bytes in the rows of a store's file: every answer and every export is right or an error.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parseStoreName } from '../../src/cli/store-name.ts';
import { removeLog } from '../../src/store/sqlite/database-files.ts';
import type { Table } from '../../src/store/table.ts';
import { allTables } from '../../src/store/tables.ts';
import { everyKind, loadAnswers, wrongAnswers } from '../support/damaged-answers.ts';
import { randomFrom } from '../support/points.ts';
import { importText } from '../support/stores.ts';
import { directoryOfFile } from '../support/temporary-directory.ts';

const directory = directoryOfFile();

const flipCount = Number(process.env['PLUGIN_METRICS_TEST_FLIPS'] ?? 200);

test('no flipped byte of a row changes an answer or an export without an error', async (t) => {
  const path = directory.at('store.db');
  const store = parseStoreName(path);
  await importText(path, everyKind);
  const right = await loadAnswers(store);
  for (const [target, answer] of right) assert.match(answer ?? '', /^(200 |\{"record")/, target);
  const good = readFileSync(path);
  const places = rowBytes(path, good);
  const random = randomFrom(38);
  const errors = { answers: 0, exports: 0, facts: 0 };
  for (let turn = 0; turn < flipCount; turn++) {
    const { at, isFact } = places[Math.floor(random() * places.length)] ?? assert.fail();
    if (isFact) errors.facts++;
    const damaged = Buffer.from(good);
    damaged[at] = (damaged[at] ?? 0) ^ (1 + Math.floor(random() * 255));
    removeLog(path);
    writeFileSync(path, damaged);
    const answers = await loadAnswers(store);
    const what = `byte ${at}: ${good[at]} became ${damaged[at]}`;
    assert.deepEqual(wrongAnswers(answers, right), [], what);
    errors.answers += [...answers.values()].filter((answer) => answer === undefined).length;
    if (answers.get('export') === undefined) errors.exports++;
  }
  t.diagnostic(`${flipCount} flips: ${errors.exports} exports refused, ${errors.answers} answers in all`);
  // SQLite reads the id of a chart from an index instead of its row, so a flip in the row changes nothing.
  assert.ok(errors.exports > (flipCount - errors.facts) * 0.8);
});

/**
 * Finds the bytes of rows to flip. In a table without rowid, a changed key may hide rows, which only a check
 * finds; so in these tables, and in chunks, the integers of the key are left out.
 */
function rowBytes(path: string, file: Buffer): { readonly at: number; readonly isFact: boolean }[] {
  using db = new DatabaseSync(path);
  const pageBytes = Number(db.prepare('pragma page_size').get()?.['page_size']);
  const rootOf = db.prepare('select rootpage from sqlite_schema where name = ?');
  return allTables.filter(isVerified).flatMap((table) => {
    const { name } = table;
    const page = pageBytes * (Number(rootOf.get(name)?.['rootpage']) - 1);
    const hasRowId = file[page] === 13;
    assert.ok(hasRowId || file[page] === 10, `the rows of ${name} are on one page`);
    const cellCount = file.readUInt16BE(page + 3);
    return Array.from({ length: cellCount }, (_, index) => {
      const cell: Cursor = { file, at: page + file.readUInt16BE(page + 8 + 2 * index) };
      readVarint(cell);
      if (hasRowId) readVarint(cell);
      // Exports do not read facts.
      const isFact = /_(now|trend)$/.test(name);
      return placesOf(cell, table, hasRowId).map((at) => ({ at, isFact }));
    }).flat();
  });
}

function placesOf(cell: Cursor, { name, key, columns }: Table, hasRowId: boolean): number[] {
  const isChunk = name === 'chunk';
  const places: number[] = [];
  const take = (from: number, sizeBytes: number) =>
    places.push(...Array.from({ length: sizeBytes }, (_, index) => from + index));
  const start = cell.at;
  const headerBytes = readVarint(cell);
  if (hasRowId && !isChunk) take(start, headerBytes);
  let at = start + headerBytes;
  for (const { name: column, kind } of columns) {
    const sizeBytes = sizeOf(readVarint(cell));
    if ((hasRowId && !isChunk) || kind.type !== 'integer' || !key.includes(column)) take(at, sizeBytes);
    at += sizeBytes;
  }
  return places;
}

/** True for a table whose rows have a checksum, or contain bytes with a checksum. */
function isVerified({ columns }: Table): boolean {
  return columns.some(({ kind }) => kind.type === 'checksum' || kind.type === 'bytes');
}

interface Cursor {
  readonly file: Buffer;
  at: number;
}

function readVarint(cursor: Cursor): number {
  for (let value = 0; ; ) {
    const byte = cursor.file[cursor.at++] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return value;
  }
}

/** The size of a value with this serial type (sqlite.org/fileformat2.html, 2.1). */
function sizeOf(serialType: number): number {
  if (serialType >= 12) return (serialType - 12 - (serialType % 2)) / 2;
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][serialType] ?? 0;
}
