/** `import`: reads archives or CSV files into a store, all of them or none. */
import { openArchiveBytes } from '../../archive/archive-bytes.ts';
import { type ArchiveReader, openArchiveReader } from '../../archive/archive-reader.ts';
import type { CsvOptions } from '../../archive/csv/read-csv.ts';
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { Store } from '../../model/store.ts';
import { EarlyCharts } from '../early-charts.ts';
import { printMessage, printResult } from '../output.ts';
import { startProgress } from '../progress.ts';

/** Options of an import. */
interface ImportOptions {
  /** Accepts points more than a day ahead of the clock. */
  readonly allowFuture?: boolean;
}

/** Imports the archives in one transaction and prints a summary. */
export async function importArchives(
  store: Store,
  files: readonly string[],
  options: ImportOptions = {},
): Promise<void> {
  await importSources(store, await Promise.all(files.map(openArchiveReader)), limitOf(options));
}

/** Imports the points in CSV files in one transaction and prints a summary. */
export async function importCsv(
  store: Store,
  files: readonly string[],
  { allowFuture = false, ...chart }: ImportOptions & Omit<CsvOptions, 'latestTimestamp'>,
): Promise<void> {
  const { readCsv } = await import('../../archive/csv/read-csv.ts');
  const limit = limitOf({ allowFuture });
  const open = async (file: string): Promise<ArchiveReader> => {
    const bytes = await openArchiveBytes(file);
    return { ...bytes, records: () => readCsv(bytes, { ...chart, ...limit }) };
  };
  await importSources(store, await Promise.all(files.map(open)), limit);
}

function limitOf({ allowFuture = false }: ImportOptions): { readonly latestTimestamp: number } {
  return { latestTimestamp: latestTimestampAt(Date.now(), { allowsFuture: allowFuture }) };
}

async function importSources(
  store: Store,
  sources: readonly ArchiveReader[],
  limit: { readonly latestTimestamp: number },
): Promise<void> {
  const counts = noCounts();
  const sizes = sources.map((source) => source.sizeBytes);
  const sizeBytes = sizes.reduce(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  const readBytes = () => sources.reduce((sum, source) => sum + source.readBytes(), 0);
  await using writer = await store.openWriter(limit);
  using progress = startProgress({ verb: 'imported', counts, readBytes, sizeBytes });
  const early = new EarlyCharts();
  for (const source of sources)
    await copyRecords(source, writer, counts, (record, points) => early.take(record, points));
  await writer.commit();
  for (const warning of early.warnings()) printMessage(warning);
  printResult(`${progress.summary()} into ${store.name}`);
}
