/** Requests that are sent again by themselves: which, and when. */

/** A request that was lost, or answered by a server that is busy. It is sent again as long as somebody waits for it. */
export class LostRequest extends Error {
  /** Called once it is answered. */
  readonly waiting = new Set<() => void>();
  /** The time before which the server wants no other one, in Unix milliseconds. */
  readonly notBefore: number;

  constructor(retryAfter: string | null = null, cause?: unknown) {
    super('a request was lost', { cause });
    // Seconds, or a date. Browsers fire timers of more than 24 days at once.
    const now = Date.now();
    const asked = Number(retryAfter) * 1000 || Date.parse(retryAfter ?? '') - now;
    this.notBefore = now + Math.min(Math.max(asked || 0, 0), 2e9);
  }
}

/**
 * Sends a request and reads its answer.
 * @throws LostRequest, also if the answer breaks off, and for 429 and for a server or a proxy that is busy
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

/** Ends the waits of all requests that may be sent; true where the reader asks for it, whatever the server wants. */
const waits = new Set<(isAsked: boolean) => void>();

/** Sends all requests again that wait for it, because a reader asks for it. */
export function retryNow(isAsked = true): void {
  for (const end of waits) end(isAsked);
}

/**
 * Waits until a request may be sent again: a time that doubles with each attempt (from 0), shortened by up to a half at random, behind the time that the
 * server asked for. It ends earlier when the browser comes online or the page is looked at again, and not while nobody looks.
 */
export function waitToRetry(attempt: number, { notBefore }: LostRequest): Promise<void> {
  // A listener that is there already is not added again.
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
