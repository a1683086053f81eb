/** Opens SQLite files, and refuses files that are not stores of a known version. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { AppError, isOtherVersion, throwUnexpected } from '../../model/app-error.ts';
import type { ColumnType } from '../statement.ts';
import { refuseOtherVersion, storeVersion } from '../store-version.ts';
import type { Table } from '../table.ts';
import { createTablesSql } from '../tables.ts';
import { logSize, refuseLogAlone } from './database-files.ts';
import { guarded, isBusy, isThere, lacksFilesBeside, notAStore, unusable } from './sqlite-fault.ts';

/** Marks a file as a store of this program ("pmet" in ASCII); SQLite keeps it in the header of the file. */
export const applicationId = 0x70_6d_65_74;

/** Longest wait of a writer for another writer. */
const busyTimeoutMs = 60_000;

/** Pause between attempts to begin. */
const retryMs = 50;

/**
 * Size of the first part of a log's index (sqlite.org/walformat.html). A smaller index is left if the disk
 * was full when it was created.
 */
const indexBytes = 32_768n;

/** The first SQLite release without the WAL-reset bug that could lose a commit. */
const oldestSqlite = '3.51.3';

/**
 * Opens a store for reading. If SQLite cannot create files beside the store, as in a read-only folder or on a
 * full disk, a store that no process writes is opened without them.
 * @throws AppError `not_found` for a missing file (`conflict` if its log exists), `invalid` for a file that
 * is not a store or has another version, `unavailable` if SQLite cannot read it.
 */
export function openForReading(path: string, { readBigInts = false } = {}): DatabaseSync {
  refuseMissing(path);
  return guarded(path, () => {
    try {
      return openAsStore(
        new DatabaseSync(path, { readBigInts, readOnly: true, timeout: busyTimeoutMs }),
        path,
      );
    } catch (error) {
      if (!lacksFilesBeside(error) || unusedState(path) === undefined) throw error;
      return openAsStore(new UnusedDatabase(path, { readBigInts }), path);
    }
  });
}

function openAsStore(db: DatabaseSync, path: string): DatabaseSync {
  return closingOnError(db, () => {
    refuseOther(db, path);
    return db;
  });
}

/**
 * Opens another connection to a store that a reader has open.
 * @throws AppError `unavailable`, also for a file that is no longer a store.
 */
export function openKnown(path: string): DatabaseSync {
  try {
    return openForReading(path);
  } catch (error) {
    throwUnexpected(error);
    const kind = isOtherVersion(error) ? 'changed-store-version' : 'store-unavailable';
    throw new AppError(kind, error.message, { cause: error });
  }
}

/**
 * Opens an existing store for writing.
 * @throws AppError like {@link openForReading}.
 */
export function openForWriting(path: string): DatabaseSync {
  refuseMissing(path);
  return guarded(path, () => {
    const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
    return closingOnError(db, () => {
      refuseOther(db, path);
      db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864');
      return db;
    });
  });
}

/**
 * Moves the contents of a store's log into the file, so that the file alone is the store. It does nothing if
 * another process uses the log, or this user may not write.
 */
export function emptyLog(path: string): void {
  if (logSize(path) === 0) return;
  try {
    const url = pathToFileURL(path);
    url.searchParams.set('mode', 'rw');
    using db = new DatabaseSync(url, { timeout: 0 });
    db.exec('pragma wal_checkpoint(truncate)');
  } catch {
    // The log stays, as it does after a reader was killed.
  }
}

/**
 * Creates a store in a file that is moved to `path` later. It is written without a journal, because the file
 * of a crashed process is useless anyway.
 */
export function createForBuilding(options: {
  readonly path: string;
  readonly buildPath: string;
}): DatabaseSync {
  return guarded(options.path, () => {
    const db = new DatabaseSync(options.buildPath, { timeout: busyTimeoutMs });
    return closingOnError(db, () => {
      db.exec('pragma journal_mode = off; pragma synchronous = off');
      createTables(db);
      return db;
    });
  });
}

/**
 * Describes the state of a file that no process has open; the text changes when the file is written.
 * Undefined if a process may have the file open or has left a log, and if the file cannot be inspected.
 */
export function unusedState(path: string): string | undefined {
  try {
    const [file, log, index, journal] = ['', '-wal', '-shm', '-journal'].map((suffix) =>
      statSync(path + suffix, { throwIfNoEntry: false, bigint: true }),
    );
    const isOpen = (log?.size ?? 0n) > 0n || (index?.size ?? 0n) >= indexBytes || journal !== undefined;
    if (file?.isFile() !== true || isOpen) return undefined;
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join();
  } catch {
    // `openForReading` reports the fault.
    return undefined;
  }
}

/**
 * A database that no process writes, even in a read-only folder: SQLite takes no lock and creates no file.
 */
export class UnusedDatabase extends DatabaseSync {
  readonly #path: string;
  readonly #state: string | undefined;

  /** @throws the error of SQLite. */
  constructor(path: string, { readBigInts = false } = {}) {
    const state = unusedState(path);
    const url = pathToFileURL(path);
    url.searchParams.set('immutable', '1');
    super(url, { readBigInts, readOnly: true });
    this.#path = path;
    this.#state = state;
  }

  /** True if a process has begun to write the file: reads since then may have mixed several states. */
  isChanged(): boolean {
    return unusedState(this.#path) !== this.#state;
  }
}

/**
 * Refuses the results of reads without a lock if the store has changed meanwhile.
 * @throws AppError `unavailable`.
 */
export function refuseChange(db: DatabaseSync, path: string): void {
  if (db instanceof UnusedDatabase && db.isChanged())
    throw unusable(path, 'was written while it was read, without the right to lock it: run this again');
}

/**
 * Begins to write, and waits for another writer. The process handles signals meanwhile.
 * @throws the error of SQLite.
 */
export async function beginAlone(db: DatabaseSync, onWait: () => void): Promise<void> {
  db.exec('pragma cache_size = -65536; pragma busy_timeout = 0');
  const giveUpAt = performance.now() + busyTimeoutMs;
  for (let isFirst = true; !db.isTransaction; isFirst = false)
    try {
      db.exec('begin immediate');
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      if (isFirst) onWait();
      await sleep(retryMs);
    }
  db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
}

/** True if another process has a write transaction open; false for a file that is not a database. */
export function isInUse(path: string): boolean {
  try {
    using db = new DatabaseSync(path, { timeout: 0 });
    db.exec('begin exclusive; rollback');
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

function closingOnError<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

/** Refuses a path without a file. @throws AppError `not_found`, `invalid`, `conflict`. */
export function refuseMissing(path: string): void {
  if (isThere(path)) {
    if (statSync(path).isFile()) return;
    throw new AppError('invalid', `the store ${path} is not a file`);
  }
  refuseLogAlone(path);
  const folder = dirname(resolve(path));
  const wayOut = isThere(folder)
    ? '; "plugin-metrics import" makes one'
    : `, and no folder ${folder}: "mkdir -p ${folder}" makes it, and "plugin-metrics import" the store`;
  throw new AppError('not_found', `there is no store at ${path}${wayOut}`);
}

/** Refuses a file that is not a store, and a store of another version. @throws AppError `invalid`. */
export function refuseOther(db: DatabaseSync, path: string): void {
  refuseOtherVersion(versionOf(db, path), path);
}

/** Gets the number that a statement selects. */
export function getNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}

/** Gets the version of a store. @throws AppError `invalid` for another file. */
export function versionOf(db: DatabaseSync, path: string): number {
  refuseOldSqlite(db);
  if (getNumber(db, 'pragma application_id') !== applicationId) throw notAStore(path);
  return getNumber(db, 'pragma user_version');
}

function refuseOldSqlite(db: DatabaseSync): void {
  const version = String(db.prepare('select sqlite_version() as version').get()?.['version']);
  if (version.localeCompare(oldestSqlite, 'en', { numeric: true }) >= 0) return;
  throw new AppError('unavailable', `SQLite ${version} is too old: ${oldestSqlite} or newer is needed`);
}

/** The SQL types of columns. */
export const sqliteTypes: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  number: 'real',
  text: 'text',
  flag: 'integer',
  bytes: 'blob',
  serial: 'integer',
  checksum: 'integer',
};

/**
 * Renders the end of a table's definition. A table with a key of several columns has no rowid, unless it
 * stores bytes: large rows are better kept outside the index (sqlite.org/withoutrowid.html).
 */
export function endOfTable({ key, columns }: Table): string {
  return key.length > 1 && columns.every(({ kind }) => kind.type !== 'bytes')
    ? ' strict, without rowid'
    : ' strict';
}

/** Turns an empty database into a store; SQLite's `user_version` is the version of its tables. */
export function createTables(db: DatabaseSync): void {
  db.exec(`
    begin immediate;
    ${createTablesSql(sqliteTypes, endOfTable)}
    pragma application_id = ${applicationId};
    pragma user_version = ${storeVersion};
    commit`);
}
