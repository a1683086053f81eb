/** Limits the time of a response: a fixed one, and more for the bytes that have come. */

/** The slowest rate at which bytes may come after the fixed time. */
const slowestBytesPerMs = 64;

/** A signal that is aborted when the time is over. Disposing of it ends its timer, so that none outlives its request. */
export class Deadline implements Disposable {
  readonly #controller = new AbortController();
  readonly #startedAt = performance.now();
  #allowedMs: number;
  #timer: NodeJS.Timeout;

  constructor(allowedMs: number) {
    this.#allowedMs = allowedMs;
    this.#timer = setTimeout(() => this.#check(), allowedMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get allowedSeconds(): number {
    return Math.round(this.#allowedMs / 100) / 10;
  }

  /** Allows more time for these bytes. */
  extendFor(byteCount: number): void {
    this.#allowedMs += byteCount / slowestBytesPerMs;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    const leftMs = this.#allowedMs - (performance.now() - this.#startedAt);
    if (leftMs > 0) this.#timer = setTimeout(() => this.#check(), Math.ceil(leftMs));
    else this.#controller.abort();
  }
}
