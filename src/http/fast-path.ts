/** The shortest ways of a request: from its target to an answer without routing, and mostly without waiting. */
import type { Socket } from 'node:net';
import { defaultMaxElements } from '../api/parameters.ts';
import { questionFor } from '../api/routes.ts';
import { chooseCoding } from './cache/content-coding.ts';
import type { Answer } from './cache/representation.ts';
import type { AnswerCache } from './cache/response-cache.ts';
import type { FastPath } from './wire/front-server.ts';
import type { PlainAnswerer } from './wire/plain-connections.ts';
import type { PlainRequest } from './wire/plain-request.ts';
import { sendAnswer, writeAnswer } from './wire/send.ts';
import { tally } from './wire/serving-counter.ts';

/** Answers what is remembered in the coding that is wanted; everything else is for the router. */
export function createFastPath(cache: AnswerCache): FastPath {
  return (request, response) => {
    if (request.method !== 'GET' || cache.ageSeconds() > 0) return false;
    const coding = chooseCoding(request.headers['accept-encoding']?.toString());
    const coded = findAnswer(cache, keyOf(request.url ?? ''))?.find(coding);
    if (coded === undefined) return false;
    tally.remembered++;
    sendAnswer(request, response, { coded, ageSeconds: 0 });
    return true;
  };
}

/** Answers plain requests, from memory or else from the store; errors are for the router. */
export function createPlainAnswerer(cache: AnswerCache): PlainAnswerer {
  const answerLater = async (request: PlainRequest, socket: Socket, key: string) => {
    const question = questionFor(key);
    if (question === undefined) return false;
    try {
      const answer = await cache.get(question);
      const coded = answer.find(request.coding) ?? (await cache.encode(question.key, answer, request.coding));
      writeAnswer(socket, coded, request.ifNoneMatch);
      return true;
    } catch {
      // The router meets the same error, answers it and logs it.
      return false;
    }
  };
  return (request, socket) => {
    const key = keyOf(request.target);
    if (key === undefined || cache.ageSeconds() > 0) return false;
    const coded = findAnswer(cache, key)?.find(request.coding);
    if (coded === undefined) return answerLater(request, socket, key);
    tally.remembered++;
    writeAnswer(socket, coded, request.ifNoneMatch);
    return true;
  };
}

function findAnswer(cache: AnswerCache, key: string | undefined): Answer | undefined {
  try {
    return key === undefined ? undefined : cache.find(key);
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
