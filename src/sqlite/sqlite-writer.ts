/** The embedded store as a writer: one transaction, and for a new store one new file. */
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';
import { createForBuilding, guarded, openForWriting } from './sqlite-database.ts';
import { prepareRecordStatements, type RecordStatements, writeRecord } from './write-record.ts';

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
  readonly #statements: RecordStatements;

  constructor(path: string) {
    const buildPath = existsSync(path) ? undefined : `${path}.new-${process.pid}`;
    // A process of the same id may have been killed while it built one: in containers they all have the same.
    if (buildPath !== undefined) removeDatabase(buildPath);
    this.#path = path;
    this.#buildPath = buildPath;
    this.#db = buildPath === undefined ? openForWriting(path) : createForBuilding({ path, buildPath });
    try {
      this.#statements = guarded(path, () => {
        this.#db.exec('pragma cache_size = -65536; begin immediate');
        return prepareRecordStatements(this.#db);
      });
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    for (const record of records) {
      try {
        guarded(this.#path, () => writeRecord(this.#statements, record));
      } catch (error) {
        throw error instanceof AppError && error.code !== 'unavailable' ? error.at(record.place) : error;
      }
    }
  }

  async commit(): Promise<void> {
    guarded(this.#path, () => {
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
      // A link, unlike a rename, never replaces a store that somebody else made in the meantime.
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

/** Removes a database with what SQLite may have left beside it. */
function removeDatabase(path: string): void {
  for (const file of ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix)) {
    if (existsSync(file)) rmSync(file);
  }
}
