/** The gate that every request passes: so many a second, so many at a time, and none while the source wants rest. */
import type { Clock } from '../../client/retry.ts';

/** Limits of a {@link RequestGate}. */
export interface GateLimits {
  /** Requests a second. */
  readonly rate: number;
  /** Requests at a time. */
  readonly concurrency: number;
}

// Timers do not keep shorter waits. The next request waits for both.
const shortestWaitMs = 2;

/** Lets requests pass in the order in which they come. */
export class RequestGate {
  readonly #limits: GateLimits;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #freeCount: number;
  /** When the next request may start. */
  #nextAt = 0;
  /** Until when the source has asked for rest. */
  #restUntil = 0;

  constructor(limits: GateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#freeCount = limits.concurrency;
  }

  /** Does the work of one request when it is its turn. Rejects with the reason of the signal once that is aborted. */
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

  /** Lets nothing pass for this long. */
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
