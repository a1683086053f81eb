/** The port for writing to a store or an archive: one transaction, all or nothing. */
import type { MetricsRecord } from './metrics-record.ts';

/** Limits of a writer. */
export interface WriteOptions {
  /** The latest time that a point may have, in Unix milliseconds; by default a day ahead of this machine's clock. */
  readonly latestTimestamp?: number | undefined;
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
