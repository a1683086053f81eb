/** Imports and exports stores within this process, with the real reader and writer of archives. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openArchiveReader } from '../../src/archive/archive-reader.ts';
import { openArchiveWriter } from '../../src/archive/archive-writer.ts';
import { copyRecords, noCounts } from '../../src/model/copy-records.ts';
import type { WriteOptions } from '../../src/model/metrics-writer.ts';
import { maxTimestamp } from '../../src/model/window.ts';
import { beginWriting } from '../../src/store/sqlite/sqlite-engine.ts';
import { SqlWriter } from '../../src/store/writing/store-writer.ts';
import { openSqliteReader } from './reads.ts';

/** Begins to write the store in a file; a missing store is created. */
export async function openSqliteWriter(path: string, options?: WriteOptions): Promise<SqlWriter> {
  return new SqlWriter(await beginWriting(path, 'any'), options);
}

/** Imports an archive file into a store, including points in the future. */
export async function importFile(storePath: string, file: string): Promise<void> {
  const archive = await openArchiveReader(file);
  await using writer = await openSqliteWriter(storePath, { latestTimestamp: maxTimestamp });
  await copyRecords(archive, writer, noCounts());
  await writer.commit();
}

/** Imports the text of an archive. */
export async function importText(storePath: string, text: string | Uint8Array): Promise<void> {
  const file = `${storePath}.import`;
  writeFileSync(file, text);
  try {
    await importFile(storePath, file);
  } finally {
    rmSync(file);
  }
}

/** Exports everything in a store. */
export async function exportText(storePath: string): Promise<string> {
  const file = `${storePath}.export`;
  await using reader = openSqliteReader(storePath);
  await using writer = await openArchiveWriter(file);
  await copyRecords(reader, writer, noCounts());
  await writer.commit();
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  return text;
}
