/** A database that is built beside its place, so that it appears there complete or not at all. */
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
import { AppError } from '../model/app-error.ts';
import { removeDatabase, removeLog } from './remove-database.ts';
import { isInUse } from './sqlite-database.ts';

/** A place for a database. Disposing of it removes what has been built and not published. */
export class NewDatabase implements Disposable {
  /** Where it goes. */
  readonly path: string;
  /** Where to build it: a file that is not there yet. */
  readonly buildPath: string;

  constructor(path: string) {
    this.path = path;
    this.buildPath = newBuildPath(path);
  }

  /**
   * Moves what has been built, and closed, to its place.
   * @param path another place, in the same folder.
   * @throws AppError `unavailable` where that cannot be done, or another database stands there already.
   */
  publish(path = this.path): void {
    try {
      giveToOwnerOfFolder(this.buildPath);
      // From here on it must outlive a loss of power: its bytes go to the disk first, then its name.
      syncToDisk(this.buildPath);
      // SQLite would take the log of a database that is gone for that of the new one.
      if (!existsSync(path)) removeLog(path);
      // A link, unlike a rename, never replaces a database that another process made in the meantime.
      linkSync(this.buildPath, path);
      syncToDisk(dirname(path));
    } catch (error) {
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

/** Removes what killed processes have left of building a database for this place; who builds one holds a lock. */
export function removeLeftovers(path: string): void {
  const prefix = `${basename(path)}.new-`;
  for (const name of listEntries(dirname(path))) {
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
    const leftover = join(dirname(path), name);
    // A process killed right behind its publishing leaves a second name of the database that is in use.
    if (!isSameFile(leftover, path) && isInUse(leftover)) continue;
    try {
      removeDatabase(leftover);
    } catch {
      // One that may not be removed, such as another user's, is no reason to refuse an import.
    }
  }
}

/**
 * Gives what root has made to the owner and the group of its folder: a service could neither write a store of root, nor serve
 * it without the right to make files beside it. SQLite gives `-wal` and `-shm` to the owner of the store.
 */
function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  // The owner of the folder must not get another file by putting a link to it there.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(file).nlink === 1) fchownSync(file, uid, gid);
  } catch {
    // In containers and on network disks root may not give files away: then it is root's, as everything there.
  } finally {
    closeSync(file);
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name that no other process has: in containers, process ids are not enough. */
function newBuildPath(path: string): string {
  removeLeftovers(path);
  return `${path}.new-${randomInt(2 ** 47)}`;
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

function listEntries(directory: string): string[] {
  // A folder that is not there is refused when the store is made in it.
  return existsSync(directory) && statSync(directory).isDirectory() ? readdirSync(directory) : [];
}
