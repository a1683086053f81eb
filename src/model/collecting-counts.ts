/** Counts of a collector since it started. */
export interface CollectingCounts {
  readonly acceptedCount: number;
  /** By the kind of the refusal, such as `unknown-plugin`. */
  readonly refusedCounts: Readonly<Record<string, number>>;
  /** Reports in the open slot that this collector accepted. */
  readonly openSlotCount: number;
  readonly closedSlotCount: number;
  /** Slots that were not covered enough. */
  readonly leftOutSlotCount: number;
  /** Duration of the last closing; undefined before the first. */
  readonly lastClosingSeconds: number | undefined;
  readonly openConnectionCount: number;
}
