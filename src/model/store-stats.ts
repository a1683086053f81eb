/** Counts and sizes of a store. */

/** What a store holds, in one state of it. */
export interface StoreStats {
  readonly softwareCount: number;
  readonly pluginCount: number;
  readonly chartCount: number;
  /** Points of line charts. */
  readonly pointCount: number;
  /** What the store takes on disk. */
  readonly sizeBytes: number;
  /** The time of the oldest point in Unix milliseconds; null for a store without points. */
  readonly oldestTimestamp: number | null;
  /** The same of the newest point. */
  readonly newestTimestamp: number | null;
  /** The same of the newest point that did not lie in the future when it was counted. */
  readonly newestPastTimestamp: number | null;
}
