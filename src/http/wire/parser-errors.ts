/** Error answers to what the HTTP parser itself refuses: there is no response object yet, only the socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Problem, type ProblemKind, problem } from '../problem.ts';
import { commonHeaders } from './headers.ts';
import { countRequest } from './serving-counter.ts';

// The latest response of a connection; the ones before it are finished first.
const latestResponses = new WeakMap<Duplex, ServerResponse>();
const refusedSockets = new WeakSet<Duplex>();

/** Tells of every response that is begun, so that a refusal never comes between it and its request. */
export function noteResponse(response: ServerResponse): void {
  latestResponses.set(response.req.socket, response);
}

/** Answers, once the requests before it are answered, and closes the connection; a dead one is just closed. */
export function refuseOnSocket(error: Error, socket: Duplex): void {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // The parser complains again about every packet that follows.
  if (refusedSockets.has(socket)) return;
  const [kind, detail] = refusal(code, error);
  refuse(socket, problem(kind, detail));
}

/** Answers CONNECT, for which the parser hands over the bare socket: this is no proxy. */
export function refuseConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuse(socket, problem('method-not-offered', 'CONNECT is not offered; this server is no proxy'));
}

function refuse(socket: Duplex, refused: Problem): void {
  refusedSockets.add(socket);
  const response = latestResponses.get(socket);
  if (response === undefined || response.destroyed) close(socket, refused, response);
  else response.once('close', () => close(socket, refused, response));
}

function close(socket: Duplex, refused: Problem, latest: ServerResponse | undefined): void {
  // What broke is the body of a request that has its answer: a second one would be taken for the next one's.
  const isAnswered = latest !== undefined && isUnread(latest.req);
  if (!isAnswered) countRequest(refused.status);
  socket.end(isAnswered ? '' : responseText(refused), () => socket.destroy());
}

/** Whether some of the request's body has not been read; of a request without one nothing is said. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);
}

function refusal(code: string, error: Error): readonly [ProblemKind, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isInRequestLine(error)
        ? ['uri-too-long', 'the request target is too long']
        : ['headers-too-large', 'the request headers are too large'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['headers-too-large', 'the chunk extensions of the request body are too large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request-timeout', 'the request did not arrive in time'];
    default:
      return ['malformed-request', 'the request is not valid HTTP/1.1'];
  }
}

/**
 * Whether the parser gave up before the request line had ended, told by the last packet up to there: a target
 * has no space and no line end, headers nearly always have.
 */
function isInRequestLine(error: Error): boolean {
  if (!('rawPacket' in error && error.rawPacket instanceof Uint8Array)) return false;
  const parsedBytes = 'bytesParsed' in error ? Number(error.bytesParsed) : error.rawPacket.length;
  const parsed = Buffer.from(error.rawPacket.subarray(0, parsedBytes)).toString('latin1');
  return /^(?:[A-Z]+ )?[^ \n]*$/.test(parsed);
}

function responseText({ status, headers, body }: Problem): string {
  const fields = { ...commonHeaders, ...headers, 'content-length': body.length, connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};
