/** Requests of all charts in a page. Equal ones are sent once. */

/** An answer with another status than 200. */
export class RequestFailure extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status}`);
    this.status = status;
  }
}

/** A response as far as it is used. */
export type Answer = Pick<Response, 'status' | 'json'>;

/** The time for which an answer is reused: as long as servers usually let caches keep it. */
export const keptMs = 60_000;

const maxEntryCount = 40;

/**
 * Makes a function that fetches JSON. Equal requests share one answer, for a minute. It throws RequestFailure, and the errors of
 * `fetch` and `JSON.parse`.
 */
export function shareRequests(
  fetch: (url: string) => Promise<Answer>,
  now: () => number = () => Date.now(),
): (url: string) => Promise<unknown> {
  const entries = new Map<string, { readonly json: Promise<unknown>; readonly startedAt: number }>();

  return (url) => {
    const known = entries.get(url);
    if (known !== undefined && now() - known.startedAt < keptMs) return known.json;
    const entry = { json: getJson(url), startedAt: now() };
    entries.delete(url);
    entries.set(url, entry);
    for (const oldest of entries.keys()) if (entries.size > maxEntryCount) entries.delete(oldest);
    entry.json.catch(() => entries.delete(url));
    return entry.json;
  };

  async function getJson(url: string): Promise<unknown> {
    const response = await fetch(url);
    if (response.status !== 200) throw new RequestFailure(url, response.status);
    return response.json();
  }
}
