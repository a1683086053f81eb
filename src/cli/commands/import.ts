/** `import`: reads archives or CSV files into a store, all of them or none. */
import { openArchiveBytes } from '../../archive/archive-bytes.ts';
import { type ArchiveReader, openArchiveReader } from '../../archive/archive-reader.ts';
import type { CsvOptions } from '../../archive/csv/read-csv.ts';
import { copyRecords, noCounts } from '../../model/copy-records.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { Points } from '../../model/points.ts';
import type { Store } from '../../model/store.ts';
import { printMessage, printResult } from '../output.ts';
import { startProgress } from '../progress.ts';

/** Options of an import. */
export interface ImportOptions {
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

const year1980 = Date.UTC(1980, 0);

/** The most charts that are remembered; from there on the warning says "at least". */
const maxCharts = 10_000;

/** Collects charts whose points all lie before 1980: their times are probably seconds where milliseconds belong. */
export class EarlyCharts {
  readonly #charts = new Map<string, string>();

  /** Takes the points of a data record. Later points take their chart out again. */
  take({ pluginId, chartId }: MetricsRecord & { readonly kind: 'data' }, { timestamps }: Points): void {
    const last = timestamps.at(-1);
    if (last === undefined) return;
    const key = `${pluginId} ${chartId}`;
    if (last >= year1980) this.#charts.delete(key);
    else if (this.#charts.size < maxCharts) this.#charts.set(key, `plugin ${pluginId}, chart ${chartId}`);
  }

  /** A line for each of the first charts, and one that counts the others. */
  warnings(shownCount = 5): string[] {
    const names = [...this.#charts.values()];
    const otherCount = names.length - shownCount;
    const atLeast = names.length === maxCharts ? 'at least ' : '';
    return [
      ...names
        .slice(0, shownCount)
        .map(
          (name) =>
            `warning: ${name}: all points of this import lie before 1980; are their times seconds instead of milliseconds?`,
        ),
      ...(otherCount > 0
        ? [`warning: so do those of ${atLeast}${otherCount} other chart${otherCount === 1 ? '' : 's'}`]
        : []),
    ];
  }
}
