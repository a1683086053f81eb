/** The port for writing to a store or an archive: one transaction, all or nothing. */
import type { JsonText } from './json-text.ts';
import type { MetricsView } from './metrics-reader.ts';
import type { MetricsRecord } from './metrics-record.ts';

/** Options of a writer. */
export interface WriteOptions {
  /** Latest allowed time of a point, in Unix milliseconds; by default a day ahead of the local clock. */
  readonly latestTimestamp?: number | undefined;
  /**
   * Keeps the prune cut-off of a plugin or chart that is imported again; mirrors need this, because each of
   * their runs imports all of them.
   */
  readonly keepsPruned?: boolean;
}

/**
 * Ids for new things: each is greater than all ids assigned by counting so far, including those of removed
 * plugins.
 */
export interface FreeIds {
  readonly softwareId: number;
  readonly ownerId: number;
  readonly pluginId: number;
  /** Uid of a chart; all greater uids are free too. */
  readonly chartUid: number;
}

/** A chart in a store, and whether it has data. */
export interface StoredChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly type: string;
  readonly settings: JsonText;
  /**
   * True for a line with points, and for any other chart that shows non-empty data, or empty data that its
   * history does not have yet.
   */
  readonly hasData: boolean;
}

/** A write transaction. Disposing of it without `commit` leaves the store unchanged. */
export interface MetricsWriter extends AsyncDisposable {
  /**
   * Accepts records in order. Rejects with `invalid` or `conflict`, placed at the faulty record: at once, in
   * a later call, or with the `end` record at the latest. After that, the writer can only be disposed of.
   * Until the `end` record is written, a store may hold records and call their `dataFor`.
   */
  write(records: readonly MetricsRecord[]): Promise<void>;
  /** Makes everything written durable and visible. */
  commit(): Promise<void>;
}

/** A write transaction of a store. No other writer can intervene between its reads and writes. */
export interface StoreWriter extends MetricsWriter {
  /** The state before this transaction; read it before writing anything. */
  readonly view: MetricsView;
  /** Finds free ids in the state before this transaction. */
  findFreeIds(): Promise<FreeIds>;
  /**
   * Lists all charts by plugin id, then chart id bytewise, in batches of bounded size. Charts may be written
   * during the iteration.
   */
  listStoredCharts(): AsyncIterable<readonly StoredChart[]>;
  /** Gets the time before which all report slots are closed, in Unix milliseconds; 0 if none is. */
  getClosedUntil(): Promise<number>;
  /** Sets that time as part of this transaction. */
  markClosed(until: number): Promise<void>;
}
