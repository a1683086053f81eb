/** Removing a SQLite file, or what SQLite keeps beside it. */
import { rmSync, statSync } from 'node:fs';

/** Removes a database with what SQLite may have left beside it. */
export function removeDatabase(path: string): void {
  removeLog(path);
  removeFile(path);
}

/** Removes the files that SQLite keeps beside a store in use. */
export function removeLog(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) removeFile(path + suffix);
}

function removeFile(path: string): void {
  if (isFile(path)) rmSync(path, { force: true });
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // What cannot be looked at, such as a name that is too long, is not there to be removed.
    return false;
  }
}
