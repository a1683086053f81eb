/** Compacts the embedded store. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Compacted, Unused } from '../../model/store.ts';
import { fullDisk } from '../../runtime/system-faults.ts';
import { getNumber, openForReading, openForWriting } from './sqlite-database.ts';
import { guarded, isFull, temporaryFolder, unusable } from './sqlite-fault.ts';

/** Longest wait for readers of older states, such as an export. */
const readersMs = 2000;

/**
 * Rewrites the file without its free pages, in one transaction. Readers are not blocked; writers wait.
 * @throws AppError like `openForWriting`; `unavailable` if another writer does not end, or there is no room
 * for a copy.
 */
export function compactSqliteStore(path: string, environment: NodeJS.ProcessEnv): Compacted {
  using db = openForWriting(path);
  return guarded(path, () => {
    const beforeBytes = sizeOf(path);
    try {
      db.exec('vacuum');
    } catch (error) {
      // `vacuum` writes a copy of the store to a temporary file, and another to the log.
      if (!isFull(error)) throw error;
      throw unusable(
        path,
        `cannot be used: ${fullDisk(dirname(resolve(path)), temporaryFolder(environment))}`,
        error,
      );
    }
    db.exec(`pragma busy_timeout = ${readersMs}`);
    // Moves the pages of the log into the file and truncates the log.
    const isBlocked = getNumber(db, 'pragma wal_checkpoint(truncate)') !== 0;
    return { beforeBytes, afterBytes: sizeOf(path), isBlocked };
  });
}

/** Measures the space that {@link compactSqliteStore} would at least free. */
export function measureSqliteStore(path: string): Unused {
  using db = openForReading(path);
  return guarded(path, () => {
    const sizeBytes = sizeOf(path);
    return { sizeBytes, unusedBytes: sizeBytes - usedBytes(db) };
  });
}

function usedBytes(db: DatabaseSync): number {
  const pageCount = getNumber(db, 'pragma page_count') - getNumber(db, 'pragma freelist_count');
  return pageCount * getNumber(db, 'pragma page_size');
}

/** Adds up the sizes of a store and its log. */
export function sizeOf(path: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
