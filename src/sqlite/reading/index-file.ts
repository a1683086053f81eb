/** Handles an index of the log (`-shm`) that this user may not write, although SQLite writes it even to read. */
import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs';

/** The size of the header of a log (sqlite.org/walformat.html). */
const headerBytes = 32;

/** Two writes within this time may give a file the same time: some file systems keep whole seconds. */
const clockStepMs = 1100;

/**
 * Finds the index of a store's log, if it exists and this user may not write it.
 * @param path of the store; may be a symbolic link, as SQLite keeps log and index beside the file itself.
 */
export function findUnwritableIndex(path: string): string | undefined {
  try {
    const index = `${realpathSync(path)}-shm`;
    return statSync(index, { throwIfNoEntry: false }) !== undefined && !isWritable(index) ? index : undefined;
  } catch {
    // The store has been removed meanwhile, which the next read reports.
    return undefined;
  }
}

/** Renders a warning about an index that cannot be written; undefined if there is none. */
export function findIndexWarning(path: string): string | undefined {
  const index = findUnwritableIndex(path);
  if (index === undefined) return undefined;
  return `${index} cannot be written by this user: SQLite rereads the store for each response that is not cached; give the store, its -wal and its -shm to the user of this server`;
}

/** Finds the file at a path; undefined for none, and for one that this user may not inspect. */
export function findFile(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

/**
 * Makes a stamp that changes whenever the store is written; undefined while the log has content.
 *
 * If the log is empty and every process with the store open may only read the index, SQLite cannot know if the store was
 * written since the last transaction, so it reports a change each time (walBeginShmUnreliable in its wal.c). The stamp shows
 * if there really was one.
 */
export function stampOf(indexPath: string): string | undefined {
  const path = indexPath.replace(/-shm$/, '');
  const [file, log] = [path, `${path}-wal`].map(findFile);
  if ((log?.size ?? 0n) >= headerBytes) return undefined;
  const newestMs = Math.max(...[file, log].map((one) => Number(one?.mtimeMs ?? 0n)));
  // Another write right after this one may leave the same time, so a recent stamp is made unique.
  const isSettled = Math.abs(Date.now() - newestMs) > clockStepMs;
  const stamp = [file, log].map((one) => [one?.ino, one?.size, one?.mtimeNs].join(' ')).join(' ');
  return isSettled ? stamp : `${stamp} ${process.hrtime.bigint()}`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
