/** The engine of the embedded store: a file. */
import type { DatabaseSync } from 'node:sqlite';
import type { Engine, Transaction } from '../sql.ts';
import type { WantedStore } from '../wanted-store.ts';
import { NewDatabase, refuseExistingFile, removeLeftovers } from './new-database.ts';
import { checkSqliteStore, openIfStore } from './sqlite-check.ts';
import { compactSqliteStore, measureSqliteStore, sizeOf } from './sqlite-compact.ts';
import { SqliteConnections } from './sqlite-connections.ts';
import { beginAlone, createForBuilding, openForReading, openForWriting } from './sqlite-database.ts';
import { guarded, isThere, sqliteFault } from './sqlite-fault.ts';
import { beginReading, SqliteConnection, SqliteSql } from './sqlite-sql.ts';

/** Makes the engine of the store in a file. */
export function sqliteEngine(path: string, environment: NodeJS.ProcessEnv): Engine {
  const loadReports = () => import('./sqlite-reports.ts');
  return {
    preload: loadReports,
    connect: async () => new SqliteConnections(path),
    probe: async () => (openIfStore(path) ?? openForReading(path)).close(),
    beginRead: async () => beginReading(path),
    beginWrite: (wanted, onWait) => beginWriting(path, wanted, onWait),
    upgrade: async (options) => (await import('./sqlite-upgrade.ts')).upgradeSqliteStore(path, options),
    openReports: async () => (await loadReports()).openSqliteReports(path),
    check: (...options) => checkSqliteStore(path, ...options),
    sizeBytes: async () => sizeOf(path),
    compact: async () => compactSqliteStore(path, environment),
    measure: async () => measureSqliteStore(path),
  };
}

/**
 * Begins a write transaction on the store in a file. A new store is built in a separate file, which `commit`
 * moves into place, so that it appears complete or not at all. One process at a time builds it; the next
 * process then writes into the finished store.
 * @throws AppError like `Engine.beginWrite`.
 */
export async function beginWriting(
  path: string,
  wanted: WantedStore,
  onWait = () => {},
): Promise<Transaction> {
  if (wanted === 'missing') refuseExistingFile(path);
  const isNew = wanted !== 'existing' && !isThere(path);
  if (!isNew) removeLeftovers(path);
  let place: NewDatabase | undefined;
  let db: DatabaseSync | undefined;
  try {
    if (isNew) {
      place = await NewDatabase.open(path, onWait);
      if (isThere(path)) {
        place[Symbol.dispose]();
        return await beginWriting(path, wanted, onWait);
      }
    }
    db = place === undefined ? openForWriting(path) : createForBuilding({ path, buildPath: place.buildPath });
    await beginAlone(db, onWait);
    return new SqliteTransaction({ path, db, place });
  } catch (error) {
    db?.close();
    place?.[Symbol.dispose]();
    throw sqliteFault(error, path);
  }
}

class SqliteTransaction implements Transaction {
  readonly sql: SqliteSql;
  readonly #connection: SqliteConnection;
  /** The new store that is being built; undefined for an existing store. */
  readonly #place: NewDatabase | undefined;

  constructor({ path, db, place }: { path: string; db: DatabaseSync; place: NewDatabase | undefined }) {
    this.#place = place;
    this.#connection = new SqliteConnection(db, path);
    this.sql = new SqliteSql(this.#connection);
    this.#connection.checkVersion();
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
   * Rolls back uncommitted changes, and truncates the log. Otherwise the log would keep its size, and the
   * disk would stay full, while a server has the store open.
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
      // The store or its disk is damaged; the error before this one has reported that.
    }
    this.#connection[Symbol.dispose]();
    this.#place?.[Symbol.dispose]();
  }
}
