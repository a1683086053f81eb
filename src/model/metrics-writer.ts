/** The port for writing to a store or an archive: one transaction, all or nothing. */
import type { JsonText } from './json-text.ts';
import type { MetricsView } from './metrics-reader.ts';
import type { MetricsRecord } from './metrics-record.ts';

/** Limits of a writer. */
export interface WriteOptions {
  /** The latest time that a point may have, in Unix milliseconds; by default a day ahead of this machine's clock. */
  readonly latestTimestamp?: number | undefined;
  /** Keeps the prune cut-off when a plugin or chart is imported again, because a mirror imports all of them on each run. */
  readonly keepsPruned?: boolean;
}

/** Ids for new things: each is greater than all that were given by counting so far, those of removed plugins included. */
export interface FreeIds {
  readonly softwareId: number;
  readonly ownerId: number;
  readonly pluginId: number;
  /** The uid of a chart; those that follow are free too. */
  readonly chartUid: number;
}

/** A chart of a store, and whether it has data. */
export interface StoredChart {
  readonly pluginId: number;
  readonly chartId: string;
  readonly type: string;
  readonly settings: JsonText;
  /** True for a line with points, and for any other chart that shows data which are not empty. */
  readonly hasData: boolean;
}

/** A write transaction. Disposing of it without `commit` leaves the store as it was. */
export interface MetricsWriter extends AsyncDisposable {
  /**
   * Takes records in order. Rejects with `invalid` or `conflict`, placed at the faulty record: at once, in a later call, or
   * with the `end` record at the latest. After that the writer can only be disposed of. Until the `end` record is written, a
   * store may keep records and call their `dataFor`.
   */
  write(records: readonly MetricsRecord[]): Promise<void>;
  /** Makes everything written durable and visible. */
  commit(): Promise<void>;
}

/** A write transaction of a store. No other writer comes between what it reads and what it writes. */
export interface StoreWriter extends MetricsWriter {
  /** The state before this transaction, to be read before anything is written. */
  readonly view: MetricsView;
  /** Finds free ids in the state before this transaction. */
  findFreeIds(): Promise<FreeIds>;
  /** Lists all charts by plugin id, then chart id bytewise, in batches of bounded size. They may be written meanwhile. */
  listStoredCharts(): AsyncIterable<readonly StoredChart[]>;
  /** Gets the time before which all slots of reports are closed, in Unix milliseconds; 0 where none was. */
  getClosedUntil(): Promise<number>;
  /** Sets that time, which then is part of what is committed. */
  markClosed(until: number): Promise<void>;
}
