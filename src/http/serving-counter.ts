/** Counters of one server, as plain numbers: counting must cost next to nothing. */
import { durationBoundsSeconds, HistogramCounter } from '../model/histogram.ts';
import type { DropReason, RefusalReason, RequestKind, ServingCounts } from '../model/serving-counts.ts';

/** Statuses that are counted from 0, so that monitoring sees the first one as a change. */
const usualStatuses: readonly number[] = [200, 304, 400, 404, 500, 503];

/** Counts of this counter; connections and the cache count the others. */
type CountedHere = Omit<ServingCounts, 'openCount' | 'storeChangeCount' | 'cachedCount' | 'cachedBytes'>;

/** Counters that only grow. */
export class ServingCounter {
  // By status. An array of numbers is faster than an object.
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

  /** Counts a request by the status of its response. */
  countRequest(status: number): void {
    this.#requestCounts[status] = (this.#requestCounts[status] ?? 0) + 1;
  }

  /** The present counts. */
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
