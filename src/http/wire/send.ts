/** Answers written to a response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CodedAnswer } from '../cache/representation.ts';
import { allowedMethods, type Problem } from '../problem.ts';
import { matchesTag } from './conditional.ts';
import { commonHeaders, httpDate, preflightHeaders } from './headers.ts';
import { countRequest, tally } from './serving-counter.ts';

/** A good answer as it is sent. */
export interface SentAnswer {
  readonly coded: CodedAnswer;
  /** How long ago it was last known to be right, for the Age header (RFC 9111 5.1); 0 for now. */
  readonly ageSeconds: number;
}

/** Sends a good answer, or 304 where the client has it already. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, sent: SentAnswer): void {
  const { coded, ageSeconds } = sent;
  const ifNoneMatch = request.headers['if-none-match'];
  const socket = ageSeconds === 0 ? writableSocket(request, response) : undefined;
  if (socket !== undefined) {
    writeAnswer(socket, coded, ifNoneMatch);
    // To the server this response is now finished, and the next request on the connection can be read.
    response.emit('finish');
    return;
  }
  const { message, etag } = coded;
  const age = ageSeconds === 0 ? [] : ['age', String(ageSeconds)];
  if (matchesTag(ifNoneMatch, etag)) {
    countRequest(304);
    response.writeHead(304, [...message.notModifiedHeaders, ...age]).end();
  } else {
    countRequest(200);
    if (request.method !== 'HEAD') tally.bodyBytes += message.bodyBytes;
    response.writeHead(200, [...message.headers, ...age]).end(message.body);
  }
}

/** Writes the whole message of a good answer, or of 304, to a connection that stays open. */
export function writeAnswer(socket: Socket, coded: CodedAnswer, ifNoneMatch: string | undefined): void {
  const { message, etag } = coded;
  if (matchesTag(ifNoneMatch, etag)) {
    countRequest(304);
    message.writeNotModifiedTo(socket, httpDate());
  } else {
    countRequest(200);
    tally.bodyBytes += message.bodyBytes;
    message.writeTo(socket, httpDate());
  }
}

/**
 * The socket, where a whole message may be written to it directly. That takes a third off the cost of a
 * request, and is right only for a response whose turn it is, on a connection that stays open, and that has
 * taken all that was written before: then nothing is out of order and nothing piles up.
 */
function writableSocket(request: IncomingMessage, response: ServerResponse): Socket | undefined {
  const { socket } = response;
  const isDirect =
    socket !== null && response.shouldKeepAlive && request.method === 'GET' && socket.writableLength === 0;
  return isDirect ? socket : undefined;
}

/** Sends an error answer. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  countRequest(problem.status);
  const headers = { ...commonHeaders, ...problem.headers, 'content-length': problem.body.length };
  response.writeHead(problem.status, headers).end(problem.body);
}

/** Answers OPTIONS, a CORS preflight or not. */
export function sendNoContent(response: ServerResponse): void {
  countRequest(204);
  response.writeHead(204, { ...commonHeaders, ...preflightHeaders, allow: allowedMethods }).end();
}
