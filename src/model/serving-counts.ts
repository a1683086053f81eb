/** The counters of a process that serves the interface: the port between `http/`, which counts, and `admin/`. */
import type { Histogram } from './histogram.ts';

/** The source of a response: cached (`hit`), being made for another request (`shared`), or made for this one (`miss`). */
export type CacheResult = 'hit' | 'shared' | 'miss';

/** Kinds of requests: for a cached response, a read, a large response made in parts, or a picture. */
export const requestKinds = ['cached', 'read', 'large', 'image'] as const;

/** One of {@link requestKinds}. */
export type RequestKind = (typeof requestKinds)[number];

/**
 * Reasons to drop a connection: its client did not read a response, or sent too many requests ahead; or there were too many
 * connections, or too many from its address.
 */
export const dropReasons = ['not_reading', 'pipelining', 'too_many', 'too_many_of_address'] as const;

/** One of {@link dropReasons}. */
export type DropReason = (typeof dropReasons)[number];

/**
 * Reasons to refuse a request: too much work waited, too much large work waited, the bodies being sent took too much memory, or
 * its client asked too often.
 */
export const refusalReasons = ['overloaded', 'overloaded_large', 'sending', 'rate_limit'] as const;

/** One of {@link refusalReasons}. */
export type RefusalReason = (typeof refusalReasons)[number];

/** Counts since the server started; fields that say "now" are current values. */
export interface ServingCounts {
  /** Requests answered, by status. */
  readonly requestCounts: Readonly<Record<string, number>>;
  /** Bytes of the bodies of 200 responses, as they were sent. */
  readonly bodyBytes: number;
  /** Responses by cache result, without problem documents. */
  readonly cacheCounts: Readonly<Record<CacheResult, number>>;
  /** Seconds from a request to its response, without problem documents. */
  readonly latencies: Readonly<Record<RequestKind, Histogram>>;
  /** Seconds that the store took for a read, or for a batch of a long one. */
  readonly storeReads: Histogram;
  /** Connections that were accepted. */
  readonly acceptedCount: number;
  /** Connections that are open now. */
  readonly openCount: number;
  /** Connections dropped, by reason. */
  readonly droppedCounts: Readonly<Partial<Record<DropReason, number>>>;
  /** Requests refused, by reason. */
  readonly refusedCounts: Readonly<Partial<Record<RefusalReason, number>>>;
  /** Changes of the store that were noticed. */
  readonly storeChangeCount: number;
  /** Responses cached now. */
  readonly cachedCount: number;
  /** Bytes of the responses cached now. */
  readonly cachedBytes: number;
}
