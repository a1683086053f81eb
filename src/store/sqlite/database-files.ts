/** The files of a database: found, compared and removed, but for a log that may have what its store lacks. */
import { rmSync, type Stats, statSync } from 'node:fs';
import { AppError } from '../../model/app-error.ts';
import { isThere } from './sqlite-fault.ts';

/** Finds the file at a path; undefined for none, and for one that this user may not inspect. */
export function findFile(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** True if both are there, and are the same file. */
export function isSameFile(one: Stats | undefined, other: Stats | undefined): one is Stats {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** The size of the log of a store: 0 for one without. */
export function logSize(path: string): number {
  return findFile(`${path}-wal`)?.size ?? 0;
}

/** Removes a database with the files that SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  removeLog(path);
  removeFile(path);
}

/** Removes the files that SQLite keeps beside a store in use. */
export function removeLog(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) removeFile(path + suffix);
}

/**
 * Refuses a place that has the log of a store, but no store: what was committed last may be in the log alone.
 * @throws AppError `conflict`.
 */
export function refuseLogAlone(path: string): void {
  if (isThere(path)) return;
  const log = ['-wal', '-journal'].find((suffix) => (findFile(path + suffix)?.size ?? 0) > 0);
  if (log === undefined) return;
  throw new AppError(
    'conflict',
    `there is no store at ${path}, but ${path}${log}, the log of one, which may have the last commits: bring both together, and always move FILE${log} with FILE`,
  );
}

function removeFile(path: string): void {
  if (findFile(path)?.isFile()) rmSync(path, { force: true });
}
