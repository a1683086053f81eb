/** The index of a store's log (`-shm`), which every user of the store is to write, where this user may not. */
import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs';

/** A log of fewer bytes has not even a header (sqlite.org/walformat.html). */
const headerBytes = 32;

/** Two writes within this time may leave the same time at a file: some file systems keep whole seconds. */
const clockStepMs = 1100;

/**
 * The index of the log of a store, if it is there and may not be written by this user.
 * @param path of the store, which may be a symbolic link: SQLite keeps log and index beside the file itself.
 */
export function findUnwritableIndex(path: string): string | undefined {
  try {
    const index = `${realpathSync(path)}-shm`;
    return statSync(index, { throwIfNoEntry: false }) !== undefined && !isWritable(index) ? index : undefined;
  } catch {
    // The store has gone meanwhile, which its next reader says.
    return undefined;
  }
}

/** One line for the log about an index that cannot be written; undefined where all is well. */
export function findIndexWarning(path: string): string | undefined {
  const index = findUnwritableIndex(path);
  if (index === undefined) return undefined;
  return `${index} cannot be written by this user: SQLite reads the store anew for each response that is not cached; give the store, its -wal and its -shm to the user of this server`;
}

/**
 * Reads a stamp of a store that changes whenever the store is written. Undefined while there is something in the log.
 *
 * Where the log is empty and nobody has the store open who may write the index, SQLite cannot know whether somebody wrote
 * and left since the last transaction, so it reports a change at each (walBeginShmUnreliable in its wal.c): the stamp tells.
 */
export function stampOf(indexPath: string): string | undefined {
  const path = indexPath.replace(/-shm$/, '');
  const [file, log] = [path, `${path}-wal`].map(findFile);
  if ((log?.size ?? 0n) >= headerBytes) return undefined;
  const newestMs = Math.max(...[file, log].map((one) => Number(one?.mtimeMs ?? 0n)));
  // A write that follows at once may leave the same time, so such a stamp is like no other.
  const isSettled = Math.abs(Date.now() - newestMs) > clockStepMs;
  const stamp = [file, log].map((one) => [one?.ino, one?.size, one?.mtimeNs].join(' ')).join(' ');
  return isSettled ? stamp : `${stamp} ${process.hrtime.bigint()}`;
}

/** The file at a path; undefined for none, and for one that may not be looked at any more. */
function findFile(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
