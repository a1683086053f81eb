/** The counters of a process that serves the interface: the port between `http/`, which counts, and `admin/`. */

/** Whether a response was cached (`hit`), already being made for another request (`shared`), or read (`miss`). */
export type CacheResult = 'hit' | 'shared' | 'miss';

/** Counted since the server started, except where a field says "now". */
export interface ServingCounts {
  /** How many requests were answered, by status. */
  readonly requestCounts: Readonly<Record<string, number>>;
  /** Bytes of the bodies of 200 responses, as they were sent. */
  readonly bodyBytes: number;
  /** How many responses there were of each cache result; problem documents do not count. */
  readonly cacheCounts: Readonly<Record<CacheResult, number>>;
  /** How many connections were cut: their clients did not take a response, or sent too many requests ahead. */
  readonly letGoCount: number;
  /** How often a change of the store was noticed. */
  readonly storeChangeCount: number;
  /** How many responses are cached now. */
  readonly cachedCount: number;
  /** What they take, in bytes. */
  readonly cachedBytes: number;
}
