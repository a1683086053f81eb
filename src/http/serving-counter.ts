/** What one server has answered, as plain numbers: counting must cost nothing. */
import { durationBoundsSeconds, HistogramCounter } from '../model/histogram.ts';
import type { DropReason, RefusalReason, RequestKind, ServingCounts } from '../model/serving-counts.ts';

/** Shown from the start, so that the first of its kind is seen as a change. */
const usualStatuses: readonly number[] = [200, 304, 400, 404, 500, 503];

/** What a counter knows: the rest is known where connections and the cache are. */
export type CountedHere = Omit<
  ServingCounts,
  'openCount' | 'storeChangeCount' | 'cachedCount' | 'cachedBytes'
>;

/** Numbers that only grow. */
export class ServingCounter {
  // By status; an array of numbers is quicker to add to than an object.
  readonly #requestCounts = new Float64Array(600);
  bodyBytes = 0;
  hitCount = 0;
  sharedCount = 0;
  missCount = 0;
  acceptedCount = 0;
  readonly droppedCounts: Record<DropReason, number> = {
    not_reading: 0,
    pipelining: 0,
    too_many: 0,
    too_many_of_address: 0,
  };
  readonly refusedCounts: Record<RefusalReason, number> = {
    overloaded: 0,
    overloaded_large: 0,
    sending: 0,
    rate_limit: 0,
  };
  readonly latencies: Readonly<Record<RequestKind, HistogramCounter>> = {
    cached: newDurations(),
    read: newDurations(),
    large: newDurations(),
    image: newDurations(),
  };
  readonly storeReads = newDurations();

  /** Counts a request that is being answered. */
  countRequest(status: number): void {
    this.#requestCounts[status] = (this.#requestCounts[status] ?? 0) + 1;
  }

  /** All numbers as they are now. */
  counts(): CountedHere {
    const requestCounts: Record<string, number> = {};
    for (const [status, count] of this.#requestCounts.entries())
      if (count > 0 || usualStatuses.includes(status)) requestCounts[status] = count;
    const { cached, read, large, image } = this.latencies;
    return {
      requestCounts,
      bodyBytes: this.bodyBytes,
      cacheCounts: { hit: this.hitCount, shared: this.sharedCount, miss: this.missCount },
      latencies: { cached: cached.read(), read: read.read(), large: large.read(), image: image.read() },
      storeReads: this.storeReads.read(),
      acceptedCount: this.acceptedCount,
      droppedCounts: { ...this.droppedCounts },
      refusedCounts: { ...this.refusedCounts },
    };
  }
}

function newDurations(): HistogramCounter {
  return new HistogramCounter(durationBoundsSeconds);
}
