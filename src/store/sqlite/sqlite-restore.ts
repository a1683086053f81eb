/** Restores a backup: copies it, checks the copy, and moves that to its place. */
import { AppError } from '../../model/app-error.ts';
import type { BackupOptions, StoreStats } from '../../model/store.ts';
import { countStore } from '../keeping/count-store.ts';
import { NewDatabase } from './new-database.ts';
import { copyBackup } from './sqlite-backup.ts';
import { checkSqliteStore } from './sqlite-check.ts';
import { sizeOf } from './sqlite-compact.ts';
import { refuseExistingFile } from './sqlite-engine.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { beginReading } from './sqlite-sql.ts';

/**
 * Makes the store at `path` from a backup and returns its counts. A dry run does everything except the last step.
 * @throws AppError `conflict` if there is a file at `path`, `invalid` for a backup with faults, and as `copyBackup`.
 */
export async function restoreSqliteStore(
  backup: string,
  path: string,
  { isDryRun, ...options }: BackupOptions & { readonly isDryRun: boolean },
  onWait?: () => void,
): Promise<StoreStats> {
  refuseExistingFile(path);
  using place = await NewDatabase.open(path, onWait).catch((error) => {
    throw sqliteFault(error, path);
  });
  refuseExistingFile(path);
  await copyBackup(backup, place, options);
  await refuseFaults(backup, place, options);
  const stats = await statsOf(place.buildPath);
  if (!isDryRun) place.publish();
  return stats;
}

async function refuseFaults(
  backup: string,
  place: NewDatabase,
  { checkRecord, onProgress }: BackupOptions,
): Promise<void> {
  for await (const fault of checkSqliteStore(place.buildPath, checkRecord, onProgress))
    throw new AppError('invalid', `the backup is damaged: ${fault}`, { place: backup });
}

async function statsOf(path: string): Promise<StoreStats> {
  await using transaction = beginReading(path);
  return { ...(await countStore(transaction.sql, Date.now())), sizeBytes: sizeOf(path) };
}
