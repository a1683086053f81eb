/** When to ask again, and how long to wait before. */

/** Time and chance. Tests hand in their own. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
  /** Resolves after this time; rejects with the reason of the signal as soon as it is aborted. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
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

/** A server that wants to be left alone for longer is not asked again. */
const longestRetryAfterMs = 300_000;

const firstWaitMs = 1000;
const longestWaitMs = 60_000;

/** Whether another attempt may succeed where an answer had this status; undefined for no answer. */
export function mayPass(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500;
}

/**
 * How long to wait before retry number `retry` (from 0): at least as long as `Retry-After` says (RFC 9110 10.2.3), and on
 * top of that a time that doubles with each retry, of which chance takes up to a half. Undefined for longer than five minutes.
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

/** Seconds, or a date of HTTP; anything else counts as 0. */
export function retryAfterMs(text: string | null, clock: Clock): number {
  if (text === null) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - clock.now();
  return Math.max(ms || 0, 0);
}
