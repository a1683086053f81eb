/** `import`: archives, or CSV files, into a store, all of them or none. */
import { openArchiveBytes } from '../../archive/archive-bytes.ts';
import { type ArchiveReader, openArchiveReader } from '../../archive/archive-reader.ts';
import type { CsvOptions } from '../../csv/read-csv.ts';
import { copyRecords, noCounts } from '../../transfer/copy-records.ts';
import { printResult } from '../output.ts';
import { startProgress } from '../progress.ts';
import type { Store } from '../store-name.ts';

/** Imports the archives in one transaction and prints a summary. */
export async function importArchives(store: Store, files: readonly string[]): Promise<void> {
  await importSources(store, await Promise.all(files.map(openArchiveReader)));
}

/** Imports the points in CSV files in one transaction and prints a summary. */
export async function importCsv(store: Store, files: readonly string[], options: CsvOptions): Promise<void> {
  const { readCsv } = await import('../../csv/read-csv.ts');
  const open = async (file: string): Promise<ArchiveReader> => {
    const bytes = await openArchiveBytes(file);
    return { ...bytes, records: () => readCsv(bytes, options) };
  };
  await importSources(store, await Promise.all(files.map(open)));
}

async function importSources(store: Store, sources: readonly ArchiveReader[]): Promise<void> {
  const counts = noCounts();
  const sizes = sources.map((source) => source.sizeBytes);
  const sizeBytes = sizes.reduce(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  const readBytes = () => sources.reduce((sum, source) => sum + source.readBytes(), 0);
  await using writer = await store.openWriter();
  using progress = startProgress({ verb: 'imported', counts, readBytes, sizeBytes });
  for (const source of sources) await copyRecords(source, writer, counts);
  await writer.commit();
  printResult(`${progress.summary()} into ${store.name}`);
}
