/** The comparison of questions 1 to 5: one answer of ours against nginx handing out the same bytes. */
import type { Bench } from '../question.ts';
import { roundSeconds } from '../question.ts';
import { ask, askGood, type RawAnswer } from './ask.ts';
import { startNginx } from './nginx.ts';
import { alternate } from './rounds.ts';
import { startServe } from './server.ts';
import { runWrk } from './wrk.ts';

/** What is compared. */
export interface Comparison {
  readonly store: string;
  readonly path: string;
  /** What both are asked to send. */
  readonly coding: 'identity' | 'gzip';
  /** Both are asked with their own tag, and answer that nothing has changed. */
  readonly isConditional?: boolean;
}

const warmupSeconds = 1;

/** Measures both, in requests per second. Rejects where they do not send the same bytes. */
export async function againstNginx(
  bench: Bench,
  comparison: Comparison,
): Promise<{ readonly ours: number; readonly nginx: number }> {
  const { store, path, coding, isConditional = false } = comparison;
  const headers = coding === 'gzip' ? { 'accept-encoding': 'gzip' } : {};
  await using ours = await startServe(bench, { store });
  const plain = await askGood(ours.url + path);
  const coded = await askGood(ours.url + path, headers);
  await using nginx = await startNginx(bench, {
    path: path.replace(/\?.*/, ''),
    bytes: plain.bytes,
    ...(coding === 'gzip' ? { gzipBytes: coded.bytes } : {}),
  });
  refuseDifference(coded, await askGood(nginx.url + path, headers));
  bench.say(`both send the same ${coded.bytes.length.toLocaleString('en-US')} bytes`);
  const side = async <Name extends string>(name: Name, baseUrl: string) => {
    const tag = isConditional ? { 'if-none-match': await tagOf(baseUrl + path, headers) } : {};
    const requests = [{ path, headers: { ...headers, ...tag } }];
    await runWrk(bench, { baseUrl, requests, seconds: warmupSeconds });
    const seconds = roundSeconds(bench);
    const measure = async () => (await runWrk(bench, { baseUrl, requests, seconds })).requestsPerSecond;
    return { name, measure };
  };
  return await alternate(bench, [await side('ours', ours.url), await side('nginx', nginx.url)]);
}

function refuseDifference(ours: RawAnswer, nginx: RawAnswer): void {
  const coding = (answer: RawAnswer) => answer.headers['content-encoding'] ?? 'identity';
  if (coding(ours) !== coding(nginx)) {
    throw new Error(`the sides differ: ours is ${coding(ours)}, that of nginx ${coding(nginx)}`);
  }
  if (!ours.bytes.equals(nginx.bytes)) throw new Error('the sides differ: their bytes are not the same');
}

/** The tag of an answer, which is then answered with 304 and no body. */
async function tagOf(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const tag = String((await askGood(url, headers)).headers['etag']);
  const unchanged = await ask(url, { ...headers, 'if-none-match': tag });
  if (unchanged.status !== 304 || unchanged.bytes.length > 0) {
    throw new Error(`${url} answers ${unchanged.status} to its own tag ${tag}`);
  }
  return tag;
}
