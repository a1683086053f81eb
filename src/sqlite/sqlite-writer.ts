/** Writes the embedded store: one transaction, and for a new store a new file. */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type {
  FreeIds,
  MetricsWriter,
  StoredChart,
  StoreWriter,
  WriteOptions,
} from '../model/metrics-writer.ts';
import { emptyDataTexts, storedChartsPerPage } from '../store/collection.ts';
import { freeIdsOf } from '../store/free-ids.ts';
import { importBatch } from '../store/import-batch.ts';
import { storedChartOf } from '../store/rows.ts';
import { lineTypesSql } from '../store/stored-columns.ts';
import { NewDatabase, removeLeftovers } from './new-database.ts';
import { createForBuilding, getNumber, guarded, openForWriting, sqliteFault } from './sqlite-database.ts';
import { SqliteTables } from './sqlite-tables.ts';

/**
 * Begins a write transaction on the store in a file. A new store is built beside its place and moved there by `commit`, so that
 * it appears complete or not at all.
 * @throws AppError `invalid` for a file that is no store, `unavailable` if it cannot be written or another writer does not
 *   finish.
 */
export function openSqliteWriter(path: string, options: WriteOptions = {}): StoreWriter {
  if (!existsSync(path)) return new SqliteWriter(path, { ...options, place: new NewDatabase(path) });
  removeLeftovers(path);
  return new SqliteWriter(path, options);
}

/**
 * Begins to write a new store.
 * @throws AppError `conflict` if there is a file already, `unavailable` if the store cannot be created.
 */
export function openNewSqliteWriter(path: string, options: WriteOptions = {}): MetricsWriter {
  refuseExistingFile(path);
  return new SqliteWriter(path, { ...options, place: new NewDatabase(path) });
}

/** Refuses a path with a file. @throws AppError `conflict`. */
export function refuseExistingFile(path: string): void {
  if (!existsSync(path)) return;
  throw new AppError('conflict', `there is a store at ${path} already; move it away, or name another one`);
}

const storedChartsSql = `
  select plugin_id, chart_id, type, settings,
    type in (${lineTypesSql}) and exists (select 1 from chunk where chart_uid = uid)
      or exists (select 1 from snapshot where chart_uid = uid and json not in (select value from json_each(:empty)))
      as has_data
  from chart
  where (plugin_id, chart_id) > (:pluginId, :chartId)
  order by plugin_id, chart_id
  limit ${storedChartsPerPage}`;

class SqliteWriter implements StoreWriter {
  readonly #path: string;
  /** The new store that is being built; undefined for one that exists. */
  readonly #new: NewDatabase | undefined;
  readonly #db: DatabaseSync;
  readonly #tables: SqliteTables;
  readonly #options: WriteOptions;
  #isCatalogueChanged = false;

  constructor(path: string, { place, ...options }: WriteOptions & { readonly place?: NewDatabase }) {
    this.#path = path;
    this.#new = place;
    this.#options = options;
    const { db, tables } = beginWriting(path, place);
    this.#db = db;
    this.#tables = tables;
  }

  async findFreeIds(): Promise<FreeIds> {
    try {
      return freeIdsOf(await this.#tables.findLargestIds());
    } catch (error) {
      throw sqliteFault(error, this.#path);
    }
  }

  async *listStoredCharts(): AsyncGenerator<readonly StoredChart[]> {
    const page = guarded(this.#path, () => this.#db.prepare(storedChartsSql));
    const empty = JSON.stringify(emptyDataTexts);
    for (let after = { pluginId: 0, chartId: '' }; ; ) {
      const { pluginId, chartId } = after;
      const charts = guarded(this.#path, () => page.all({ pluginId, chartId, empty }).map(storedChartOf));
      const last = charts.at(-1);
      if (last === undefined) return;
      yield charts;
      after = last;
    }
  }

  async getClosedUntil(): Promise<number> {
    return guarded(this.#path, () => getNumber(this.#db, 'select max(closed_until) from collection'));
  }

  async markClosed(until: number): Promise<void> {
    const sql = 'insert or replace into collection (id, closed_until) values (1, ?)';
    guarded(this.#path, () => this.#db.prepare(sql).run(until));
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    try {
      if (await importBatch(this.#tables, records, this.#options)) this.#isCatalogueChanged = true;
    } catch (error) {
      throw sqliteFault(error, this.#path);
    }
  }

  async commit(): Promise<void> {
    guarded(this.#path, () => {
      if (this.#isCatalogueChanged) changeCatalogueGeneration(this.#db);
      this.#db.exec('commit');
      if (this.#new === undefined) return;
      this.#db.exec('pragma journal_mode = wal');
      this.#db.close();
    });
    this.#new?.publish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#new === undefined) endWriting(this.#db);
    else if (this.#db.isOpen) this.#db.close();
    this.#new?.[Symbol.dispose]();
  }
}

/**
 * Rolls back what was not committed, and truncates the log, which otherwise would keep its size, and the disk full, while a server has the
 * store open.
 */
export function endWriting(db: DatabaseSync): void {
  try {
    if (db.isTransaction) db.exec('rollback');
    db.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)');
  } catch {
    // The store or its disk is damaged, which the error before this one has reported.
  }
  if (db.isOpen) db.close();
}

/** Tells readers that the catalogue has changed. */
export function changeCatalogueGeneration(db: DatabaseSync): void {
  // Random, so that a copy of the store with other changes has another number. Inserts the row if it is missing, because
  // without it no reader would notice a change of the catalogue.
  db.exec(`insert or replace into generation (id, catalogue) values (1, ${randomInt(2 ** 48 - 1)})`);
}

/** Opens the store, or a new one, in a write transaction. A failure leaves no file. */
function beginWriting(path: string, place: NewDatabase | undefined) {
  let db: DatabaseSync | undefined;
  try {
    return guarded(path, () => {
      db =
        place === undefined ? openForWriting(path) : createForBuilding({ path, buildPath: place.buildPath });
      db.exec('pragma cache_size = -65536; begin immediate');
      return { db, tables: new SqliteTables(db, path) };
    });
  } catch (error) {
    db?.close();
    place?.[Symbol.dispose]();
    throw error;
  }
}
