/** What a store takes on disk before and after it has been compacted. */

/** The sizes, in bytes. */
export interface Compacted {
  readonly beforeBytes: number;
  readonly afterBytes: number;
  /** Whether a reader of an older state has kept space from being given back; it is, with a later write or compaction. */
  readonly isBlocked: boolean;
}
