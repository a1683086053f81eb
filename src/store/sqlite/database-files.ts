/** The files of a database: finds, compares and removes them, and refuses a log without its database. */
import { rmSync, type Stats, statSync } from 'node:fs';
import { AppError } from '../../model/app-error.ts';
import { isThere } from './sqlite-fault.ts';

/** Finds the file at a path; undefined if there is none, or if this user may not inspect it. */
export function findFile(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** True if both files exist and are the same. */
export function isSameFile(one: Stats | undefined, other: Stats | undefined): one is Stats {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** The size of a store's log; 0 if there is no log. */
export function logSize(path: string): number {
  return findFile(`${path}-wal`)?.size ?? 0;
}

/** Removes a database and SQLite's other files beside it. */
export function removeDatabase(path: string): void {
  removeLog(path);
  removeFile(path);
}

/** Removes the files that SQLite keeps beside an open store. */
export function removeLog(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) removeFile(path + suffix);
}

/**
 * Refuses a path with the log of a store, but without the store: the last commits may be in the log alone.
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
