/** Detects heavy cache-hit traffic, so that other work can be throttled. */

/** Number of hits in a millisecond from which traffic is heavy; fewer leave enough time for other work. */
const flowPerMs = 1;

const sampleMs = 10;

/** Time for which traffic still counts as heavy after a sample, because clients pause. */
const memoryMs = 100;

/** Samples the counter of cache hits. */
export class HitFlow {
  readonly #hitCount: () => number;
  #sampledAt: number;
  #sampled = 0;
  #flowingUntil = Number.NEGATIVE_INFINITY;

  constructor(hitCount: () => number, now: number) {
    this.#hitCount = hitCount;
    this.#sampledAt = now;
  }

  /** Number of hits so far. */
  get count(): number {
    return this.#hitCount();
  }

  /** True while there are a thousand hits a second or more, and for a while after. */
  isFlowing(now: number): boolean {
    const elapsedMs = now - this.#sampledAt;
    if (elapsedMs >= sampleMs) {
      if (this.count - this.#sampled >= elapsedMs * flowPerMs) this.#flowingUntil = now + memoryMs;
      this.#sampled = this.count;
      this.#sampledAt = now;
    }
    return now < this.#flowingUntil;
  }
}
