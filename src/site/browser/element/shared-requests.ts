/** Requests of all charts in a page. Equal ones are sent once. */

/** An answer with another status than 200. */
export class RequestFailure extends Error {
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status}`);
    this.status = status;
  }
}

/** The time for which an answer is reused: as long as servers usually let caches keep it. */
const keptMs = 60_000;

const answers = new Map<string, Promise<unknown>>();

/**
 * Fetches JSON. Equal requests share one answer, for a minute.
 * @throws RequestFailure, and the errors of `fetch` and `JSON.parse`
 */
export function getJson(url: string): Promise<unknown> {
  const known = answers.get(url);
  if (known !== undefined) return known;
  const forget = () => answers.delete(url);
  const answer = fetchJson(url);
  answers.set(url, answer);
  answer.catch(forget);
  setTimeout(forget, keptMs);
  return answer;
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (response.status !== 200) throw new RequestFailure(url, response.status);
  return response.json();
}
