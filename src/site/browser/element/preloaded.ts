/** Data that a page of the site preloads: the script before its content reads them, and its charts take them. */
import type { Answer } from './shared-requests.ts';

declare global {
  /** The answers by their addresses, until charts take them. Undefined on other pages. */
  var preloaded: Map<string, Promise<Answer>> | undefined;
}

/** The answer that the page has preloaded from an address; undefined if it has none, or it has been taken. */
export function takePreloaded(url: string): Promise<Answer> | undefined {
  const answer = globalThis.preloaded?.get(url);
  globalThis.preloaded?.delete(url);
  return answer;
}
