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
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(settle, ms);
      signal?.addEventListener('abort', settle);
      function settle(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', settle);
        if (signal?.aborted) reject(signal.reason);
        else resolve();
      }
    }),
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

/** Parses a `Retry-After` of seconds or an HTTP date into milliseconds; any other text counts as 0. */
export function retryAfterMs(text: string | null, clock: Clock): number {
  if (text === null) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
  return Math.max(ms || 0, 0);
}
