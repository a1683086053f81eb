/**
 * One connection of a client. Requests are answered one at a time, in order. Pipelined requests wait. It is always read, since the end of
 * what a client sends shows only there. A client that does not read its response is dropped, and so is one with too many requests ahead.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer, Answerer, Waiter } from '../answer.ts';
import { countRequest, type DropReason, dropped } from '../metrics.ts';
import type { Notice, Problem } from '../problem.ts';
import { StreamedAnswer } from '../streamed-answer.ts';
import { type ClientAddresses, clientNetwork } from './client-addresses.ts';
import { headLines } from './headers.ts';
import { type BodyMemory, IncomingBody } from './incoming-body.ts';
import { STATUS_CODES } from './node-http.ts';
import { malformedRequest } from './parser-errors.ts';
import type { RateLimiter, RateState } from './rate-limit.ts';
import { RequestHead } from './request-head.ts';
import { findHeaders, type RequestHeaders } from './request-headers.ts';
import { type AnswerResponse, hasUnreadBody, lingerMs, type SendOptions } from './response.ts';

/** Number of pipelined requests that wait, on all connections together. */
interface WaitingRequests {
  count: number;
}

/** Limit on them: they take about 60 MB with Node's objects for each. */
const maxWaiting = 20_000;

/** Limit on those of one connection: as many as a packet may bring, so that no client of others is dropped for one that sends more. */
const maxWaitingOfConnection = 4096;

/** Number of pipelined requests of a connection that are answered before other connections get a turn. */
const maxAtOnce = 32;

/** Options that all connections of a server share. */
interface ConnectionOptions extends SendOptions {
  readonly answer: Answerer;
  /** Makes the notice for a request that could not be parsed, and logs it. */
  readonly unreadable: (problem: Problem) => Notice;
  readonly isStopping: () => boolean;
  readonly waiting: WaitingRequests;
  /** Undefined without a rate limit. */
  readonly limiter: RateLimiter | undefined;
  readonly clients: ClientAddresses;
  /** True if requests carry the address of their client. */
  readonly namesClients: boolean;
  /** Limit on the bodies that are read; 0 for a server that takes none. */
  readonly maxBodyBytes: number;
  readonly bodyMemory: BodyMemory;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: AnswerResponse;
}

/** A connection with its pending requests. */
export class Connection implements Waiter {
  /** The request head that is being read. */
  readonly head: RequestHead;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #waiting: Exchange[] = [];
  #isBusy = false;
  #atOnceCount = 0;
  /** The last response, after which the connection is closed because its bytes cannot be parsed. */
  #refusal: Notice | undefined;
  /** Time of the latest progress of the response that is being sent, by `performance.now()`. */
  #progressAt: number | undefined;
  #onSent: (() => void) | undefined;
  /** The header of that name of the request that is being answered. */
  #forwardedFor: string | undefined;
  #isStreaming = false;
  /** The body of the request that is being answered. */
  #body: IncomingBody | undefined;
  readonly #noteProgress = () => {
    this.#progressAt = performance.now();
  };

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.head = new RequestHead(socket);
    // The server listens for errors only while it reads requests. An error without a listener would end the process.
    socket.on('error', () => {});
    socket.on('close', () => {
      options.waiting.count -= this.#waiting.length;
      this.#waiting.length = 0;
    });
  }

  get isGone(): boolean {
    return this.#socket.destroyed;
  }

  get isHalfClosed(): boolean {
    return this.#socket.readableEnded;
  }

  get network(): string {
    return clientNetwork(this.#addressOf(this.#forwardedFor));
  }

  /** A stream is reset: in HTTP/1.0 its end is that of the connection. */
  cut(): void {
    // Node cannot reset a connection that it is closing already; then the whole stream has been written.
    if (this.#isStreaming && !this.#socket.writableEnded) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  whenSent(callback: () => void): void {
    this.#onSent = callback;
  }

  /** Accepts a request, and answers it after those before it. */
  take(request: IncomingMessage, response: AnswerResponse): void {
    this.head.end(request);
    if (!this.#isBusy && this.#waiting.length === 0) {
      this.#answer(request, response);
      return;
    }
    // The parser still reads what had arrived before the connection was closed.
    if (this.#socket.destroyed) return;
    if (this.#options.waiting.count >= maxWaiting || this.#waiting.length >= maxWaitingOfConnection) {
      this.#drop('pipelining');
      return;
    }
    this.#options.waiting.count++;
    this.#waiting.push({ request, response });
  }

  /** Closes the connection with a last response, after those that are pending. */
  refuse(notice: Notice): void {
    // The response to a request whose body is being read says what is wrong with that. Behind a whole body it is another request.
    const body = this.#body?.isWhole === true ? undefined : this.#body;
    if (notice.status === 408 && body?.fail('request-timeout', 'the request did not arrive in time')) return;
    if (body?.fail('malformed-request', malformedRequest.detail)) return;
    if (this.#refusal !== undefined) return;
    this.#refusal = notice;
    if (!this.#isBusy && this.#waiting.length === 0) this.#closeWith(notice);
  }

  /** Drops the connection if its response has made no progress since a time, by `performance.now()`. */
  dropIfStuck(since: number): void {
    if (this.#progressAt === undefined || this.#progressAt > since) return;
    this.#drop('not_reading');
  }

  #drop(reason: DropReason): void {
    dropped[reason].inc();
    this.cut();
  }

  #answer(request: IncomingMessage, response: AnswerResponse): void {
    this.#isBusy = true;
    const { method = '', url: target = '' } = request;
    const found = findHeaders(request.rawHeaders);
    const { accept, acceptEncoding, forwardedFor, host, ifNoneMatch, upgrade } = found;
    this.#forwardedFor = forwardedFor;
    // The parser drops the bytes after an `Upgrade` request, so the connection is closed and the client sends them again.
    if (upgrade !== undefined) response.shouldKeepAlive = false;
    const { limiter, namesClients } = this.#options;
    const rate = limiter === undefined ? undefined : this.#countRequest(forwardedFor);
    const address = namesClients ? this.#addressOf(forwardedFor) : undefined;
    if (rate !== undefined) response.extraHeaders = rate.headers;
    if (!isSound(request, found)) {
      response.shouldKeepAlive = false;
      this.#send(response, this.#options.unreadable(malformedRequest), undefined);
      return;
    }
    const { maxBodyBytes: maxBytes, bodyMemory: memory } = this.#options;
    const body =
      maxBytes > 0 ? new IncomingBody(request, { client: this.network, maxBytes, memory }) : undefined;
    this.#body = body;
    const asked = {
      method,
      target,
      accept,
      acceptEncoding,
      host,
      ifNoneMatch,
      rate,
      address,
      body,
      waiter: this,
    };
    const answer = this.#options.answer(asked);
    if (answer instanceof Promise) {
      // An unread body would stop the reading of the connection.
      if (body === undefined && (found.contentLength ?? found.transferEncoding) !== undefined)
        request.resume();
      void answer.then((made) => this.#send(response, made, ifNoneMatch));
    } else this.#send(response, answer, ifNoneMatch);
  }

  /** Counts a request against the rate limit of its client; undefined for a client without one. */
  #countRequest(forwardedFor: string | undefined): RateState | undefined {
    const { limiter, clients } = this.#options;
    const client = clients.limitKey(this.#socket.remoteAddress ?? '', forwardedFor);
    return client === undefined ? undefined : limiter?.take(client);
  }

  #addressOf(forwardedFor: string | undefined): string {
    return this.#options.clients.find(this.#socket.remoteAddress ?? '', forwardedFor);
  }

  #send(response: AnswerResponse, answer: Answer, ifNoneMatch: string | undefined): void {
    const onSent = this.#onSent;
    this.#onSent = undefined;
    // A client that goes on sending a body that nobody wants is not waited for.
    if (this.#body !== undefined && hasUnreadBody(response.req)) response.shouldKeepAlive = false;
    this.#body = undefined;
    const isStream = answer instanceof StreamedAnswer;
    if (this.#socket.destroyed) {
      if (isStream) void answer[Symbol.asyncDispose]();
      onSent?.();
      return;
    }
    this.#isStreaming = isStream;
    // A client that sends more requests while the server stops gets its responses, and then the connection is closed.
    if (this.#options.isStopping() && this.#waiting.length === 0) response.shouldKeepAlive = false;
    if (response.send(answer, ifNoneMatch, this.#options)) {
      onSent?.();
      this.#atOnceCount = (this.#atOnceCount + 1) % maxAtOnce;
      if (this.#atOnceCount === 0) setImmediate(() => this.#finish());
      else this.#finish();
      return;
    }
    // Streams have limits of their own.
    if (!isStream) this.#noteProgress();
    response.on('progress', this.#noteProgress);
    response.once('close', () => {
      onSent?.();
      this.#finish();
    });
  }

  #finish(): void {
    this.#progressAt = undefined;
    this.#isBusy = false;
    // Not at once, so that a client with a thousand pipelined requests leaves turns to others.
    if (this.#waiting.length > 0 || this.#refusal !== undefined) setImmediate(() => this.#next());
  }

  #next(): void {
    if (this.#isBusy || this.#socket.destroyed) return;
    const exchange = this.#waiting.shift();
    if (exchange !== undefined) {
      this.#options.waiting.count--;
      this.#answer(exchange.request, exchange.response);
    } else if (this.#refusal !== undefined) this.#closeWith(this.#refusal);
  }

  #closeWith(notice: Notice): void {
    // The fault is in the body of a request that has been answered. A second response would be taken for that of the next request.
    const { latest } = this.head;
    const isAnswered = latest !== undefined && hasUnreadBody(latest);
    if (!isAnswered) countRequest(notice.status);
    this.#noteProgress();
    const message = isAnswered ? '' : messageOf(notice, this.#options);
    this.#socket.end(message, () => this.#linger());
  }

  /** A connection that is closed with unread bytes is reset, and the reset may outrun the answer (RFC 9112 9.6). */
  #linger(): void {
    if (this.#options.isStopping()) {
      this.#socket.destroy();
      return;
    }
    const timer = setTimeout(() => this.#socket.destroy(), lingerMs);
    this.#socket.once('close', () => clearTimeout(timer));
  }
}

/**
 * Checks what the parser lets through: the version must be one that we speak, which a line without a version has not; HTTP/1.0 has no
 * chunks (RFC 9112 6.1), so a proxy may read the end of the body elsewhere; one `Host` at most may be there (RFC 9112 3.2), because a
 * proxy may go by the other.
 */
export function isSound({ httpVersion, headers }: IncomingMessage, { secondHost }: RequestHeaders): boolean {
  if (secondHost !== undefined) return false;
  if (httpVersion === '1.1') return true;
  return httpVersion === '1.0' && headers['transfer-encoding'] === undefined;
}

/** Renders a notice as a message, for a connection without a response object. */
function messageOf({ status, headers, body }: Notice, { commonHeaders, dates }: SendOptions): string {
  const length = ['Content-Length', String(body.length), 'Connection', 'close'];
  const fields = ['Date', dates.now(), ...commonHeaders, ...headers, ...length];
  return `${headLines(`${status} ${STATUS_CODES[status] ?? ''}`, fields)}${body}`;
}
