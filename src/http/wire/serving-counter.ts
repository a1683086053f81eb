/** What one server has answered, as plain numbers: counting must cost nothing. */
import type { ServingCounts } from '../../model/serving-counts.ts';

/** Shown from the start, so that the first of its kind is seen as a change. */
const usualStatuses: readonly number[] = [200, 304, 400, 404, 500, 503];

/** Numbers that only grow. */
export class ServingCounter {
  // By status; an array of numbers is quicker to add to than an object.
  readonly #requestCounts = new Float64Array(600);
  bodyBytes = 0;
  hitCount = 0;
  sharedCount = 0;
  missCount = 0;
  /** Connections that were cut: their clients did not take an answer, or sent too many requests ahead. */
  letGoCount = 0;

  /** Counts a request that is being answered. */
  countRequest(status: number): void {
    this.#requestCounts[status] = (this.#requestCounts[status] ?? 0) + 1;
  }

  /** All numbers as they are now. */
  counts(): Pick<ServingCounts, 'requestCounts' | 'bodyBytes' | 'cacheCounts' | 'letGoCount'> {
    const requestCounts: Record<string, number> = {};
    for (const [status, count] of this.#requestCounts.entries())
      if (count > 0 || usualStatuses.includes(status)) requestCounts[status] = count;
    const cacheCounts = { hit: this.hitCount, shared: this.sharedCount, miss: this.missCount };
    return { requestCounts, bodyBytes: this.bodyBytes, cacheCounts, letGoCount: this.letGoCount };
  }
}
