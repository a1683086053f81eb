/** Stores imported and exported within the process, with the real reader and writer of archives. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openArchiveReader } from '../../src/archive/archive-reader.ts';
import { openArchiveWriter } from '../../src/archive/archive-writer.ts';
import { copyRecords, noCounts } from '../../src/model/copy-records.ts';
import { maxTimestamp } from '../../src/model/points.ts';
import { openSqliteReader } from '../../src/sqlite/reading/sqlite-reader.ts';
import { openSqliteWriter } from '../../src/sqlite/sqlite-writer.ts';

/** Imports an archive file into a store, including points in the future. */
export async function importFile(storePath: string, file: string): Promise<void> {
  const archive = await openArchiveReader(file);
  await using writer = openSqliteWriter(storePath, { latestTimestamp: maxTimestamp });
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
