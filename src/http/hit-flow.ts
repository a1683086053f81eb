/** Whether so many cached responses are wanted that others have to leave them the time. */

/** Fewer in a millisecond leave enough of it. */
const flowPerMs = 1;

const sampleMs = 10;

/** Looks at the counter of cached responses, some times in a tenth of a second. */
export class HitFlow {
  readonly #hitCount: () => number;
  #sampledAt = performance.now();
  #sampled = 0;
  #isFlowing = false;

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
      this.#isFlowing = this.count - this.#sampled >= elapsedMs * flowPerMs;
      this.#sampled = this.count;
      this.#sampledAt = now;
    }
    return this.#isFlowing;
  }
}
