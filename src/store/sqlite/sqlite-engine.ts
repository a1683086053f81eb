/** The engine of the embedded store: a file. */
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../model/app-error.ts';
import type { Engine, Transaction, WantedStore } from '../sql.ts';
import { NewDatabase, removeLeftovers } from './new-database.ts';
import { checkSqliteStore } from './sqlite-check.ts';
import { compactSqliteStore, measureSqliteStore, sizeOf } from './sqlite-compact.ts';
import { SqliteConnections } from './sqlite-connections.ts';
import { busyTimeoutMs, createForBuilding, openForWriting } from './sqlite-database.ts';
import { guarded, isBusy, isThere } from './sqlite-fault.ts';
import { beginReading, SqliteConnection, SqliteSql } from './sqlite-sql.ts';

/** Makes the engine of the store in a file. */
export function sqliteEngine(path: string): Engine {
  return {
    connect: async () => new SqliteConnections(path),
    beginRead: async () => beginReading(path),
    beginWrite: async (wanted, onWait) => beginWriting(path, wanted, onWait),
    openReports: async () => (await import('./sqlite-reports.ts')).openSqliteReports(path),
    check: (checkRecord) => checkSqliteStore(path, checkRecord),
    sizeBytes: async () => sizeOf(path),
    compact: async () => compactSqliteStore(path),
    measure: async () => measureSqliteStore(path),
  };
}

/**
 * Begins a write transaction on the store in a file. A new store is built beside its place and moved there by `commit`, so that it appears
 * complete or not at all.
 * @throws AppError as `Engine.beginWrite`.
 */
export function beginWriting(path: string, wanted: WantedStore, onWait = () => {}): Transaction {
  if (wanted === 'missing') refuseExistingFile(path);
  const isNew = wanted !== 'existing' && !isThere(path);
  if (!isNew) removeLeftovers(path);
  const place = isNew ? new NewDatabase(path) : undefined;
  let db: DatabaseSync | undefined;
  try {
    db = place === undefined ? openForWriting(path) : createForBuilding({ path, buildPath: place.buildPath });
    return new SqliteTransaction({ path, db, place }, onWait);
  } catch (error) {
    db?.close();
    place?.[Symbol.dispose]();
    throw error;
  }
}

/** Refuses a path with a file. @throws AppError `conflict`. */
export function refuseExistingFile(path: string): void {
  if (!isThere(path)) return;
  throw new AppError('conflict', `there is a store at ${path} already; move it away, or name another one`);
}

/** Begins to write, and waits for another writer. */
function beginAlone(db: DatabaseSync, onWait: () => void): void {
  try {
    db.exec('pragma cache_size = -65536; pragma busy_timeout = 0; begin immediate');
  } catch (error) {
    if (!isBusy(error)) throw error;
    onWait();
    db.exec(`pragma busy_timeout = ${busyTimeoutMs}; begin immediate`);
  }
  db.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
}

class SqliteTransaction implements Transaction {
  readonly sql: SqliteSql;
  readonly #connection: SqliteConnection;
  /** The new store that is being built; undefined for one that exists. */
  readonly #place: NewDatabase | undefined;

  constructor(
    { path, db, place }: { path: string; db: DatabaseSync; place: NewDatabase | undefined },
    onWait: () => void,
  ) {
    this.#place = place;
    this.#connection = new SqliteConnection(db, path);
    this.sql = new SqliteSql(this.#connection);
    guarded(path, () => beginAlone(db, onWait));
  }

  async commit(): Promise<void> {
    const { db, path } = this.#connection;
    guarded(path, () => {
      db.exec('commit');
      if (this.#place === undefined) return;
      db.exec('pragma journal_mode = wal');
      db.close();
    });
    this.#place?.publish();
  }

  /**
   * Rolls back what was not committed, and truncates the log, which otherwise would keep its size, and the disk full, while a server has the
   * store open.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.sql.end();
    const { db } = this.#connection;
    try {
      if (this.#place === undefined) {
        this.#connection.rollBack();
        db.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)');
      }
    } catch {
      // The store or its disk is damaged, which the error before this one has reported.
    }
    this.#connection[Symbol.dispose]();
    this.#place?.[Symbol.dispose]();
  }
}
