/** Retries lost requests automatically: which ones, and when. */

/** A request that was lost, or refused by a busy server. It is retried as long as somebody waits on it. */
export class LostRequest extends Error {
  /** Called once the request has succeeded. */
  readonly waiting = new Set<() => void>();
  /** Time before which the server does not want a retry, in Unix milliseconds. */
  readonly notBefore: number;

  constructor(retryAfter: string | null = null, cause?: unknown) {
    super('a request was lost', { cause });
    // Seconds, or a date. The limit avoids timers of more than 24 days, which browsers fire at once.
    const now = Date.now();
    const asked = Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - now;
    this.notBefore = now + Math.min(Math.max(asked || 0, 0), 2e9);
  }
}

/**
 * Sends a request and reads the response.
 * @throws LostRequest if there is no response, it breaks off, its status is 429, or the server or a proxy is
 * busy.
 */
export async function sendRequest(
  url: string,
  init?: RequestInit,
): Promise<{ readonly response: Response; readonly text: string }> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, init);
    text = await response.text();
  } catch (cause) {
    throw new LostRequest(null, cause);
  }
  if ([429, 502, 503, 504].includes(response.status))
    throw new LostRequest(response.headers.get('Retry-After'));
  return { response, text };
}

const maxWaitMs = 5 * 60_000;

/**
 * Ends the waits of all requests that may be sent. The parameter is true if the reader asks for it; this
 * overrides the wishes of the server.
 */
const waits = new Set<(isAsked: boolean) => void>();

/** Retries all waiting requests at once, because a reader asks for it. */
export function retryNow(isAsked = true): void {
  for (const end of waits) end(isAsked);
}

/**
 * Waits until a request may be retried: the time that the server asked for, plus a backoff that doubles with
 * each attempt (from 0) and is randomly shortened by up to half. The wait ends early when the browser comes
 * online or the page becomes visible; it does not end while the page is hidden.
 */
export function waitToRetry(attempt: number, { notBefore }: LostRequest): Promise<void> {
  // Adding the same listener again has no effect.
  addEventListener('online', retryIfDue);
  document.addEventListener('visibilitychange', retryIfDue);
  return new Promise((resolve) => {
    const end = (isAsked: boolean) => {
      if (document.hidden || (!isAsked && Date.now() < notBefore)) return;
      clearTimeout(timer);
      waits.delete(end);
      resolve();
    };
    waits.add(end);
    const growingMs = Math.min(1000 * 2 ** attempt, maxWaitMs) * (1 - Math.random() / 2);
    const timer = setTimeout(end, Math.max(0, notBefore - Date.now()) + growingMs, false);
  });
}

const retryIfDue = () => retryNow(false);
