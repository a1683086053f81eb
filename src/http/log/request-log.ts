/** The log of requests: one line each, with nothing about who asked unless that is wanted. */
import type { Answer, Answerer, AnswerRequest } from '../answer.ts';
import { Representation } from '../representation.ts';
import { matchesTag } from '../wire/conditional.ts';
import type { LineStream } from './error-log.ts';

/** One request that has its answer. */
export interface LoggedRequest {
  /** Left out, as the path, where the request could not be read. */
  readonly method?: string;
  /** Of the target, without the query, which may hold anything; 200 characters at most. */
  readonly path?: string;
  readonly status: number;
  /** Of the body, as it is sent. */
  readonly bodyBytes: number;
  /** From the request to its answer, in milliseconds. */
  readonly durationMs?: number;
  /** Of the client, where addresses are wanted. */
  readonly address?: string;
}

/** A log of requests. */
export interface RequestLog {
  readonly hasAddresses: boolean;
  /** Called for every request; must not throw. */
  readonly write: (request: LoggedRequest) => void;
}

/** Makes a log that writes each request as a line of JSON. */
export function createRequestLog(
  stream: LineStream,
  { hasAddresses }: Pick<RequestLog, 'hasAddresses'>,
): RequestLog {
  return {
    hasAddresses,
    write: ({ durationMs, ...request }) => {
      const ms = durationMs === undefined ? {} : { durationMs: Math.round(durationMs * 1000) / 1000 };
      const line = { level: 'info', time: new Date().toISOString(), ...request, ...ms, message: 'request' };
      stream.write(`${JSON.stringify(line)}\n`);
    },
  };
}

const maxPathLength = 200;

/** Answers as before, and logs every answer. */
export function loggingAnswerer(answer: Answerer, log: RequestLog): Answerer {
  const write = (request: AnswerRequest, answered: Answer, startedAt: number) => {
    const { method, target, address } = request;
    log.write({
      method,
      path: target.slice(0, maxPathLength).replace(/[?#].*/s, ''),
      ...sizeOf(answered, request),
      durationMs: performance.now() - startedAt,
      ...(address === undefined ? {} : { address }),
    });
    return answered;
  };
  return (request) => {
    const startedAt = performance.now();
    const answered = answer(request);
    return answered instanceof Promise
      ? answered.then((made) => write(request, made, startedAt))
      : write(request, answered, startedAt);
  };
}

function sizeOf(
  answer: Answer,
  { method, ifNoneMatch }: AnswerRequest,
): Pick<LoggedRequest, 'status' | 'bodyBytes'> {
  const isRepresentation = answer instanceof Representation;
  const status = isRepresentation ? (matchesTag(ifNoneMatch, answer.etag) ? 304 : 200) : answer.status;
  const bodyBytes = isRepresentation ? answer.bodyBytes : answer.body.length;
  return { status, bodyBytes: method === 'HEAD' || status === 304 ? 0 : bodyBytes };
}
