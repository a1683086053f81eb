/** `restore`: makes a store from a backup or an archive, all or nothing. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStart } from '../../archive/archive-bytes.ts';
import { openArchiveReader } from '../../archive/archive-reader.ts';
import { recordChecker } from '../../archive/check-record.ts';
import { type CopyCounts, copyRecords, noCounts } from '../../model/copy-records.ts';
import type { RecordSource } from '../../model/metrics-record.ts';
import { maxTimestamp } from '../../model/points.ts';
import type { Store } from '../../model/store.ts';
import { openSqliteStore } from '../../sqlite/sqlite-store.ts';
import { printResult } from '../output.ts';
import { startProgress, startStatus } from '../progress.ts';
import { countsText } from '../words.ts';

interface RestoreOptions {
  readonly isDryRun: boolean;
}

/** Restores, and prints what the store then holds. */
export async function restore(store: Store, file: string, options: RestoreOptions): Promise<void> {
  const restoreFrom = isBackup(file) ? restoreBackup : restoreArchive;
  const counts = await restoreFrom(store, file, options);
  const verb = options.isDryRun ? 'would restore' : 'restored';
  printResult(`${verb} ${file} into ${store.name}: ${countsText(counts)}`);
}

/** True for a file that begins as every SQLite database does; what cannot be read is left to the archive reader. */
function isBackup(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const start = Buffer.alloc(sqliteStart.length);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, start);
    closeSync(opened);
  } catch {
    return false;
  }
  return sqliteStart.equals(start);
}

async function restoreArchive(store: Store, file: string, options: RestoreOptions): Promise<CopyCounts> {
  const archive = await openArchiveReader(file);
  return copyIntoNew(store, archive, { ...options, ...archive });
}

/** A SQLite store is the copy itself; into a store on a server its records are copied. */
async function restoreBackup(store: Store, file: string, { isDryRun }: RestoreOptions): Promise<CopyCounts> {
  let part = 0;
  using status = startStatus(() => (part < 1 ? `copied ${Math.round(part * 100)} %` : `checking ${file}`));
  const onProgress = (copied: number) => {
    part = copied;
    if (part === 1) status.draw();
  };
  const options = { checkRecord: recordChecker(), onProgress };
  if (store.file !== undefined) {
    const stats = await store.file.restore(file, { ...options, isDryRun });
    return {
      ...noCounts(),
      software: stats.softwareCount,
      plugin: stats.pluginCount,
      chart: stats.chartCount,
      point: stats.pointCount,
      snapshot: stats.snapshotCount,
      event: stats.eventCount,
    };
  }
  using folder = temporaryFolder();
  const copy = openSqliteStore(join(folder.path, 'copy.db'));
  await copy.file.restore(file, { ...options, isDryRun: false });
  await using reader = await copy.openReader();
  status[Symbol.dispose]();
  return await copyIntoNew(store, reader, { isDryRun });
}

async function copyIntoNew(
  store: Store,
  source: RecordSource,
  options: RestoreOptions & { readonly readBytes?: () => number; readonly sizeBytes?: number | undefined },
): Promise<CopyCounts> {
  const counts = noCounts();
  // An export or a backup is restored whole, including points in the future.
  await using writer = await store.openNewWriter({ latestTimestamp: maxTimestamp });
  using _ = startProgress({ ...options, verb: 'restored', counts });
  await copyRecords(source, writer, counts);
  if (!options.isDryRun) await writer.commit();
  return counts;
}

function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'plugin-metrics-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
