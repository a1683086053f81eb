/** What a store takes on disk, and what compacting it does to that. */

/** The sizes before and after a store has been compacted. */
export interface Compacted {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /** Whether a reader of an older state has kept space from being given back; a later compaction does it. */
  readonly isBlocked: boolean;
}

/** How much of what a store takes holds nothing any more. */
export interface Unused {
  readonly sizeBytes: number;
  readonly unusedBytes: number;
}
