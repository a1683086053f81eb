/** The log of requests: one line each, without addresses unless they are wanted. */
import type { Answer, Answerer, AnswerRequest } from '../answer.ts';
import { matchesTag } from '../cache/entity-tag.ts';
import { Representation } from '../representation.ts';
import { StreamedAnswer } from '../streamed-answer.ts';
import type { LineStream } from './error-log.ts';

/** A request and its response. */
export interface LoggedRequest {
  /** Left out, like the path, if the request could not be parsed. */
  readonly method?: string;
  /** Path of the target, at most 200 characters, without the query, which may contain secrets. */
  readonly path?: string;
  readonly status: number;
  /** Size of the body as it is sent. */
  readonly bodyBytes: number;
  /** Time from the request to its response; of a response that is sent as it is made, to its end. */
  readonly durationMs?: number;
  /** Address of the client, if the log has addresses. */
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

/** Wraps an answerer so that every response is logged, a stream when it has ended. */
export function loggingAnswerer(answer: Answerer, log: RequestLog): Answerer {
  const write = (request: AnswerRequest, answered: Answer, startedAt: number) => {
    if (answered instanceof StreamedAnswer) answered.whenEnded(() => writeLine(request, answered, startedAt));
    else writeLine(request, answered, startedAt);
    return answered;
  };
  const writeLine = (request: AnswerRequest, answered: Answer, startedAt: number) => {
    const { method, target, address } = request;
    log.write({
      method,
      path: target.slice(0, maxPathLength).replace(/[?#].*/s, ''),
      ...sizeOf(answered, request),
      durationMs: performance.now() - startedAt,
      ...(address === undefined ? {} : { address }),
    });
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
  const isRepresentation = answer instanceof Representation || answer instanceof StreamedAnswer;
  const status = isRepresentation ? (matchesTag(ifNoneMatch, answer.etag) ? 304 : 200) : answer.status;
  const bodyBytes = isRepresentation ? answer.bodyBytes : answer.body.length;
  return { status, bodyBytes: method === 'HEAD' || status === 304 ? 0 : bodyBytes };
}
