/**
 * The port to a SQL engine. A store is written once over it; a driver runs its statements on SQLite, another on PostgreSQL.
 *
 * Statements are in the part of SQL that both know: `?1` is the first value, a list is one value, a JSON text that `json_each(?1)` takes apart
 * into rows with the column `value` (`value->>0` of an array within), and a parameter whose type does not follow says it (`cast(?1 as bigint)`).
 */
import type { ChangeScope } from '../model/metrics-reader.ts';
import type { ReportStore } from '../model/report-store.ts';
import type { CheckRecord, Compacted, StoreFile, Unused } from '../model/store.ts';
import type { Row } from './rows.ts';
import type { Columns, TableName } from './tables.ts';

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

/** One transaction. It has its connection for itself until it ends; every call after that rejects. */
export interface Sql {
  readonly engine: 'sqlite' | 'postgres';
  /** The name of the store in messages. */
  readonly storeName: string;
  /**
   * Runs one statement and returns its rows. Integers are numbers, booleans are booleans or 0 and 1. The driver prepares each text once for a
   * connection, so texts must not be made from data. Rejects with AppError that names the store: `unavailable`, or `invalid` for a text
   * that the engine cannot hold.
   */
  all(text: string, ...values: readonly Value[]): Promise<Row[]>;
  /** Writes rows with the columns of a table, in place of those with the same key. No key may come twice. */
  upsert(table: TableName, rows: readonly Columns[]): Promise<void>;
}

/** A transaction that sees one state. */
export interface ReadTransaction {
  readonly sql: Sql;
  /** The generation of the state that it sees: the token of the last write that changed this part of the store. */
  generation(of: ChangeScope): number;
  /** Ends it. */
  release(): void;
}

/** The connections of a reader. */
export interface Connections extends AsyncDisposable {
  /** As `MetricsReader.generation`. */
  generation(of: ChangeScope): number;
  /** As `MetricsReader.unreachableMs`. */
  unreachableMs(): number;
  /** Begins a transaction of the newest state. Rejects with AppError `unavailable`. */
  begin(): ReadTransaction | Promise<ReadTransaction>;
}

/** A transaction on a connection of its own, which may last. Disposing of it without `commit` leaves the store as it was. */
export interface Transaction extends AsyncDisposable {
  readonly sql: Sql;
  /** Makes everything durable and visible. */
  commit(): Promise<void>;
}

/** The store that a writer wants: an existing one, a missing one, which it makes, or either. */
export type WantedStore = 'any' | 'existing' | 'missing';

/** One engine at one place. Each method connects for itself. */
export interface Engine {
  /** The name of the store in messages. */
  readonly storeName: string;
  /** Opens the connections of a reader. @throws AppError `not_found`, `invalid` for another version, `unavailable`. */
  connect(): Promise<Connections>;
  /** Begins to read the whole store. Rejects as `connect`. */
  beginRead(): Promise<Transaction>;
  /**
   * Begins to write; other writers wait until it ends. The row of `generation` is there and locked.
   * Rejects as `connect`; with `not_found` or `conflict` if the store is not as it is wanted; with `unavailable` if another writer does not end.
   */
  beginWrite(wanted: WantedStore): Promise<Transaction>;
  /** Opens the reports of the slots that are not closed. */
  openReports(): Promise<ReportStore>;
  /** As `Store.check`. */
  check(checkRecord: CheckRecord): AsyncIterable<string>;
  /** Measures the size on disk. */
  sizeBytes(sql: Sql): Promise<number>;
  /** As `Store.compact`. */
  compact(): Promise<Compacted>;
  /** As `Store.measure`. */
  measure(): Promise<Unused>;
  /** As `Store.file`. */
  readonly file?: StoreFile;
}
