/** Builds a database beside its place, so that it appears there complete or not at all. */
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
import { AppError } from '../../model/app-error.ts';
import { removeDatabase, removeLog } from './remove-database.ts';
import { isInUse } from './sqlite-database.ts';

/** A database that is being built. Disposing of it removes the file unless it was published. */
export class NewDatabase implements Disposable {
  /** Its place when it is complete. */
  readonly path: string;
  /** The file to build it in, which does not exist yet. */
  readonly buildPath: string;

  constructor(path: string) {
    this.path = path;
    this.buildPath = newBuildPath(path);
  }

  /**
   * Moves the database, which must be closed, to its place.
   * @throws AppError `conflict` if there is another database by now, `unavailable` if it fails otherwise.
   */
  publish(): void {
    const { path } = this;
    try {
      giveToOwnerOfFolder(this.buildPath);
      // To survive a loss of power: first the bytes go to the disk, then the name.
      syncToDisk(this.buildPath);
      // SQLite would apply the log of a former database to the new one.
      if (!existsSync(path)) removeLog(path);
      // Unlike a rename, a link never replaces a database that another process has made meanwhile.
      linkSync(this.buildPath, path);
      syncToDisk(dirname(path));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
        throw new AppError(
          'conflict',
          `another program has made the store ${path} meanwhile, and nothing was written to it; run this again`,
          { cause: error },
        );
      throw new AppError(
        'unavailable',
        `the store ${path} cannot be put in its place: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    }
  }

  [Symbol.dispose](): void {
    removeDatabase(this.buildPath);
  }
}

/** Removes databases for this place that killed processes left. A process that is still building holds a lock. */
export function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.new-`;
  for (const name of listEntries(dirname(path))) {
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
    const leftover = join(dirname(path), name);
    // A process killed right after publishing leaves a second name of a database that may be in use.
    if (!isSameFile(leftover, path) && isInUse(leftover)) continue;
    try {
      removeDatabase(leftover);
    } catch {
      // If it cannot be removed, such as another user's, the import goes on all the same.
    }
  }
}

/**
 * Gives a file of root to the owner and the group of its folder: a service that runs as this user could not write a store of
 * root, and could serve it only if it may create files beside it. SQLite gives `-wal` and `-shm` to the owner of the store.
 */
function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  // Without links, because otherwise the owner of the folder could link to any file and be given that.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(file).nlink === 1) fchownSync(file, uid, gid);
  } catch {
    // In containers and on network disks root may not change owners: then the file stays root's, like everything there.
  } finally {
    closeSync(file);
  }
}

/** Waits until a file, or the names in a folder, have been written to the disk. */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a name that no other process uses. Process ids are not unique across containers. */
function newBuildPath(path: string): string {
  removeLeftovers(path);
  return `${path}.new-${randomInt(2 ** 47)}`;
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

function listEntries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // If the folder does not exist, or may not be entered, creating the store in it reports that.
    return [];
  }
}
