/** The port that a store is written through: one transaction, all or nothing. */
import type { MetricsRecord } from './metrics-record.ts';

/** Limits of a writer. */
export interface WriteOptions {
  /** The latest time of a point, in Unix milliseconds; a day ahead of the clock of this machine unless given. */
  readonly latestTimestamp?: number | undefined;
}

/** A write transaction. Disposing of it without `commit` leaves the store as it was. */
export interface MetricsWriter extends AsyncDisposable {
  /**
   * Takes records in order. Rejects with AppError `invalid` or `conflict`, placed at the faulty record: at
   * once, in a later call, or with the `end` record at the latest; after that only disposing is allowed. A store
   * may keep records, and call their `dataFor`, until then.
   */
  write(records: readonly MetricsRecord[]): Promise<void>;
  /** Makes everything written durable and visible. */
  commit(): Promise<void>;
}
