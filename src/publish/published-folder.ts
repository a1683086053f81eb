/**
 * The folder of published files. New files are gathered in a folder inside it, so what was published before
 * stays until all are written; then they move one by one. A list of the files tells later what to remove.
 */
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import { systemCode, writeFault } from '../runtime/system-faults.ts';

/** The list of published files, one to a line after its heading. */
const listName = '.published';
const listHeading = '# Files that plugin-metrics has published here';

/** The folder of new files. */
const newName = '.publishing';

const notOurs = 'publish has not written it; move it away, or publish to another folder';
const noFolder = 'it is no folder; move it away, or publish to another folder';

/** Counts of files. */
export interface PublishedCounts {
  readonly fileCount: number;
  /** Files that are new or have other bytes than before, and always the archive. */
  readonly changedCount: number;
  readonly removedCount: number;
}

/** A folder, locked until it is disposed of. Methods throw AppError `unavailable` if it cannot be written. */
export class PublishedFolder implements Disposable {
  readonly #path: string;
  readonly #lock: DatabaseSync;
  /** The files of earlier runs, also of one that did not end. */
  readonly #before: ReadonlySet<string>;
  readonly #files = new Set<string>();
  readonly #changed: string[] = [];

  /**
   * Opens a folder; makes it if the one that it is in exists.
   * @throws AppError `conflict` for something else than a folder, if another process publishes to it, and for
   * a list that is not one.
   */
  constructor(path: string) {
    this.#path = path;
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder === false)
      throw new AppError('conflict', 'it is not a folder; files are published in one', { place: path });
    if (isFolder === undefined) this.#attempt(() => mkdirSync(path), path);
    this.#lock = this.#attempt(() => {
      this.#makeFolder(newName);
      return lockFile(join(path, newName, 'lock'));
    });
    try {
      this.#before = this.#attempt(() => {
        const before = readList(join(path, listName));
        rmSync(join(path, newName, 'files'), { recursive: true, force: true });
        return new Set(before);
      });
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Writes a file. @param file its path in the folder, with slashes. */
  write(file: string, content: string | Uint8Array): void {
    this.#attempt(() => {
      if (!this.#isSame(file, content)) writeFileSync(this.addPlace(file), content);
      // A file of somebody else with these bytes stays theirs.
      else if (this.#before.has(file)) this.#files.add(file);
    });
  }

  /** Returns the place to write a new file to. */
  addPlace(file: string): string {
    const place = join(this.#path, newName, 'files', file);
    this.#attempt(() => mkdirSync(dirname(place), { recursive: true }));
    this.#files.add(file);
    this.#changed.push(file);
    return place;
  }

  /**
   * Puts all files in their places, pages last, and removes those that only earlier runs wrote.
   * @throws AppError `conflict`, with nothing changed, for a file in the way that publish has not written,
   * and for a link in place of a folder.
   */
  finish(): PublishedCounts {
    const removed = [...this.#before].filter((file) => !this.#files.has(file));
    for (const file of [...this.#changed, ...removed]) this.#refuseOthers(file);
    return this.#attempt(() => {
      this.#writeList([...this.#before, ...this.#files]);
      const isPage = (file: string) => Number(file.endsWith('.html'));
      for (const file of this.#changed.toSorted((a, b) => isPage(a) - isPage(b))) {
        this.#makeFolder(posix.dirname(file));
        renameSync(join(this.#path, newName, 'files', file), join(this.#path, file));
      }
      for (const file of removed) this.#remove(file);
      this.#writeList([...this.#files]);
      return {
        fileCount: this.#files.size,
        changedCount: this.#changed.length,
        removedCount: removed.length,
      };
    });
  }

  [Symbol.dispose](): void {
    rmSync(join(this.#path, newName, 'files'), { recursive: true, force: true });
    this.#lock.close();
    for (const name of ['list', 'lock', 'lock-journal']) this.#remove(`${newName}/${name}`);
  }

  #isSame(file: string, content: string | Uint8Array): boolean {
    const found = join(this.#path, file);
    const isSafe = this.#folders(file).every((folder) => kindOf(folder) === 'folder');
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return isSafe && kindOf(found) === 'file' && readFileSync(found).equals(bytes);
  }

  /** The folders of a file below this one. */
  #folders(file: string): string[] {
    const names = file.split('/').slice(0, -1);
    return names.map((_, index) => join(this.#path, ...names.slice(0, index + 1)));
  }

  #refuseOthers(file: string): void {
    const linked = this.#folders(file).find((folder) => (kindOf(folder) ?? 'folder') !== 'folder');
    if (linked !== undefined) throw new AppError('conflict', noFolder, { place: linked });
    const place = join(this.#path, file);
    const kind = kindOf(place);
    const isOurs = kind === undefined || (kind === 'file' && this.#before.has(file));
    if (!isOurs) throw new AppError('conflict', notOurs, { place });
  }

  #makeFolder(folder: string): void {
    mkdirSync(join(this.#path, folder), { recursive: true });
    if (kindOf(join(this.#path, folder)) === 'folder') return;
    throw new AppError('conflict', noFolder, { place: join(this.#path, folder) });
  }

  /** Removes a file, and the folders that are empty without it. */
  #remove(file: string): void {
    rmSync(join(this.#path, file), { force: true });
    try {
      for (const folder of this.#folders(file).reverse()) rmdirSync(folder);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(String(systemCode(error)))) throw error;
    }
  }

  #writeList(files: readonly string[]): void {
    const place = join(this.#path, newName, 'list');
    const lines = [...new Set(files)].sort().map((file) => `${file}\n`);
    writeFileSync(place, `${listHeading}\n${lines.join('')}`);
    renameSync(place, join(this.#path, listName));
  }

  /** @param place what is written, to find the missing right. */
  #attempt<Result>(work: () => Result, place = join(this.#path, 'file')): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      const reason = writeFault(place, error as Error);
      throw new AppError('unavailable', `cannot be written: ${reason}`, { place: this.#path, cause: error });
    }
  }
}

function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

/**
 * Reads the list; a line that is no path of a published file is ignored, so nothing else is removed.
 * @throws AppError `conflict` for something else in its place.
 */
function readList(path: string): string[] {
  const kind = kindOf(path);
  if (kind === undefined) return [];
  const [heading, ...lines] = kind === 'file' ? readFileSync(path, 'utf8').split('\n') : [];
  if (heading !== listHeading) throw new AppError('conflict', notOurs, { place: path });
  return lines.filter(
    (line) => /^(?:[\w.~-]+\/)*[\w.~-]+$/.test(line) && !/(?:^|\/)\.\.?(?:\/|$)/.test(line),
  );
}

/** SQLite's code of a lock that another process holds (sqlite.org/rescode.html). */
const busyCode = 5;

/** Locks a file until it is closed, or until the process ends. */
function lockFile(path: string): DatabaseSync {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
    return lock;
  } catch (cause) {
    lock.close();
    const isBusy = cause instanceof Error && 'errcode' in cause && cause.errcode === busyCode;
    if (!isBusy) throw cause;
    throw new AppError('conflict', 'another process publishes to it', { place: join(path, '../..'), cause });
  }
}
