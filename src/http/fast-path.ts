/** The shortest way of a request: from its target to a remembered answer, without routing or waiting. */
import type { AnswerCache } from './answer-cache.ts';
import { chooseCoding } from './content-coding.ts';
import type { FastPath } from './front-server.ts';
import { defaultMaxElements } from './parameters.ts';
import { sendAnswer } from './send.ts';
import { tally } from './tally.ts';

/** Answers what is remembered in the coding that is wanted; everything else is for the router. */
export function createFastPath(cache: AnswerCache): FastPath {
  return (request, response) => {
    if (request.method !== 'GET') return false;
    const key = keyOf(request.url ?? '');
    const answer = key === undefined ? undefined : findAnswer(cache, key);
    const coded = answer?.find(chooseCoding(request.headers['accept-encoding']?.toString()));
    if (coded === undefined) return false;
    tally.remembered++;
    sendAnswer(request, response, coded);
    return true;
  };
}

function findAnswer(cache: AnswerCache, key: string) {
  try {
    return cache.find(key);
  } catch {
    // A store that cannot be asked: the router will meet the same error, and answers it.
    return undefined;
  }
}

const maxElementsQuery = /^maxElements=(?:0|[1-9]\d{0,9})$/;
const defaultQuery = `maxElements=${defaultMaxElements}`;

/** The key of the answer that a target asks for; undefined for a target that wants a closer look. */
function keyOf(target: string): string | undefined {
  const mark = target.indexOf('?');
  if (mark === -1) return withoutSlash(target);
  const query = target.slice(mark + 1);
  const path = withoutSlash(target.slice(0, mark));
  if (query === '' || query === defaultQuery) return path;
  return maxElementsQuery.test(query) ? `${path}?${query}` : undefined;
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
