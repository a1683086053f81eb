/** Limits requests: their rate, the number at a time, and none during a pause that the source asked for. */
import type { Clock } from '../../client/retry.ts';

/** Limits of a {@link RequestGate}. */
export interface GateLimits {
  /** Requests per second. */
  readonly rate: number;
  /** Requests at a time. */
  readonly concurrency: number;
}

// Timers are not exact enough for shorter waits; the next request waits for both.
const shortestWaitMs = 2;

/** Lets requests pass in order. */
export class RequestGate {
  readonly #limits: GateLimits;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #freeCount: number;
  /** The time at which the next request may start. */
  #nextAt = 0;
  /** The end of the pause that the source asked for. */
  #restUntil = 0;

  constructor(limits: GateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#freeCount = limits.concurrency;
  }

  /** Runs the work of a request when it is its turn. Rejects with the reason of the signal when that is aborted. */
  async pass<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#freeCount === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#freeCount--;
    try {
      await this.#waitForTurn(signal);
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#freeCount++;
      else next();
    }
  }

  /** Pauses all requests for some time. */
  rest(ms: number): void {
    this.#restUntil = Math.max(this.#restUntil, this.#clock.now() + ms);
  }

  async #waitForTurn(signal: AbortSignal): Promise<void> {
    const turn = Math.max(this.#clock.now(), this.#nextAt);
    this.#nextAt = turn + 1000 / this.#limits.rate;
    for (;;) {
      signal.throwIfAborted();
      const waitMs = Math.max(turn, this.#restUntil) - this.#clock.now();
      if (waitMs < shortestWaitMs) return;
      await this.#clock.wait(waitMs, signal);
    }
  }
}
