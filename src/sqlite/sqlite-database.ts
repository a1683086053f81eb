/** Opening a SQLite file: is it there, is it ours, is it of a version that we know. */
import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import { applicationId, migrations } from './sqlite-schema.ts';

/** How long a writer waits for another one to finish before it gives up. */
const busyTimeoutMs = 10_000;

/** The first SQLite release without the WAL-reset bug that could lose a commit. */
const oldestSqlite = [3, 51, 3] as const;

/**
 * Opens a store for reading.
 * @throws AppError `not_found` for a missing file, `invalid` for one that is no store or a newer one,
 *   `unavailable` where SQLite cannot read it.
 */
export function openForReading(path: string): DatabaseSync {
  refuseMissing(path);
  return guarded(path, () => {
    const version = withDatabase(path, { readOnly: true }, (db) => storeVersion(db, path));
    if (version < migrations.length) openForWriting(path).close();
    return new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  });
}

/**
 * Opens a store that is there for writing, and brings it to the newest version.
 * @throws AppError as {@link openForReading}.
 */
export function openForWriting(path: string): DatabaseSync {
  refuseMissing(path);
  return guarded(path, () => {
    const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
    try {
      storeVersion(db, path);
      db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864');
      migrate(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/**
 * Makes a store for `path` in a file that nobody reads yet. Until it is finished and moved to its place a crash
 * may ruin it, so it is written without a journal.
 */
export function createForBuilding(options: {
  readonly path: string;
  readonly buildPath: string;
}): DatabaseSync {
  return guarded(options.path, () => {
    const db = new DatabaseSync(options.buildPath, { timeout: busyTimeoutMs });
    try {
      db.exec('pragma journal_mode = off; pragma synchronous = off');
      migrate(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Runs `work` and turns what SQLite throws into an AppError that names the file. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw sqliteFault(error, path);
  }
}

/** What SQLite throws as an AppError `unavailable` that names the file; anything else as it is. */
export function sqliteFault(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return error;
  const notADatabase = 26;
  if ('errcode' in error && error.errcode === notADatabase) return notAStore(path, error);
  return new AppError('unavailable', `the store ${path} cannot be used: ${error.message}`, {
    kind: 'store-unavailable',
    cause: error,
  });
}

function withDatabase<T>(
  path: string,
  options: { readonly readOnly: boolean },
  work: (db: DatabaseSync) => T,
): T {
  const db = new DatabaseSync(path, { ...options, timeout: busyTimeoutMs });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function refuseMissing(path: string): void {
  if (existsSync(path)) {
    if (statSync(path).isFile()) return;
    throw new AppError('invalid', `the store ${path} is not a file`);
  }
  throw new AppError('not_found', `there is no store at ${path}; "plugin-metrics import" makes one`);
}

/** The version of a store of ours. */
function storeVersion(db: DatabaseSync, path: string): number {
  refuseOldSqlite(db);
  if (readNumber(db, 'pragma application_id') !== applicationId) throw notAStore(path);
  const version = readNumber(db, 'pragma user_version');
  if (version > migrations.length) {
    throw new AppError(
      'invalid',
      `the store ${path} has version ${version}, written by a newer plugin-metrics; this one knows versions up to ${migrations.length}`,
    );
  }
  return version;
}

function migrate(db: DatabaseSync): void {
  db.exec('begin immediate');
  try {
    const version = readNumber(db, 'pragma user_version');
    for (const migration of migrations.slice(version)) db.exec(migration);
    if (version < migrations.length) {
      db.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}`);
    }
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

function refuseOldSqlite(db: DatabaseSync): void {
  const version = String(Object.values(db.prepare('select sqlite_version()').get() ?? {})[0]);
  const parts = version.split('.').map(Number);
  for (const [index, oldest] of oldestSqlite.entries()) {
    const part = parts[index] ?? 0;
    if (part > oldest) return;
    if (part < oldest) {
      throw new AppError(
        'unavailable',
        `SQLite ${version} is too old: ${oldestSqlite.join('.')} or newer is needed`,
      );
    }
  }
}

function readNumber(db: DatabaseSync, sql: string): number {
  return Number(Object.values(db.prepare(sql).get() ?? {})[0]);
}

function notAStore(path: string, cause?: unknown): AppError {
  return new AppError('invalid', `${path} is not a plugin-metrics store`, { cause });
}
