/** Decides which failures are retried, and after what delay. */

/** Time and randomness; tests provide their own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** At least 0 and less than 1. */
  random(): number;
  /** Resolves after the given time; rejects with the reason of the signal as soon as it is aborted. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async wait(ms, signal) {
    signal?.throwIfAborted();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
      function end(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      }
    });
    signal?.throwIfAborted();
  },
};

/** Longest `Retry-After`; a longer one ends the retries. */
export const longestRetryAfterMs = 300_000;

const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/** True for a status after which a retry may succeed; undefined means no response. */
export function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500;
}

/**
 * Returns the delay before retry number `retry` (from 0) in milliseconds: the `Retry-After` (RFC 9110 10.2.3)
 * plus a backoff that doubles with each retry and is randomly shortened by up to half. Undefined if
 * `Retry-After` exceeds five minutes.
 */
export function waitMsBefore(
  retry: number,
  { retryAfter, clock }: { readonly retryAfter: string | null; readonly clock: Clock },
): number | undefined {
  const askedMs = retryAfterMs(retryAfter, clock);
  if (askedMs > longestRetryAfterMs) return undefined;
  const growingMs = Math.min(firstWaitMs * 2 ** retry, longestWaitMs);
  return askedMs + growingMs * (1 - clock.random() / 2);
}

/** Parses a `Retry-After` of seconds or an HTTP date into milliseconds; 0 for any other text, or none. */
export function retryAfterMs(text: string | null, clock: Clock): number {
  const given = text ?? '';
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - clock.now();
  return Math.max(ms || 0, 0);
}
