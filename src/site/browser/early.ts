/**
 * `/early.js`: shows the chosen theme before the page is painted, and begins to read what the page preloads. Pages wait for it,
 * so it is a file of its own.
 */
import { type Answer, keptMs } from './element/shared-requests.ts';
import { readThemeChoice, showTheme } from './theme-choice.ts';

const links = document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=fetch]');
globalThis.preloaded = new Map(Array.from(links, ({ href }) => [href, read(href)]));
// Charts that are seen later send requests of their own.
setTimeout(() => globalThis.preloaded?.clear(), keptMs);
showTheme(readThemeChoice());

/** Reads an answer to its end. The chart that takes it handles a failure. */
function read(url: string): Promise<Answer> {
  const answer = fetch(url).then(async (response) => {
    const json = response.json();
    await json.catch(() => undefined);
    return { status: response.status, json: () => json };
  });
  answer.catch(() => undefined);
  return answer;
}
