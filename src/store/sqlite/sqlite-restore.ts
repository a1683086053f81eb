/** Restores a backup: copies it, checks the copy, and moves that to its place. */
import { AppError } from '../../model/app-error.ts';
import type { BackupOptions, CheckRecord, StoreStats } from '../../model/store.ts';
import { countStore } from '../keeping/count-store.ts';
import { NewDatabase } from './new-database.ts';
import { copyBackup } from './sqlite-backup.ts';
import { checkSqliteStore } from './sqlite-check.ts';
import { sizeOf } from './sqlite-compact.ts';
import { openForWriting } from './sqlite-database.ts';
import { refuseExistingFile } from './sqlite-engine.ts';
import { beginReading } from './sqlite-sql.ts';

/**
 * Makes the store at `path` from a backup and returns its counts. A dry run does everything except the last step.
 * @throws AppError `conflict` if there is a file at `path`, `invalid` for a backup with faults, and as `copyBackup`.
 */
export async function restoreSqliteStore(
  backup: string,
  path: string,
  { isDryRun, ...options }: BackupOptions & { readonly isDryRun: boolean },
): Promise<StoreStats> {
  refuseExistingFile(path);
  using place = new NewDatabase(path);
  await copyBackup(backup, place, options);
  await refuseFaults(backup, place, options.checkRecord);
  const stats = await statsOf(place.buildPath);
  if (!isDryRun) place.publish();
  return stats;
}

async function refuseFaults(backup: string, place: NewDatabase, checkRecord: CheckRecord): Promise<void> {
  // A lock, so that no other process removes the copy as a leftover.
  using lock = openForWriting(place.buildPath);
  lock.exec('begin immediate');
  for await (const fault of checkSqliteStore(place.buildPath, checkRecord))
    throw new AppError('invalid', `the backup is damaged: ${fault}`, { place: backup });
}

async function statsOf(path: string): Promise<StoreStats> {
  await using transaction = beginReading(path);
  return { ...(await countStore(transaction.sql, Date.now())), sizeBytes: sizeOf(path) };
}
