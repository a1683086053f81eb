/** The embedded store as a writer: one transaction, and for a new store one new file. */
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';
import { importBatch } from '../store/import-batch.ts';
import { removeDatabase } from './remove-database.ts';
import { createForBuilding, guarded, isInUse, openForWriting, sqliteFault } from './sqlite-database.ts';
import { SqliteTables } from './sqlite-tables.ts';

/**
 * Begins a write transaction on the store in this file. A store that is not there yet is built beside its
 * place and moved there by `commit`, so that it appears complete or not at all.
 * @throws AppError `invalid` for a file that is no store, `unavailable` where it cannot be written or another
 *   writer does not finish.
 */
export function openSqliteWriter(path: string): MetricsWriter {
  return new SqliteWriter(path);
}

class SqliteWriter implements MetricsWriter {
  readonly #path: string;
  /** Where the store is built; undefined for one that is there already. */
  readonly #buildPath: string | undefined;
  readonly #db: DatabaseSync;
  readonly #tables: SqliteTables;
  #isCatalogueChanged = false;

  constructor(path: string) {
    this.#path = path;
    this.#buildPath = existsSync(path) ? undefined : newBuildPath(path);
    const { db, tables } = beginWriting(path, this.#buildPath);
    this.#db = db;
    this.#tables = tables;
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    try {
      if (await importBatch(this.#tables, records)) this.#isCatalogueChanged = true;
    } catch (error) {
      throw sqliteFault(error, this.#path);
    }
  }

  async commit(): Promise<void> {
    guarded(this.#path, () => {
      // A number that no other write has, in case two histories part.
      if (this.#isCatalogueChanged)
        this.#db.exec(`update generation set catalogue = ${randomInt(2 ** 48 - 1)}`);
      this.#db.exec('commit');
      if (this.#buildPath === undefined) return;
      this.#db.exec('pragma journal_mode = wal');
      this.#db.close();
    });
    if (this.#buildPath !== undefined) this.#publish(this.#buildPath);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#db.isOpen) this.#db.close();
    if (this.#buildPath !== undefined) removeDatabase(this.#buildPath);
  }

  #publish(buildPath: string): void {
    try {
      // From here on the store must outlive a loss of power: its bytes go to the disk first, then its name.
      syncToDisk(buildPath);
      // A link, unlike a rename, never replaces a store that another process made in the meantime.
      linkSync(buildPath, this.#path);
      syncToDisk(dirname(this.#path));
    } catch (error) {
      throw new AppError(
        'unavailable',
        `the store ${this.#path} cannot be put in its place: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    }
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

/** Opens the store, or a new one, in a write transaction; what fails leaves no file. */
function beginWriting(path: string, buildPath: string | undefined) {
  let db: DatabaseSync | undefined;
  try {
    return guarded(path, () => {
      db = buildPath === undefined ? openForWriting(path) : createForBuilding({ path, buildPath });
      db.exec('pragma cache_size = -65536; begin immediate');
      return { db, tables: new SqliteTables(db) };
    });
  } catch (error) {
    db?.close();
    if (buildPath !== undefined) removeDatabase(buildPath);
    throw error;
  }
}

/** Where to build a new store. What killed processes have left there, this one's earlier namesake among them, goes. */
function newBuildPath(path: string): string {
  const prefix = `${basename(path)}.new-`;
  for (const name of readEntries(dirname(path))) {
    if (!name.startsWith(prefix) || !/^\d+$/.test(name.slice(prefix.length))) continue;
    const leftover = join(dirname(path), name);
    if (!isInUse(leftover)) removeDatabase(leftover);
  }
  const buildPath = `${path}.new-${process.pid}`;
  if (!existsSync(buildPath)) return buildPath;
  // In containers many processes have the same id.
  throw new AppError('unavailable', `the store ${path} is being made by another import`, {
    kind: 'store-unavailable',
  });
}

function readEntries(directory: string): string[] {
  // A folder that is not there is refused when the store is made in it.
  return existsSync(directory) && statSync(directory).isDirectory() ? readdirSync(directory) : [];
}
