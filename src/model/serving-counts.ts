/** The counters of a process that serves the interface: the port between `http/`, which counts, and `admin/`. */
import type { Histogram } from './histogram.ts';

/** Whether a response was cached (`hit`), already being made for another request (`shared`), or read (`miss`). */
export type CacheResult = 'hit' | 'shared' | 'miss';

/** Kinds of requests: for a cached response, a read, a large response made in parts, or a picture. */
export const requestKinds = ['cached', 'read', 'large', 'image'] as const;

/** One of {@link requestKinds}. */
export type RequestKind = (typeof requestKinds)[number];

/**
 * Why a connection was cut: its client did not take a response, or sent too many requests ahead; or there were too many
 * connections, or too many of its address.
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

/** Counted since the server started, except where a field says "now". */
export interface ServingCounts {
  /** How many requests were answered, by status. */
  readonly requestCounts: Readonly<Record<string, number>>;
  /** Bytes of the bodies of 200 responses, as they were sent. */
  readonly bodyBytes: number;
  /** How many responses there were of each cache result; problem documents do not count. */
  readonly cacheCounts: Readonly<Record<CacheResult, number>>;
  /** How long good responses took until they could be sent, in seconds. */
  readonly latencies: Readonly<Record<RequestKind, Histogram>>;
  /** How long the store took for a read, or for a batch of a long one, in seconds. */
  readonly storeReads: Histogram;
  /** Connections that were accepted. */
  readonly acceptedCount: number;
  /** Connections that are open now. */
  readonly openCount: number;
  /** How many connections were cut. */
  readonly droppedCounts: Readonly<Partial<Record<DropReason, number>>>;
  /** How many requests were refused. */
  readonly refusedCounts: Readonly<Partial<Record<RefusalReason, number>>>;
  /** How often a change of the store was noticed. */
  readonly storeChangeCount: number;
  /** How many responses are cached now. */
  readonly cachedCount: number;
  /** What they take, in bytes. */
  readonly cachedBytes: number;
}
