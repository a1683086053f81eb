/** Builds a database in a separate file, and moves the complete file into place. */
import { randomInt } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../model/app-error.ts';
import { systemCode, writeFault } from '../../runtime/system-faults.ts';
import { findFile, isSameFile, refuseLogAlone, removeDatabase, removeLog } from './database-files.ts';
import { beginAlone, isInUse } from './sqlite-database.ts';
import { isThere } from './sqlite-fault.ts';

/**
 * A database that is being built, by one process at a time. Disposing of it, or the end of the process,
 * removes the file unless it was published.
 */
export class NewDatabase implements Disposable {
  /** The final path. */
  readonly path: string;
  /**
   * The file in which to build the database; it does not exist yet. Its name is random, because process ids
   * are not unique across containers.
   */
  readonly buildPath: string;
  /** The file for the compressed database. */
  readonly packedPath: string;
  readonly #lock: DatabaseSync;
  readonly #onExit = () => this[Symbol.dispose]();

  private constructor(path: string, lock: DatabaseSync) {
    this.path = path;
    this.buildPath = `${path}.new-${randomInt(1, 2 ** 47)}`;
    this.packedPath = `${this.buildPath}0`;
    this.#lock = lock;
    process.on('exit', this.#onExit);
  }

  /**
   * Prepares to build a database. If another process builds one for the same path, it calls `onWait`, and
   * waits; that database may exist afterwards.
   * @throws AppError `conflict` for a log without its database; the error of SQLite if no file can be created
   * here, or the other process does not end.
   */
  static async open(path: string, onWait = () => {}): Promise<NewDatabase> {
    refuseLogAlone(path);
    const lock = await lockPlace(lockPathOf(path), onWait);
    removeLeftovers(path);
    return new NewDatabase(path, lock);
  }

  /**
   * Moves the database, which must be closed, to its final path; or another complete file to another path.
   * @throws AppError `conflict` if another file exists there by now, `unavailable` if the move fails
   * otherwise.
   */
  publish(buildPath = this.buildPath, path = this.path): void {
    try {
      giveToOwnerOfFolder(buildPath);
      // To survive a power loss, the contents are synced to disk before the name.
      syncToDisk(buildPath);
      // SQLite would apply the log of a former database to the new one.
      refuseLogAlone(path);
      if (!existsSync(path)) removeLog(path);
      // Unlike a rename, a link never replaces a database that another process has created meanwhile.
      linkSync(buildPath, path);
      syncToDisk(dirname(path));
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (systemCode(error) === 'EEXIST')
        throw new AppError(
          'conflict',
          `another program has made the store ${path} meanwhile, and nothing was written to it; run this again`,
          { cause: error },
        );
      throw new AppError(
        'unavailable',
        `the store ${path} cannot be put in its place: ${writeFault(path, error as Error)}`,
        { cause: error },
      );
    }
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#onExit);
    removeDatabase(this.buildPath);
    removeDatabase(this.packedPath);
    if (!this.#lock.isOpen) return;
    // The lock file is removed while it is locked, so that waiting processes notice the removal.
    removeDatabase(lockPathOf(this.path));
    this.#lock.close();
  }
}

/** Refuses a path with a file. @throws AppError `conflict`. */
export function refuseExistingFile(path: string): void {
  if (!isThere(path)) return;
  throw new AppError('conflict', `there is a store at ${path} already; move it away, or name another one`);
}

/** Makes the path of the lock. It is never a build path, but is among the leftovers that are removed. */
function lockPathOf(path: string): string {
  return `${path}.new-0`;
}

/**
 * Takes the lock for a path: a SQLite lock on an empty file, released at the end of the process.
 * @returns the connection that holds the lock.
 */
async function lockPlace(lockPath: string, onWait: () => void): Promise<DatabaseSync> {
  for (;;) {
    const lock = new DatabaseSync(lockPath);
    try {
      const opened = findFile(lockPath);
      // This must precede the lock: closing another descriptor of the file would release it.
      giveToOwnerOfFolder(lockPath);
      await beginAlone(lock, onWait);
      if (isSameFile(opened, findFile(lockPath))) return lock;
    } catch (error) {
      if (findFile(lockPath) !== undefined) {
        lock.close();
        throw error;
      }
    }
    // The process that held the lock has removed the file: try again with a new one.
    lock.close();
  }
}

/**
 * Removes databases that killed processes left unfinished at this path. A process that is still building
 * holds a lock.
 */
export function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.new-`;
  for (const name of listEntries(dirname(path))) {
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
    const leftover = join(dirname(path), name);
    // A process killed right after publishing leaves a second name for a database that may be in use.
    if (!isSameFile(findFile(leftover), findFile(path)) && isInUse(leftover)) continue;
    try {
      removeDatabase(leftover);
    } catch {
      // A leftover that cannot be removed, such as another user's, does not stop the import.
    }
  }
}

/**
 * Gives a file created by root to the owner and the group of its folder: a service that runs as this user
 * could not write a store of root, and could serve it only with the right to create files beside it. SQLite
 * gives `-wal` and `-shm` to the owner of the store.
 */
function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  // Links are not followed, and files with several names are left alone: otherwise the owner of the folder
  // could link to any file, and be given that file.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(file).nlink === 1) fchownSync(file, uid, gid);
  } catch {
    // In containers and on network disks, root may not be allowed to change owners: then the file stays
    // root's, like everything there.
  } finally {
    closeSync(file);
  }
}

/** Syncs a file, or the names in a folder, to disk. */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function listEntries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // If the folder does not exist, or may not be entered, creating the store in it reports that.
    return [];
  }
}
