/**
 * Node's HTTP server with limits on its clients. It reads requests, has them answered, and sends the
 * responses. A small response is written directly if it is its turn, which makes a cache hit a third cheaper;
 * everything else goes through Node's response object.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../model/app-error.ts';
import { addressUrl, type ListenAddress } from '../runtime/listen-address.ts';
import { systemCode, userName } from '../runtime/system-faults.ts';
import { ClientAddresses, Counts, RateLimiter } from './clients.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { type ErrorLog, type LineStream, logRequest } from './logs.ts';
import { countRequest, type DropReason, dropped, openConnections } from './metrics.ts';
import { type ProblemDetails, problemResponse } from './problem.ts';
import { progressOf, Reader } from './reader.ts';
import { ReceivedRequest } from './request.ts';
import { dateHeader, fieldLines, type HttpResponse, keepAliveSeconds, maxJoinedBytes } from './response.ts';
import { lingerMs, sendResponse } from './send-response.ts';
import { Sending } from './sending.ts';

/** Options of {@link HttpServer}. */
export interface HttpServerOptions extends ListenAddress {
  /** Rejects if the connection must be closed without an answer. */
  readonly answer: (request: ReceivedRequest) => HttpResponse | Promise<HttpResponse>;
  /** Limits on clients that differ from the defaults. */
  readonly limits?: Partial<Limits>;
  /** Time limits for clients that differ from the defaults. */
  readonly timeouts?: Partial<Timeouts>;
  /**
   * Called once, at the first `X-Forwarded-For` of a peer in a private network that is not trusted: it may be
   * a proxy.
   */
  readonly onIgnoredProxy?: (peer: string) => void;
  /** Networks of proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustedProxies?: readonly string[];
  readonly errorLog: ErrorLog;
  /** Responses that are being sent; by default the server has its own. */
  readonly sending?: Sending;
  /** The clock for the reading speed of clients, in milliseconds; by default that of the process. */
  readonly now?: () => number;
  /** Destination of the log of requests; without it, there is none. */
  readonly requestLog?: LineStream | undefined;
  /** False for a listener whose requests and connections no metric counts. */
  readonly isCounted?: boolean;
}

/** Time limits for a client, in milliseconds. */
export interface Timeouts {
  /** To send the head of a request. */
  readonly headersMs: number;
  /** To send all of it. */
  readonly requestMs: number;
  /** To read its response, and to send the rest of its request, when the server stops. */
  readonly stopMs: number;
}

const usualTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000, stopMs: 10_000 };

/** Limit on the head of a request. */
const maxHeadBytes = 32 * 1024;

/** Limit on the unanswered requests of a connection. */
const maxPending = 32;

/** Interval at which a stop closes idle connections. */
const sweepMs = 20;

/** Interval at which clients with unread bytes are checked. */
const lookMs = 250;

/** Event of a message whose body turns out to be invalid HTTP, with its AppError. */
export const refusedEvent = 'refused';

/** Errors of Node's parser that are not simply malformed requests (400). */
const parserProblems: Readonly<Record<string, ProblemDetails>> = {
  HPE_HEADER_OVERFLOW: { kind: 'headers-too-large', detail: 'the request line and headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { kind: 'request-timeout', detail: 'the request did not arrive in time' },
};
const connectRefused: ProblemDetails = {
  kind: 'method-not-offered',
  detail: 'CONNECT is not offered; this server is no proxy',
};
const malformedRequest: ProblemDetails = {
  kind: 'malformed-request',
  detail: 'the request is not valid HTTP/1.1',
};

/** An open connection. */
interface Connection {
  /** Unanswered requests. */
  readonly pending: ReceivedRequest[];
  /** The request that was read last. */
  latest: IncomingMessage | undefined;
}

/**
 * A running server. Disposing of it finishes pending requests and closes all connections, within a time
 * limit.
 */
export class HttpServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #options: HttpServerOptions;
  readonly #limits: Limits;
  readonly #timeouts: Timeouts;
  readonly #clients: ClientAddresses;
  readonly #limiter: RateLimiter | undefined;
  readonly #isCounted: boolean;
  readonly #sending: Sending;
  readonly #now: () => number;
  readonly #connections = new Map<Socket, Connection>();
  /** Clients with unread bytes. */
  readonly #readers = new Map<Socket, Reader>();
  readonly #looks: NodeJS.Timeout;
  readonly #connectionsByClient = new Counts<string>();
  #closed: Promise<void> | undefined;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#timeouts = { ...usualTimeouts, ...options.timeouts };
    this.#isCounted = options.isCounted ?? true;
    this.#sending = options.sending ?? new Sending(this.#limits.maxSendingBytes);
    this.#now = options.now ?? (() => performance.now());
    this.#looks = setInterval(() => this.#look(), lookMs).unref();
    this.#clients = new ClientAddresses(options.trustedProxies ?? [], options.onIgnoredProxy);
    const { maxConnections, requestsPerSecond } = this.#limits;
    const { headersMs, requestMs } = this.#timeouts;
    this.#limiter = requestsPerSecond === 0 ? undefined : new RateLimiter(requestsPerSecond);
    const take = (message: IncomingMessage, response: ServerResponse) => this.#take(message, response);
    this.#server = createServer(
      {
        maxHeaderSize: maxHeadBytes,
        // No header is required, not even Host.
        requireHostHeader: false,
        headersTimeout: Math.min(headersMs, requestMs),
        requestTimeout: requestMs,
        connectionsCheckingInterval: Math.ceil(headersMs / 3),
        keepAliveTimeout: keepAliveSeconds * 1000,
        // A request without a body needs no stream for one.
        optimizeEmptyRequests: true,
      },
      take,
    );
    this.#server.maxConnections = maxConnections;
    // A client that closes its sending side still gets a small answer.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.on('drop', () => this.#countDropped('too_many'));
    this.#server.on('connection', (socket) => this.#admit(socket));
    // An unknown expectation is ignored (RFC 9110 10.1.1).
    this.#server.on('checkExpectation', take);
    // `100 Continue` is sent when the body is read.
    this.#server.on('checkContinue', take);
    this.#server.on('clientError', (error: Error & { readonly code?: string }, socket) => {
      if (error.code === 'ECONNRESET') socket.destroy();
      else this.#refuse(socket as Socket, parserProblems[error.code ?? ''] ?? malformedRequest);
    });
    this.#server.on('connect', ({ headersDistinct: { host = [] } }, socket) =>
      this.#refuse(socket as Socket, host.length > 1 ? malformedRequest : connectRefused),
    );
  }

  /**
   * Starts to listen.
   * @throws AppError `unavailable` for an address that cannot be used.
   */
  static async start(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    const { host, port, fd } = options;
    server.#server.listen(fd === undefined ? { host, port } : { fd });
    try {
      await once(server.#server, 'listening');
    } catch (error) {
      throw unusableAddress(options, error);
    }
    return server;
  }

  /** Address of the server, such as `http://127.0.0.1:8080`. */
  get url(): string {
    const address = this.#server.address() as AddressInfo | string;
    if (typeof address === 'string') return `unix:${address}`;
    return addressUrl({ host: address.address, port: address.port });
  }

  /**
   * Accepts no new connections, and closes each after its next response. Resolves when all are closed, or
   * after `maxMs`. The server must still be disposed of.
   */
  async drain(maxMs: number): Promise<void> {
    await Promise.race([this.#stopListening(), sleep(maxMs, undefined, { ref: false })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setTimeout(() => {
      // A truncated response must not look complete.
      for (const socket of this.#connections.keys()) socket.resetAndDestroy();
    }, this.#timeouts.stopMs);
    const closed = this.#stopListening();
    // Connections become idle during the stop.
    const sweep = setInterval(() => this.#server.closeIdleConnections(), sweepMs);
    await closed;
    clearInterval(sweep);
    clearInterval(this.#looks);
    clearTimeout(timer);
  }

  /** Resolves when all connections are closed. */
  #stopListening(): Promise<void> {
    // The method of node:http would also close idle connections, to which a request may be on its way.
    this.#closed ??= new Promise((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    return this.#closed;
  }

  #admit(socket: Socket): void {
    const client = this.#clients.limitKey(socket.remoteAddress ?? '');
    if (client !== undefined) {
      if (this.#connectionsByClient.of(client) >= this.#limits.maxConnectionsPerAddress) {
        this.#drop(socket, 'too_many_of_address');
        return;
      }
      this.#connectionsByClient.add(client);
    }
    if (this.#isCounted) openConnections.inc();
    const pending: ReceivedRequest[] = [];
    this.#connections.set(socket, { pending, latest: undefined });
    // Node listens for errors only while it reads requests, and one without a listener would end the process.
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#isCounted) openConnections.dec();
      if (client !== undefined) this.#connectionsByClient.add(client, -1);
      for (const request of pending) request.end();
      this.#connections.delete(socket);
      this.#readers.delete(socket);
    });
  }

  #drop(socket: Socket, reason: DropReason): void {
    this.#countDropped(reason);
    // A reset frees what the kernel holds for the client, and nobody takes the response for complete.
    if (reason === 'not_reading') socket.resetAndDestroy();
    else socket.destroy();
  }

  #countDropped(reason: DropReason): void {
    if (this.#isCounted) dropped[reason].inc();
  }

  #take(message: IncomingMessage, response: ServerResponse): void {
    const { socket } = message;
    const connection = this.#connections.get(socket);
    if (connection === undefined || socket.destroyed) return;
    connection.latest = message;
    const request = new ReceivedRequest(message, response, this.#clients);
    const { isSound, headers } = request;
    // The parser drops the bytes behind an `Upgrade` request, so the client sends them again.
    if (headers.upgrade !== undefined || !isSound || this.#closed !== undefined)
      response.shouldKeepAlive = false;
    // A preflight is no request of its own.
    if (this.#limiter !== undefined && request.method !== 'OPTIONS') {
      const client = this.#clients.limitKey(socket.remoteAddress ?? '', headers['x-forwarded-for']);
      if (client !== undefined) request.rateRefusal = this.#limiter.take(client);
    }
    const answer = isSound ? this.#options.answer(request) : problemResponse(malformedRequest);
    if (!(answer instanceof Promise) && this.#sendAtOnce(request, answer)) return;
    const { pending } = connection;
    keep(request, pending);
    if (pending.length > maxPending) this.#drop(socket, 'pipelining');
    if (answer instanceof Promise) {
      // The end of the connection only shows after a body has been read.
      if (message.readableFlowing === null) message.resume();
      void answer.then(
        (made) => this.#send(request, made),
        () => socket.destroy(),
      );
    } else this.#send(request, answer);
  }

  /** Sends a small response in one write, if it is its turn and the client has read everything before it. */
  #sendAtOnce(request: ReceivedRequest, answer: HttpResponse): boolean {
    const { message, response } = request;
    const { socket } = response;
    const isPlain = answer.isJoined && response.shouldKeepAlive && message.method === 'GET';
    if (!isPlain || socket === null || socket.writableLength > 0) return false;
    this.#note(request, answer.status, answer.bodyBytes);
    answer.writeTo(socket, dateHeader());
    // For Node the response is finished once it is written.
    const finish = () => response.emit('finish');
    if (socket.writableLength === 0) finish();
    else {
      socket.write('', (error) => error == null && finish());
      const { pending } = this.#connections.get(socket) ?? {};
      if (pending?.includes(request) === false) keep(request, pending);
      this.#hold(request, answer, this.#readerOf(socket));
    }
    return true;
  }

  #send(request: ReceivedRequest, answer: HttpResponse): void {
    const { message, response } = request;
    const { socket } = message;
    if (socket.destroyed || this.#sendAtOnce(request, answer)) return;
    if (this.#closed !== undefined) response.shouldKeepAlive = false;
    const reader = this.#readerOf(socket);
    sendResponse(request, answer, {
      onFailed: (error) => this.#options.errorLog.log(request.target, error),
      onStream: (isStream) => reader.begin({ isStream, now: this.#now() }),
      onSent: (bodyBytes) => this.#note(request, answer.status, bodyBytes),
    });
    // Node writes at the end of this turn.
    process.nextTick(() => this.#hold(request, answer, reader));
  }

  #readerOf(socket: Socket): Reader {
    return this.#readers.get(socket) ?? new Reader(() => progressOf(socket), this.#now());
  }

  /** Counts a response that its client has not read at once, and checks the client from now on. */
  #hold(request: ReceivedRequest, { body, bodyBytes, stream }: HttpResponse, reader: Reader): void {
    const { message, response } = request;
    const { socket } = message;
    const isTaken = response.writableFinished || (response.socket !== null && !reader.isWaitedFor);
    if (socket.destroyed || (isTaken && stream === undefined)) return;
    this.#readers.set(socket, reader);
    // A large body is held already.
    const isHeld = this.#sending.hold(bodyBytes > maxJoinedBytes ? new Uint8Array(0) : body, request);
    if (!isHeld) this.#drop(socket, 'not_reading');
  }

  /** Drops clients that do not read, and forgets those that have read everything. */
  #look(): void {
    const now = this.#now();
    for (const [socket, reader] of this.#readers) {
      if (!reader.look(now)) this.#drop(socket, 'not_reading');
      else if (!reader.isWaitedFor && this.#connections.get(socket)?.pending.length === 0)
        this.#readers.delete(socket);
    }
  }

  /** Counts and logs a response. */
  #note({ method, target, receivedAt }: ReceivedRequest, status: number, bodyBytes: number): void {
    if (this.#isCounted) countRequest(status);
    const log = this.#options.requestLog;
    if (log !== undefined)
      logRequest(log, { method, target, status, bodyBytes, durationMs: performance.now() - receivedAt });
  }

  /** Rejects invalid input; closes the connection after pending responses, or after an error response. */
  #refuse(socket: Socket, problem: ProblemDetails): void {
    const connection = this.#connections.get(socket);
    // The parser reports every later byte again.
    if (connection === undefined || socket.writableEnded) return;
    const owed = connection.pending.slice();
    for (const { message } of owed)
      if (!message.complete) message.emit(refusedEvent, new AppError(problem.kind, problem.detail));
    const last = owed.at(-1);
    if (last !== undefined) last.response.once('close', () => socket.destroySoon());
    // The fault is in the body of an answered request: the client would take a second response for that of
    // its next request.
    else if (connection.latest?.complete === false) socket.destroySoon();
    else this.#close(socket, problemResponse(problem));
  }

  #close(socket: Socket, { status, headers, body }: HttpResponse): void {
    if (this.#isCounted) countRequest(status);
    if (this.#options.requestLog !== undefined)
      logRequest(this.#options.requestLog, { status, bodyBytes: body.length });
    const lines = fieldLines([
      ...['Date', dateHeader(), ...headers, 'Content-Length', String(body.length)],
      ...['Connection', 'close'],
    ]);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${Buffer.from(body)}`);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  }
}

/**
 * Keeps a request among those of its connection until its response has been read, or the connection is
 * closed.
 */
function keep(request: ReceivedRequest, pending: ReceivedRequest[]): void {
  pending.push(request);
  request.response.once('close', () => {
    pending.splice(pending.indexOf(request), 1);
    request.end();
  });
}

/** Explains why listening failed; an error without a code is a bug and stays as it is. */
function unusableAddress({ host, port }: ListenAddress, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const reason =
    code === 'EACCES'
      ? `${userName()} may not use port ${port}: take one above 1023, behind a proxy, allow it with ` +
        'AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit, or have systemd hand over the socket'
      : (error as Error).message;
  return new AppError('unavailable', `cannot listen on ${host}:${port}: ${reason}`, { cause: error });
}
