/**
 * The rate limit of clients, with the headers of draft-ietf-httpapi-ratelimit-headers. The quota is for ten seconds, so that a page
 * with many pictures stays within it.
 */
import type { Problem } from '../problem.ts';

const windowSeconds = 10;

/** Limit on the clients that are counted; more share one quota, so that many addresses cannot fill the memory. */
const maxClients = 100_000;

/** State of the quota of a client. */
export interface RateState {
  readonly isExceeded: boolean;
  /** Time until the quota is renewed, rounded up. */
  readonly resetSeconds: number;
  /** Headers that report it, as names and values in turn. */
  readonly headers: readonly string[];
}

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

  /** Counts a request of a client. */
  take(client: string): RateState {
    const now = this.#now();
    if (now >= this.#endsAt) {
      this.#endsAt = now + windowSeconds * 1000;
      this.#counts = new Map();
    }
    const key = this.#counts.size < maxClients || this.#counts.has(client) ? client : '';
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    // The difference of two doubles can be a little more than the window.
    const resetSeconds = Math.min(windowSeconds, Math.max(1, Math.ceil((this.#endsAt - now) / 1000)));
    const remaining = Math.max(0, this.#quota - count);
    return {
      isExceeded: count > this.#quota,
      resetSeconds,
      headers: [
        'RateLimit-Policy',
        `"requests";q=${this.#quota};w=${windowSeconds}`,
        'RateLimit',
        `"requests";r=${remaining};t=${resetSeconds}`,
      ],
    };
  }
}

/** The error for a client beyond its quota. */
export function tooManyRequests({ resetSeconds }: RateState): Problem {
  const detail = `this client has asked too often; it may ask again in ${resetSeconds} s`;
  return { kind: 'too-many-requests', detail, retryAfterSeconds: resetSeconds };
}
