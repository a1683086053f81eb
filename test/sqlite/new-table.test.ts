// A new table needs no code for its checksums.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { recordChecker } from '../../src/archive/check-record.ts';
import type { Table } from '../../src/store/table.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('a damaged row of a table that was just described is found by a read, a check and an export', async () => {
  using directory = temporaryDirectory();
  const copy = describeTable(directory.path);
  const load = (file: string) => import(pathToFileURL(join(copy, file)).href);
  const { openSqliteStore }: typeof import('../../src/store/store.ts') = await load('store/store.ts');
  const { beginReading }: typeof import('../../src/store/sqlite/sqlite-sql.ts') = await load(
    'store/sqlite/sqlite-sql.ts',
  );
  const { beginWriting }: typeof import('../../src/store/sqlite/sqlite-engine.ts') = await load(
    'store/sqlite/sqlite-engine.ts',
  );
  const { statement }: typeof import('../../src/store/statement.ts') = await load('store/statement.ts');
  const { note }: { readonly note: Table } = (await load('store/tables.ts')).tables;

  const path = directory.at('store.db');
  await using writing = await beginWriting(path, 'missing');
  await writing.sql.put(note, [{ id: 1, text: 'good' }]);
  await writing.commit();
  const store = openSqliteStore(path);
  const read = async () => {
    await using reading = beginReading(path);
    return await reading.sql.read(statement`select ${note.all} from note`);
  };
  const check = () => Array.fromAsync(store.check(recordChecker()));
  const exported = async () => {
    await using reader = await store.openReader();
    return (await Array.fromAsync(reader.records())).flat().map(({ kind }) => kind);
  };
  assert.deepEqual(await read(), [{ id: 1, text: 'good' }]);
  assert.deepEqual(await check(), []);
  assert.deepEqual(await exported(), ['archive', 'end']);

  using db = new DatabaseSync(path);
  db.exec("update note set text = 'bad'");
  const damage = { code: 'unavailable', message: /the store is damaged: note 1 has a wrong checksum/ };
  await assert.rejects(read(), damage);
  assert.deepEqual(await check(), ['note 1: its checksum is wrong']);
  await assert.rejects(exported(), damage);
});

/** Copies the program, and describes another table in the copy. @returns the folder of the copy. */
function describeTable(directory: string): string {
  const copy = join(directory, 'src');
  cpSync(join(root, 'src'), copy, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const file = join(copy, 'store/tables.ts');
  const list = 'export const tables = {';
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(list));
  writeFileSync(
    file,
    text.replace(
      list,
      `const note = table('note', { id: integer, text }, { key: ['id'], called: ({ id }) => \`note \${id}\` });\n${list} note,`,
    ),
  );
  return copy;
}
