/** Load that memory cannot help with: every request another chart, far more of them than are remembered. */
import { type CatalogueLine, dataPath } from '../data/catalogue.ts';
import { shuffled } from '../data/random.ts';
import { type Bench, roundSeconds } from '../question.ts';
import { askGood } from './ask.ts';
import type { Listening } from './wait.ts';
import { type Load, type LoadRequest, runWrk } from './wrk.ts';

/** The least that `serve` can be told to remember: a few dozen default months. */
export const smallCache = ['--cache-mb', '1'];

/** The default month of each of the lines, in an order without a pattern. */
export function shuffledMonths(
  lines: readonly CatalogueLine[],
  headers: Readonly<Record<string, string>> = {},
): LoadRequest[] {
  return shuffled(lines, 6).map((line) => ({ path: dataPath(line), headers }));
}

/** One round: requests per second. */
export async function loadRound(
  bench: Bench,
  server: Listening,
  load: Omit<Load, 'baseUrl' | 'seconds'>,
): Promise<number> {
  const result = await runWrk(bench, { ...load, baseUrl: server.url, seconds: roundSeconds(bench) });
  return result.requestsPerSecond;
}

/** Rejects unless some of the answers are whole months. */
export async function checkMonths(server: Listening, requests: readonly LoadRequest[]): Promise<void> {
  for (const { path } of requests.slice(0, 20)) {
    const { bytes } = await askGood(server.url + path);
    const points: unknown = JSON.parse(bytes.toString('utf8'));
    if (!Array.isArray(points) || points.length < 1400) throw new Error(`${path} is not a month`);
  }
}
