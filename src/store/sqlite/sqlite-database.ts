/** Opens SQLite files, refuses those that are no store of a known version, and explains SQLite's errors. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../model/app-error.ts';
import { refuseOtherVersion, storeVersion } from '../store-version.ts';
import { createTablesSql, type Table } from '../tables.ts';

/** Marks a file as a store of this program ("pmet" in ASCII); SQLite keeps it in the header of the file. */
export const applicationId = 0x70_6d_65_74;

/** Longest wait of a writer for another one. */
const busyTimeoutMs = 60_000;

/** Result codes of SQLite (sqlite.org/rescode.html). */
const sqliteCodes = {
  corrupt: 11,
  notADatabase: 26,
  /** "disk I/O error", of which this one means that there is no space for the index of the log. */
  noSpaceForIndex: 4874,
};

const restoring = 'move it away, and "plugin-metrics restore" makes it anew from a backup';

/** The first SQLite release without the WAL-reset bug that could lose a commit. */
const oldestSqlite = '3.51.3';

/**
 * Opens a store for reading.
 * @throws AppError `not_found` for a missing file, `invalid` for one that is no store or one of another version,
 *   `unavailable` if SQLite cannot read it.
 */
export function openForReading(path: string, { readBigInts = false } = {}): DatabaseSync {
  refuseMissing(path);
  return guarded(path, () => {
    const db = new DatabaseSync(path, { readBigInts, readOnly: true, timeout: busyTimeoutMs });
    return closingOnError(db, () => {
      refuseOther(db, path);
      return db;
    });
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
    if (!(error instanceof AppError)) throw error;
    throw new AppError('unavailable', error.message, { kind: 'store-unavailable', cause: error });
  }
}

/**
 * Opens an existing store for writing.
 * @throws AppError as {@link openForReading}.
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
 * Creates a store in a file that is moved to `path` later. It is written without a journal: if the process crashes, the file
 * is useless anyway.
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
 * Describes a file that no process has open, in a text that changes when the file is written. Undefined if a process may have
 * it open or left a log, and if the file cannot be inspected.
 */
export function unusedState(path: string): string | undefined {
  try {
    const [file, log, index, journal] = ['', '-wal', '-shm', '-journal'].map((suffix) =>
      statSync(path + suffix, { throwIfNoEntry: false, bigint: true }),
    );
    const isLogged = (log?.size ?? 0n) > 0n || journal !== undefined;
    if (file?.isFile() !== true || index !== undefined || isLogged) return undefined;
    return [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join();
  } catch {
    // `openForReading` reports the fault.
    return undefined;
  }
}

/**
 * Opens a file that no process writes, even in a read-only folder: SQLite takes no lock and creates no file.
 * @throws the error of SQLite.
 */
export function openUnused(path: string, { readBigInts = false } = {}): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readBigInts, readOnly: true });
}

/** True if another process has a write transaction open; false for a file that is no database. */
export function isInUse(path: string): boolean {
  const busy = 5;
  try {
    using db = new DatabaseSync(path, { timeout: 0 });
    db.exec('begin exclusive; rollback');
    return false;
  } catch (error) {
    return error instanceof Error && 'errcode' in error && error.errcode === busy;
  }
}

/** Runs `work` and turns errors of SQLite into an AppError that names the file. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error, path);
  }
}

/**
 * Turns an error of SQLite, such as for a damaged schema or an integer beyond 2^53, into an AppError `unavailable` that names
 * the file. Returns any other error as it is.
 */
export function sqliteFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code !== 'ERR_SQLITE_ERROR' && error.code !== 'ERR_OUT_OF_RANGE') return error;
  const code = 'errcode' in error ? Number(error.errcode) : 0;
  if (code === sqliteCodes.notADatabase) return notAStore(path, `; if it was one, ${restoring}`, error);
  const reason = code === sqliteCodes.noSpaceForIndex ? 'the disk is full' : error.message;
  const fault =
    (code & 255) === sqliteCodes.corrupt
      ? `is damaged: ${reason}; ${restoring}`
      : `cannot be used: ${reason}`;
  return new AppError('unavailable', `the store ${path} ${fault}`, {
    kind: 'store-unavailable',
    cause: error,
  });
}

function closingOnError<T>(db: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

function refuseMissing(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).isFile()) return;
    throw new AppError('invalid', `the store ${path} is not a file`);
  }
  throw new AppError('not_found', `there is no store at ${path}; "plugin-metrics import" makes one`);
}

/** Refuses a file that is no store, and a store of another version. @throws AppError `invalid`. */
export function refuseOther(db: DatabaseSync, path: string): void {
  refuseOldSqlite(db);
  if (getNumber(db, 'pragma application_id') !== applicationId) throw notAStore(path);
  refuseOtherVersion(getNumber(db, 'pragma user_version'), path);
}

/** Gets a single number with a statement. */
export function getNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}

function refuseOldSqlite(db: DatabaseSync): void {
  const version = String(db.prepare('select sqlite_version() as version').get()?.['version']);
  if (version.localeCompare(oldestSqlite, 'en', { numeric: true }) >= 0) return;
  throw new AppError('unavailable', `SQLite ${version} is too old: ${oldestSqlite} or newer is needed`);
}

function notAStore(path: string, wayOut = '', cause?: unknown): AppError {
  return new AppError('invalid', `${path} is not a plugin-metrics store${wayOut}`, { cause });
}

const columnTypes = {
  integer: 'integer',
  number: 'real',
  text: 'text',
  flag: 'integer',
  bytes: 'blob',
  checksum: 'integer',
} as const;

/** Makes an empty database a store; SQLite's `user_version` is the version of its tables. */
export function createTables(db: DatabaseSync): void {
  // A table with values of some size is better off with rows beside its index (sqlite.org/withoutrowid.html).
  const options = ({ key, columns }: Table) =>
    key.length > 1 && !('bytes' in columns) ? ' strict, without rowid' : ' strict';
  db.exec(`
    begin immediate;
    ${createTablesSql((kind) => columnTypes[kind], options)}
    pragma application_id = ${applicationId};
    pragma user_version = ${storeVersion};
    commit`);
}
