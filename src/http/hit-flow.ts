/** Whether so many cached responses are wanted that others have to leave them the time. */

/** Fewer in a millisecond leave enough of it. */
const flowPerMs = 1;

const sampleMs = 10;

/** Clients pause: as long after that, more are expected. */
const memoryMs = 100;

/** Looks at the counter of cached responses. */
export class HitFlow {
  readonly #hitCount: () => number;
  #sampledAt = performance.now();
  #sampled = 0;
  #flowingUntil = Number.NEGATIVE_INFINITY;

  constructor(hitCount: () => number) {
    this.#hitCount = hitCount;
  }

  /** How many there have been. */
  get count(): number {
    return this.#hitCount();
  }

  /** Whether there were a thousand a second or more of late. */
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
