/** The rate limit of clients. The quota is for ten seconds, so that a page with many pictures stays within it. */
import { AppError } from '../model/app-error.ts';

const windowSeconds = 10;

/** Limit on the clients that are counted; more share one quota, so that many addresses cannot fill the memory. */
const maxClients = 100_000;

/** Counts the requests of each client in windows of ten seconds. */
export class RateLimiter {
  readonly #quota: number;
  readonly #now: () => number;
  #counts = new Map<string, number>();
  #endsAt = Number.NEGATIVE_INFINITY;

  constructor(requestsPerSecond: number, now = () => performance.now()) {
    this.#quota = Math.max(1, Math.floor(requestsPerSecond * windowSeconds));
    this.#now = now;
  }

  /** Counts a request of a client; returns the seconds until its quota is renewed, rounded up, if it has used it up. */
  take(client: string): number | undefined {
    const now = this.#now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + windowSeconds * 1000;
      this.#counts = new Map();
    }
    const key = this.#counts.size < maxClients || this.#counts.has(client) ? client : '';
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    if (count <= this.#quota) return undefined;
    // The difference of two doubles can be a little more than the window.
    return Math.min(windowSeconds, Math.max(1, Math.ceil((this.#endsAt - now) / 1000)));
  }
}

/** The error for a client beyond its quota. */
export class TooManyRequests extends AppError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('invalid', `this client has asked too often; it may ask again in ${retryAfterSeconds} s`, {
      kind: 'too-many-requests',
    });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
