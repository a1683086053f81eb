/** Counts of a run, which the command line shows during the run and at its end. */
import { nothingLeftOut } from '../upstream/copy-rules.ts';

/** Progress of one run. */
export class MirrorProgress {
  wantedCount = 0;
  doneCount = 0;
  failedCount = 0;
  /** Plugins skipped because the source counted as down. */
  skippedCount = 0;
  /** Counts of what was written to the store. */
  readonly counts = { chart: 0, point: 0, historyTime: 0, event: 0 };
  /** True if a signal ended the run. */
  isInterrupted = false;
  readonly leftOut = nothingLeftOut();
  readonly #requestCount: () => number;
  readonly #startedAt = performance.now();

  /** @param requestCount returns the number of requests that the run has sent so far. */
  constructor(requestCount: () => number) {
    this.#requestCount = requestCount;
  }

  get requestCount(): number {
    return this.#requestCount();
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** True if everything requested is stored. */
  get isComplete(): boolean {
    return this.failedCount === 0 && this.skippedCount === 0 && !this.isInterrupted;
  }
}
