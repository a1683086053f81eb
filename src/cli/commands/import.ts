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
import { shellCommand } from '../shell-command.ts';

/** Options of an import. */
interface ImportOptions {
  /** Accepts points more than a day ahead of the clock. */
  readonly allowFuture?: boolean | undefined;
  /** True if `PLUGIN_METRICS_STORE` named the store. */
  readonly isStoreVariable?: boolean | undefined;
}

/** Imports the archives in one transaction and prints a summary. */
export async function importArchives(
  store: Store,
  files: readonly string[],
  options: ImportOptions = {},
): Promise<void> {
  await importSources(store, await Promise.all(files.map(openArchiveReader)), options);
}

/** Imports the points in CSV files in one transaction and prints a summary. */
export async function importCsv(
  store: Store,
  files: readonly string[],
  { allowFuture, isStoreVariable, ...chart }: ImportOptions & Omit<CsvOptions, 'latestTimestamp'>,
): Promise<void> {
  const { readCsv } = await import('../../archive/csv/read-csv.ts');
  const limit = limitOf(allowFuture);
  const open = async (file: string): Promise<ArchiveReader> => {
    const bytes = await openArchiveBytes(file);
    return { ...bytes, records: () => readCsv(bytes, { ...chart, ...limit }) };
  };
  await importSources(store, await Promise.all(files.map(open)), { allowFuture, isStoreVariable });
}

function limitOf(allowFuture = false): { readonly latestTimestamp: number } {
  return { latestTimestamp: latestTimestampAt(Date.now(), { allowsFuture: allowFuture }) };
}

async function importSources(
  store: Store,
  sources: readonly ArchiveReader[],
  { allowFuture, isStoreVariable = false }: ImportOptions,
): Promise<void> {
  const counts = noCounts();
  const sizes = sources.map((source) => source.sizeBytes);
  const sizeBytes = sizes.reduce(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
  const readBytes = () => sources.reduce((sum, source) => sum + source.readBytes(), 0);
  await using writer = await store.openWriter(limitOf(allowFuture));
  using progress = startProgress({ verb: 'imported', counts, readBytes, sizeBytes });
  const early = new EarlyCharts();
  for (const source of sources)
    await copyRecords(source, writer, counts, (record, times) => early.take(record, times));
  await writer.commit();
  for (const line of early.warnings((words) => shellCommand(words, store, isStoreVariable)))
    printMessage(line);
  printResult(`${progress.summary()} into ${store.name}`);
}
