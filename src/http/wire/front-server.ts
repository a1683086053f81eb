/** What stands before the router: it lets through GET and HEAD of a bearable length, and answers the rest. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { isKnownPath, openapiPath } from '../../api/routes.ts';
import { allowedMethods, type Problem, problem } from '../problem.ts';
import { keepAliveSeconds } from './headers.ts';
import { noteResponse, refuseConnect, refuseOnSocket } from './parser-errors.ts';
import { answerPlainRequests, type PlainAnswerer, type PlainConnections } from './plain-connections.ts';
import { sendNoContent, sendProblem } from './send.ts';

/** The longest request target, in bytes. */
export const maxUrlBytes = 8 * 1024;

/** Request line and headers together, in bytes: what the HTTP parser takes before it refuses. */
const maxHeadBytes = 32 * 1024;

/** Answers a request from memory, or gives false. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean;

/** The ways around the router. */
export interface ShortWays {
  readonly answersAtOnce: FastPath;
  readonly answersPlain: PlainAnswerer;
}

/** A server that hands to the router what only the router can answer. */
export function createFrontServer(router: RequestListener, ways: ShortWays): Server {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    noteResponse(response);
    // Who goes on asking while the server stops gets an answer and then a closed connection.
    if (!server.listening) response.shouldKeepAlive = false;
    if (ways.answersAtOnce(request, response) || isAnsweredEarly(request, response)) return;
    router(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: maxHeadBytes,
      // No header is required, not even Host.
      requireHostHeader: false,
      requestTimeout: 30_000,
      keepAliveTimeout: keepAliveSeconds * 1000,
      // A request without a body, which is nearly every one, needs no stream that would read it.
      optimizeEmptyRequests: true,
    },
    listener,
  );
  // A client that has said all it will say still gets its answer; Node would cut it off.
  Object.assign(server, { httpAllowHalfOpen: true });
  // An expectation that we do not know of is no reason not to answer (RFC 9110 10.1.1).
  server.on('checkExpectation', listener);
  // Nothing that a body says changes the answer, so nobody is told to go on and send it (RFC 9110 10.1.1).
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    listener(request, response);
  });
  server.on('clientError', refuseOnSocket);
  server.on('connect', refuseConnect);
  spareUnsentAnswers(server, answerPlainRequests(server, ways.answersPlain));
  return server;
}

/**
 * Node takes an answer for finished that is written but not yet sent, and a connection for idle that waits for
 * a slow client to take it: closing that would cut the answer off. So nothing is closed before all is sent.
 */
function spareUnsentAnswers(server: Server, plainConnections: PlainConnections): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const closeIdleConnections = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    plainConnections.closeIdle();
    if (sockets.values().every((socket) => socket.writableLength === 0)) closeIdleConnections();
  };
  const closeAllConnections = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    plainConnections.closeAll();
    closeAllConnections();
  };
}

function isAnsweredEarly(request: IncomingMessage, response: ServerResponse): boolean {
  const target = originForm(request.url ?? '/');
  request.url = target;
  if (target.length > maxUrlBytes) {
    const detail = `the request target may have ${maxUrlBytes} bytes, got ${target.length}`;
    sendProblem(response, problem('uri-too-long', detail));
    return true;
  }
  const { method = 'GET' } = request;
  if (method === 'GET' || method === 'HEAD') return false;
  const [path] = splitTarget(target);
  const isKnown = isKnownPath(path) || (path === '*' && method === 'OPTIONS');
  if (!isKnown) sendProblem(response, unknownPath(target));
  else if (method === 'OPTIONS') sendNoContent(response);
  else {
    const detail = `${method} is not offered here, only ${allowedMethods}`;
    sendProblem(response, problem('method-not-offered', detail));
  }
  return true;
}

/** A target in absolute form, which proxies send, without scheme and authority (RFC 9112 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?]*/i, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}

/** A request target as its path and its query, which lacks the question mark. */
export function splitTarget(target: string): readonly [path: string, query?: string] {
  const mark = target.indexOf('?');
  return mark === -1 ? [target] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** The answer where there is nothing. */
export function unknownPath(target: string): Problem {
  const [path] = splitTarget(target);
  return problem(
    'unknown-path',
    `there is nothing at ${path.slice(0, 200)}; ${openapiPath} lists every path`,
  );
}
