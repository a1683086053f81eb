/** What a process that serves the interface has counted; the port between who counts and who shows it. */

/** Where the bytes of a good answer came from: the cache, a read that was under way for somebody else, or a read. */
export type AnswerOrigin = 'hit' | 'shared' | 'miss';

/** Counted since the server began, save what is said to be so now. */
export interface ServingCounts {
  /** How many requests were answered with each status, by status. */
  readonly requestCounts: Readonly<Record<string, number>>;
  /** Bytes of the bodies of good answers, as they were sent. */
  readonly bodyBytes: number;
  /** How many good answers came from where. */
  readonly originCounts: Readonly<Record<AnswerOrigin, number>>;
  /** How many connections were cut: their clients did not take an answer, or sent too many requests ahead. */
  readonly letGoCount: number;
  /** How often a change of the store was noticed. */
  readonly storeChangeCount: number;
  /** How many responses are cached now. */
  readonly cachedCount: number;
  /** What they take, in bytes. */
  readonly cachedBytes: number;
}
