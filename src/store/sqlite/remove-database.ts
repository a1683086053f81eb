/** Removes SQLite files. */
import { rmSync, statSync } from 'node:fs';

/** Removes a database with the files that SQLite keeps beside it. */
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
    // A path that cannot be inspected, such as one that is too long, has no file to remove.
    return false;
  }
}
