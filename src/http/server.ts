/**
 * Node's HTTP server with limits on its clients. It reads the requests, has them answered, and sends the responses. A small response is
 * written at once where its turn has come, which makes a cache hit cost a third less; everything else goes the way of Node.
 */
import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressUrl, type ListenAddress } from '../model/listen-address.ts';
import { ClientAddresses } from './client-addresses.ts';
import type { ErrorLog, LineStream } from './error-log.ts';
import { dateHeader, fieldLines, keepAliveSeconds } from './headers.ts';
import { BodyMemory } from './incoming-body.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { listenOn } from './listen-on.ts';
import { countRequest, type DropReason, dropped, openConnections } from './metrics.ts';
import { type Problem, problemResponse } from './problem.ts';
import { RateLimiter } from './rate-limit.ts';
import { ReceivedRequest } from './received-request.ts';
import { logRequest } from './request-log.ts';
import type { Response } from './response.ts';
import { sendStream } from './send-stream.ts';

/** Options of {@link HttpServer}. */
export interface HttpServerOptions extends ListenAddress {
  /** Rejects where the connection has to be closed without an answer. */
  readonly answer: (request: ReceivedRequest) => Response | Promise<Response>;
  /** Limits on clients, where they differ from the usual ones. */
  readonly limits?: Partial<Limits>;
  /** Time limits for clients, where they differ from the usual ones. */
  readonly timeouts?: Partial<Timeouts>;
  /** Called once, at the first `X-Forwarded-For` of a peer in a private network that is not trusted: it may be a proxy. */
  readonly onIgnoredProxy?: (peer: string) => void;
  /** Networks of proxies whose `X-Forwarded-For` counts, in CIDR notation. */
  readonly trustedProxies?: readonly string[];
  readonly errorLog: ErrorLog;
  /** The clock for readers of large responses, in milliseconds; that of the process unless given. */
  readonly now?: () => number;
  /** Destination of the log of requests; none where it is left out. */
  readonly requestLog?: LineStream | undefined;
}

/** Time limits for a client, in milliseconds. */
export interface Timeouts {
  /** To send the head of a request. */
  readonly headersMs: number;
  /** To send all of it. */
  readonly requestMs: number;
  /** To go on reading its response. */
  readonly sendMs: number;
}

const usualTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000, sendMs: 30_000 };

/** Limit on the head of a request. */
const maxHeadBytes = 32 * 1024;

/** Limit on the requests of a connection that are being answered or wait for that. */
const maxPending = 32;

/** Time limit of a stop for clients that do not read their responses. */
const stopTimeoutMs = 10_000;

/** Interval at which a stop closes idle connections. */
const sweepMs = 20;

/** Time for which a connection is still read before it is closed: a reset may outrun the answer (RFC 9112 9.6). */
const lingerMs = 2000;

/** Errors of Node's parser that are not simply malformed requests (400). */
const parserProblems: Readonly<Record<string, Problem>> = {
  HPE_HEADER_OVERFLOW: { kind: 'headers-too-large', detail: 'the request line and headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { kind: 'headers-too-large', detail: 'the chunk extensions are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { kind: 'request-timeout', detail: 'the request did not arrive in time' },
};
const connectRefused: Problem = {
  kind: 'method-not-offered',
  detail: 'CONNECT is not offered; this server is no proxy',
};
const malformedRequest: Problem = { kind: 'malformed-request', detail: 'the request is not valid HTTP/1.1' };

/** An open connection. */
interface Connection {
  /** Requests that are not answered yet. */
  readonly pending: Set<ReceivedRequest>;
  /** The request that was read last. */
  latest: IncomingMessage | undefined;
  /** True if what came behind the pending requests is no request. */
  isRefused: boolean;
}

/** A running server. Disposing of it finishes pending requests and stops. */
export class HttpServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #options: HttpServerOptions;
  readonly #limits: Limits;
  readonly #clients: ClientAddresses;
  readonly #shared: { readonly clients: ClientAddresses; readonly memory: BodyMemory };
  readonly #limiter: RateLimiter | undefined;
  readonly #connections = new Map<Socket, Connection>();
  /** Number of connections by address. */
  readonly #counts = new Map<string, number>();
  #closed: Promise<void> | undefined;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clients = new ClientAddresses(options.trustedProxies ?? [], options.onIgnoredProxy);
    this.#shared = { clients: this.#clients, memory: new BodyMemory() };
    const { maxConnections, requestsPerSecond } = this.#limits;
    const { headersMs, requestMs, sendMs } = { ...usualTimeouts, ...options.timeouts };
    this.#limiter = requestsPerSecond === undefined ? undefined : new RateLimiter(requestsPerSecond);
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
    this.#server.timeout = sendMs;
    // A client that closes its side still gets a small answer.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.on('drop', () => dropped.too_many.inc());
    // A response that takes long to be made is no fault of its client.
    this.#server.on('timeout', (socket) => {
      if (socket.writableLength > 0) this.#drop(socket, 'not_reading');
    });
    this.#server.on('connection', (socket) => this.#admit(socket));
    // An unknown expectation is ignored (RFC 9110 10.1.1).
    this.#server.on('checkExpectation', take);
    // `100 Continue` is sent when the body is read.
    this.#server.on('checkContinue', take);
    this.#server.on('clientError', (error, socket) => this.#refuse(socket as Socket, error));
    this.#server.on('connect', (message, socket) => {
      const { isSound } = new ReceivedRequest(message, new ServerResponse(message), this.#shared);
      this.#close(socket as Socket, isSound ? connectRefused : malformedRequest);
    });
  }

  /**
   * Starts to listen.
   * @throws AppError `unavailable` for an address that cannot be used.
   */
  static async start(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    await listenOn(server.#server, options);
    return server;
  }

  /** Address of the server, such as `http://127.0.0.1:8080`. */
  get url(): string {
    const { address: host, port } = this.#server.address() as AddressInfo;
    return addressUrl({ host, port });
  }

  /**
   * Accepts no new connections, and closes each after its next response. Resolves when all are closed, or after `maxMs`. The server
   * still has to be disposed of.
   */
  async drain(maxMs: number): Promise<void> {
    await Promise.race([this.#stopListening(), sleep(maxMs, undefined, { ref: false })]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(stopTimeoutMs);
  }

  /** Finishes pending requests and closes all connections, at the latest after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<void> {
    const timer = setTimeout(() => {
      // A response that is cut must not look whole.
      for (const socket of this.#connections.keys()) socket.resetAndDestroy();
    }, timeoutMs);
    const closed = this.#stopListening();
    // Connections become idle while the stop goes on.
    const sweep = setInterval(() => this.#server.closeIdleConnections(), sweepMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
  }

  /** Resolves when all connections are closed. */
  #stopListening(): Promise<void> {
    // The method of node:http would also close idle connections, on which a request may be on its way.
    this.#closed ??= new Promise((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    return this.#closed;
  }

  #admit(socket: Socket): void {
    const client = this.#clients.limitKey(socket.remoteAddress ?? '');
    const count = client === undefined ? 0 : (this.#counts.get(client) ?? 0);
    if (count >= this.#limits.maxConnectionsPerAddress) {
      this.#drop(socket, 'too_many_of_address');
      return;
    }
    if (client !== undefined) this.#counts.set(client, count + 1);
    openConnections.inc();
    const pending = new Set<ReceivedRequest>();
    this.#connections.set(socket, { pending, latest: undefined, isRefused: false });
    // Node listens for errors only while it reads requests, and one without a listener would end the process.
    socket.on('error', () => {});
    socket.on('close', () => {
      openConnections.dec();
      for (const request of pending) request.end();
      this.#connections.delete(socket);
      if (client === undefined) return;
      const left = (this.#counts.get(client) ?? 1) - 1;
      if (left === 0) this.#counts.delete(client);
      else this.#counts.set(client, left);
    });
  }

  #drop(socket: Socket, reason: DropReason): void {
    dropped[reason].inc();
    socket.destroy();
  }

  #take(message: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(message.socket);
    if (connection === undefined || message.socket.destroyed) return;
    connection.latest = message;
    const request = new ReceivedRequest(message, response, this.#shared);
    // The parser drops the bytes behind an `Upgrade` request, so the client sends them again.
    if (request.isUpgrade || !request.isSound || this.#closed !== undefined) response.shouldKeepAlive = false;
    if (this.#limiter !== undefined) request.retryAfterSeconds = this.#countRequest(request, this.#limiter);
    const answer = request.isSound ? this.#options.answer(request) : problemResponse(malformedRequest);
    if (!(answer instanceof Promise) && this.#sendAtOnce(request, answer)) return;
    const { pending } = connection;
    pending.add(request);
    response.once('close', () => {
      pending.delete(request);
      request.end();
      if (connection.isRefused && pending.size === 0) message.socket.destroySoon();
    });
    if (pending.size > maxPending) this.#drop(message.socket, 'pipelining');
    if (answer instanceof Promise) {
      request.skipBody();
      void answer.then(
        (made) => this.#send(request, made),
        () => message.socket.destroy(),
      );
    } else this.#send(request, answer);
  }

  #countRequest({ headers, message }: ReceivedRequest, limiter: RateLimiter): number | undefined {
    const client = this.#clients.limitKey(message.socket.remoteAddress ?? '', headers.forwardedFor);
    return client === undefined ? undefined : limiter.take(client);
  }

  /** Sends a small response in one write, if it is its turn and the client has taken everything before. */
  #sendAtOnce(request: ReceivedRequest, answer: Response): boolean {
    const { message, response } = request;
    const { socket } = response;
    const isPlain = answer.isJoined && response.shouldKeepAlive && message.method === 'GET';
    if (!isPlain || socket === null || socket.writableLength > 0) return false;
    this.#note(request, answer.status, answer.body.length);
    socket.write(answer.message(dateHeader()));
    // For Node the response is finished once it is written.
    const finish = () => response.emit('finish');
    if (socket.writableLength === 0) finish();
    else socket.write('', (error) => error == null && finish());
    request.end();
    return true;
  }

  #send(request: ReceivedRequest, answer: Response): void {
    const { message, response } = request;
    if (message.socket.destroyed || this.#sendAtOnce(request, answer)) return;
    if (this.#closed !== undefined) response.shouldKeepAlive = false;
    const { status, headers, contentLength, stream } = answer;
    response.writeHead(
      status,
      contentLength === undefined ? [...headers] : [...headers, 'Content-Length', contentLength],
    );
    const isHead = message.method === 'HEAD';
    if (stream === undefined || isHead) this.#note(request, status, isHead ? 0 : answer.body.length);
    if (isHead || (stream === undefined && answer.body.length === 0)) response.end();
    else if (stream !== undefined)
      void sendStream(response, stream, {
        now: this.#options.now ?? (() => performance.now()),
        onFailed: (error) => this.#options.errorLog.log(request.target, error),
        onCut: () => dropped.not_reading.inc(),
        onEnded: (bodyBytes) => this.#note(request, status, bodyBytes),
      });
    // Not ended at once: a connection whose response has ended counts as idle, and a stop would close it.
    else if (response.shouldKeepAlive || message.complete) response.write(answer.body, () => response.end());
    else endBehindRequest(response, answer.body);
  }

  /** Counts and logs a response. */
  #note({ method, target, receivedAt }: ReceivedRequest, status: number, bodyBytes: number): void {
    countRequest(status);
    const log = this.#options.requestLog;
    if (log !== undefined)
      logRequest(log, { method, target, status, bodyBytes, durationMs: performance.now() - receivedAt });
  }

  /** Answers what Node's parser refuses, unless other answers are still owed. */
  #refuse(socket: Socket, error: Error & { readonly code?: string }): void {
    // The parser refuses what comes behind, too.
    if (socket.writableEnded) return;
    const connection = this.#connections.get(socket);
    const problem = parserProblems[error.code ?? ''] ?? malformedRequest;
    // The fault may be in the body of a request that has been answered: a second response would be taken for that of the next one.
    if (error.code === 'ECONNRESET' || connection === undefined) socket.destroy();
    else if (connection.pending.size > 0) {
      connection.isRefused = true;
      for (const request of connection.pending) request.failBody(problem.kind, problem.detail);
    } else if (connection.latest?.complete === false) socket.destroySoon();
    else this.#close(socket, problem);
  }

  /** Closes a connection with a last response. */
  #close(socket: Socket, problem: Problem): void {
    const { status, headers, body } = problemResponse(problem);
    countRequest(status);
    if (this.#options.requestLog !== undefined)
      logRequest(this.#options.requestLog, { status, bodyBytes: body.length });
    const fields = [
      'Date',
      dateHeader(),
      ...headers,
      'Content-Length',
      String(body.length),
      'Connection',
      'close',
    ];
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fieldLines(fields)}\r\n${Buffer.from(body)}`);
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  }
}

/** Sends a body, and ends the response once the rest of its request has been read, or after a time. */
function endBehindRequest(response: ServerResponse, body: Uint8Array): void {
  response.write(body);
  const timer = setTimeout(() => response.end(), lingerMs);
  response.req.resume().once('close', () => {
    clearTimeout(timer);
    response.end();
  });
}
