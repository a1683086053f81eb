/** Requests of all charts in a page: what several ask for is fetched once. */

/** What is needed of `fetch`. */
export type Fetch = (url: string, init: { readonly signal: AbortSignal }) => Promise<Response>;

/** The answer was no 200. */
export class RequestFailure extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status}`);
    this.status = status;
  }
}

interface Entry {
  readonly json: Promise<unknown>;
  readonly startedAt: number;
  /** Ends the request, once nobody waits for it any more. */
  readonly release: () => void;
  waitingCount: number;
}

/** How long an answer is given again: as long as servers usually let caches keep it. */
const keptMs = 60_000;

const maxEntryCount = 40;

/**
 * A function that gets JSON. Equal requests have one answer: while it is under way, and for a minute after it came. It
 * throws RequestFailure, the reason of the signal, and what `fetch` and `JSON.parse` throw.
 */
export function shareRequests(
  fetch: Fetch,
  now: () => number = () => Date.now(),
): (url: string, signal: AbortSignal) => Promise<unknown> {
  const entries = new Map<string, Entry>();

  return async (url, signal) => {
    const known = entries.get(url);
    const entry = known !== undefined && now() - known.startedAt < keptMs ? known : start(url);
    entry.waitingCount++;
    try {
      return await untilAborted(entry.json, signal);
    } finally {
      if (--entry.waitingCount === 0) entry.release();
    }
  };

  function start(url: string): Entry {
    const controller = new AbortController();
    const forget = () => entries.get(url) === entry && entries.delete(url);
    let isDone = false;
    const entry: Entry = {
      json: getJson(url, controller.signal),
      startedAt: now(),
      waitingCount: 0,
      release: () => {
        if (isDone) return;
        controller.abort();
        forget();
      },
    };
    entries.delete(url);
    entries.set(url, entry);
    for (const oldest of entries.keys()) if (entries.size > maxEntryCount) entries.delete(oldest);
    entry.json.then(() => {
      isDone = true;
    }, forget);
    return entry;
  }

  async function getJson(url: string, signal: AbortSignal): Promise<unknown> {
    const response = await fetch(url, { signal });
    if (response.status !== 200) throw new RequestFailure(url, response.status);
    return response.json();
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
