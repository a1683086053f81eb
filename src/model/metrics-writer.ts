/** The port that a store is written through: one transaction, all or nothing. */
import type { MetricsRecord } from './metrics-record.ts';

/** A write transaction. Disposing of it without `commit` leaves the store as it was. */
export interface MetricsWriter extends AsyncDisposable {
  /**
   * Takes the records in order. Rejects with AppError `invalid` or `conflict`, placed at the faulty record;
   * after that only disposing is allowed.
   */
  write(records: readonly MetricsRecord[]): Promise<void>;
  /** Makes everything written durable and visible. */
  commit(): Promise<void>;
}
