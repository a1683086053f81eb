/** Backups of the embedded store: SQLite's online backup, of one state, while others read and write. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../model/app-error.ts';
import { NewDatabase } from '../new-database.ts';
import { guarded, openForReading, openForWriting, storeVersion } from '../sqlite-database.ts';

/** How a database is copied. */
export interface CopyOptions {
  /** Called now and then with the part that has been copied, 0 to 1, and with 1 at the end. */
  readonly onProgress?: (part: number) => void;
}

/** Pages that are copied at once: some ten milliseconds. */
const pagesAtOnce = 10_000;

/**
 * Copies the store in a file, of whatever version, as it is at one moment. The backup appears when it is complete.
 * @throws AppError `conflict` where there is a file already, as `openForReading` for the store, `unavailable` where the
 *   backup cannot be written.
 */
export async function backupSqliteStore(
  path: string,
  file: string,
  options: CopyOptions = {},
): Promise<void> {
  using source = openForReading(path, { isKept: true });
  refuseFile(file);
  using place = new NewDatabase(file);
  await copyDatabase({ source, path, place }, options);
  writing(file, () => place.publish());
}

/** Whether a file begins as every SQLite database does; what cannot be read does not. */
export function isSqliteFile(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const start = Buffer.alloc(16);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, start);
    closeSync(opened);
  } catch {
    return false;
  }
  return start.toString('latin1') === 'SQLite format 3\0';
}

/**
 * Copies a backup to a place of its own and brings the copy to the newest version; the backup stays as it is.
 * @throws AppError `invalid` for a file that is no store or a newer one, `unavailable` where it cannot be read or copied.
 */
export async function copyBackup(file: string, place: NewDatabase, options: CopyOptions = {}): Promise<void> {
  {
    using source = guarded(file, () => openBackup(file));
    guarded(file, () => storeVersion(source, file));
    await copyDatabase({ source, path: file, place }, options);
  }
  openForWriting(place.buildPath).close();
}

/** A backup may lie where nothing can be written, so SQLite is told that nobody writes it, unless somebody has. */
function openBackup(file: string): DatabaseSync {
  const isWritten = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const url = pathToFileURL(file);
  if (!isWritten) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** A database that is copied, its path, and where to. */
interface Copy {
  readonly source: DatabaseSync;
  readonly path: string;
  readonly place: NewDatabase;
}

async function copyDatabase({ source, path, place }: Copy, options: CopyOptions): Promise<void> {
  // A copy of pages that change meanwhile would begin anew each time. This transaction holds one state, and no writer up.
  guarded(path, () => source.exec('begin; select 1 from sqlite_schema'));
  // Says what is wrong with a file that cannot be made in better words than SQLite.
  writing(place.path, () => closeSync(openSync(place.buildPath, 'wx')));
  try {
    await backup(source, place.buildPath, {
      rate: pagesAtOnce,
      progress: ({ totalPages, remainingPages }) => options.onProgress?.(1 - remainingPages / totalPages),
    });
    options.onProgress?.(1);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new AppError('unavailable', `copying ${path} to ${place.path} failed: ${reason}`, { cause: error });
  }
}

function refuseFile(file: string): void {
  if (!existsSync(file)) return;
  throw new AppError('conflict', 'it is there already, and a backup replaces nothing', { place: file });
}

function writing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : error;
    throw new AppError('unavailable', `cannot be written: ${reason}`, { place: file, cause: error });
  }
}
