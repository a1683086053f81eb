/** Node's HTTP server, which reads the requests that connections answer. */
import type { IncomingMessage, Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { ListenAddress } from '../../model/listen-address.ts';
import type { Answerer } from '../answer.ts';
import type { Limits, Timeouts } from '../limits.ts';
import type { RequestLog } from '../log/request-log.ts';
import { dropped } from '../metrics.ts';
import { type Notice, type Problem, problemNotice } from '../problem.ts';
import type { ClientAddresses } from './client-addresses.ts';
import { Connection, isSound } from './connection.ts';
import { ConnectionLimits } from './connection-limits.ts';
import { DateHeader, keepAliveSeconds } from './headers.ts';
import { BodyMemory } from './incoming-body.ts';
import { listenOn } from './listen-on.ts';
import { createServer } from './node-http.ts';
import { malformedRequest, type RequestLine } from './parser-errors.ts';
import { RateLimiter } from './rate-limit.ts';
import { maxHeadBytes } from './request-head.ts';
import { findHeaders } from './request-headers.ts';
import { AnswerResponse } from './response.ts';

/** Time limit of a stop for clients that do not read their responses. */
const stopTimeoutMs = 10_000;

/** Interval at which a stop closes idle connections. */
const stopSweepMs = 20;

/** Limit of the turns in which a stop accepts connections, for clients that never cease to open more. */
const maxAcceptTurns = 1024;

/** A turn of the event loop that is shorter had nothing to do but to look for connections. */
const maxIdleTurnMs = 0.05;

/** Time in which a stop looks for such a turn; a busy server may have none. */
const maxIdleSearchMs = 250;

/** Options of {@link Listener}. */
interface ListenerOptions {
  readonly answer: Answerer;
  /** Headers of every error, as names and values in turn. */
  readonly commonHeaders: readonly string[];
  readonly timeouts: Timeouts;
  readonly limits: Limits;
  readonly clients: ClientAddresses;
  readonly log: RequestLog | undefined;
  /** Limit on the bodies of requests, for a server that reads them. */
  readonly maxBodyBytes?: number;
  /** True if requests carry the address of their client, whatever the log has. */
  readonly namesClients?: boolean;
}

/** The server on one address, with its connections. */
export class Listener {
  readonly #server: Server<typeof IncomingMessage, typeof AnswerResponse>;
  readonly #connections = new Map<Socket, Connection>();
  readonly #options: ListenerOptions;
  readonly #waiting = { count: 0 };
  readonly #bodyMemory = new BodyMemory();
  readonly #dates = new DateHeader();
  readonly #connectionLimits: ConnectionLimits;
  readonly #limiter: RateLimiter | undefined;
  #sendTimer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #acceptedCount = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const { limits, clients } = options;
    const { requestMs } = options.timeouts;
    const headerMs = Math.min(options.timeouts.headerMs, requestMs);
    this.#connectionLimits = new ConnectionLimits(limits, clients);
    const { requestsPerSecond } = limits;
    this.#limiter = requestsPerSecond === undefined ? undefined : new RateLimiter(requestsPerSecond);
    const take = (request: IncomingMessage, response: AnswerResponse) =>
      this.#connections.get(request.socket)?.take(request, response);
    this.#server = createServer(
      {
        ServerResponse: AnswerResponse,
        maxHeaderSize: maxHeadBytes,
        // No header is required, not even Host.
        requireHostHeader: false,
        headersTimeout: headerMs,
        requestTimeout: requestMs,
        connectionsCheckingInterval: Math.ceil(headerMs / 3),
        keepAliveTimeout: keepAliveSeconds * 1000,
        // A request that needs no stream for its body gets none; one that was read would never end.
        optimizeEmptyRequests: this.#maxBodyBytes === 0,
      },
      take,
    );
    // Node would close the connection when a client closes its sending side, before the response.
    Object.assign(this.#server, { httpAllowHalfOpen: true });
    this.#server.on('connection', (socket) => this.#connect(socket));
    // An unknown expectation is ignored (RFC 9110 10.1.1).
    this.#server.on('checkExpectation', take);
    // Where the response does not depend on the body, `100 Continue` is not sent (RFC 9110 10.1.1).
    this.#server.on('checkContinue', (request, response) => {
      const isRead = Number(request.headers['content-length'] ?? 0) <= this.#maxBodyBytes;
      if (this.#maxBodyBytes > 0 && isRead) response.writeContinue();
      else response.shouldKeepAlive = false;
      take(request, response);
    });
    this.#server.on('clientError', (error, socket) => this.#refuseUnreadable(error, socket as Socket));
    this.#server.on('connect', (request, socket) => {
      const detail = 'CONNECT is not offered; this server is no proxy';
      const problem: Problem = { kind: 'method-not-offered', detail };
      const notice = problemNotice(
        isSound(request, findHeaders(request.rawHeaders)) ? problem : malformedRequest,
      );
      this.#connections.get(socket as Socket)?.refuse(notice);
    });
  }

  /**
   * Starts to listen, and returns the address.
   * @throws AppError `unavailable` for an address that cannot be used.
   */
  async listen(address: ListenAddress): Promise<ListenAddress> {
    await listenOn(this.#server, address);
    this.#sendTimer = setInterval(() => this.#dropStuck(), this.#options.timeouts.sendMs / 3).unref();
    const { address: host, port } = this.#server.address() as AddressInfo;
    return { host, port };
  }

  get #maxBodyBytes(): number {
    return this.#options.maxBodyBytes ?? 0;
  }

  /** Number of connections that were accepted so far. */
  get acceptedCount(): number {
    return this.#acceptedCount;
  }

  /**
   * Accepts no new connections, and closes each after its next response. Idle ones stay open until `maxMs`, because a request may be on
   * its way.
   */
  async drain(maxMs: number): Promise<void> {
    await this.#acceptQueued();
    const closed = this.#closeAddress();
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(timeUp.resolve, maxMs);
    await Promise.race([closed, timeUp.promise]);
    clearTimeout(timer);
  }

  /** Finishes pending requests and closes all connections, at the latest after `timeoutMs`. */
  async stop(timeoutMs = stopTimeoutMs): Promise<void> {
    const timer = setTimeout(() => this.#destroyAll(), timeoutMs);
    await this.#acceptQueued();
    const closed = this.#closeAddress();
    this.#server.close();
    // Connections become idle while the stop goes on.
    const sweep = setInterval(() => this.#server.closeIdleConnections(), stopSweepMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(timer);
    clearInterval(this.#sendTimer);
  }

  /** Resolves when all connections are closed. */
  #closeAddress(): Promise<void> {
    // Not before the address: clients whose connection is closed after a response open another one.
    this.#isStopping = true;
    // The method of node:http would also close idle connections at once.
    return new Promise((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
  }

  /**
   * Accepts the connections that the kernel has established already, because closing the address would reset them. Node accepts one in a
   * turn of the event loop. Those that come between the last look and the close are lost, so it ends with a turn that had nothing to do.
   */
  async #acceptQueued(): Promise<void> {
    // A drained server has closed its address already.
    if (!this.#server.listening) return;
    await setImmediate();
    const giveUpAt = performance.now() + maxIdleSearchMs;
    for (let turns = 0; turns < maxAcceptTurns; turns++) {
      const acceptedCount = this.#acceptedCount;
      const startedAt = performance.now();
      await setImmediate();
      const now = performance.now();
      const isIdle = now - startedAt < maxIdleTurnMs || now > giveUpAt;
      if (isIdle && this.#acceptedCount === acceptedCount) return;
    }
  }

  #connect(socket: Socket): void {
    const { answer, commonHeaders, clients, log } = this.#options;
    this.#acceptedCount++;
    const reason = this.#connectionLimits.admit(socket);
    if (reason !== undefined) {
      dropped[reason].inc();
      socket.destroy();
      return;
    }
    const isStopping = () => this.#isStopping;
    const limiter = this.#limiter;
    const namesClients = this.#options.namesClients ?? log?.hasAddresses === true;
    const unreadable = (problem: Problem) => this.#unreadable(problem);
    const waiting = this.#waiting;
    const made = { answer, commonHeaders, clients, unreadable, dates: this.#dates };
    const maxBodyBytes = this.#maxBodyBytes;
    const bodies = { maxBodyBytes, bodyMemory: this.#bodyMemory };
    const options = { ...made, ...bodies, isStopping, waiting, limiter, namesClients };
    this.#connections.set(socket, new Connection(socket, options));
    socket.on('close', () => this.#connections.delete(socket));
  }

  #refuseUnreadable(error: Error, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || ('code' in error && error.code === 'ECONNRESET')) {
      socket.destroy();
      return;
    }
    const fault = connection.head.findFault(error);
    // Node's listener would close the connection when its client closes its side, before the answer is sent.
    socket.removeAllListeners('end');
    if (connection.head.isLineAwaited)
      socket.once('end', () => connection.refuse(this.#unreadable(malformedRequest)));
    if (fault === undefined) return;
    if (!socket.writable) socket.destroy();
    else if ('method' in fault) void this.#answerUnknownMethod(fault, connection);
    else connection.refuse(this.#unreadable(fault));
  }

  /** Answers a request whose method Node's parser does not know: to the interface it is a method like others that are not allowed. */
  async #answerUnknownMethod(line: RequestLine, waiter: Connection): Promise<void> {
    const headers = { accept: undefined, acceptEncoding: undefined, host: undefined, ifNoneMatch: undefined };
    const request = { ...line, ...headers, rate: undefined, address: undefined, waiter };
    const answer = await this.#options.answer(request);
    waiter.refuse('status' in answer ? answer : this.#unreadable(malformedRequest));
  }

  #unreadable(problem: Problem): Notice {
    const notice = problemNotice(problem);
    this.#options.log?.write({ status: notice.status, bodyBytes: notice.body.length });
    return notice;
  }

  /** Closes all connections. Unlike `closeAllConnections` of the server, this includes those that have sent CONNECT. */
  #destroyAll(): void {
    for (const connection of this.#connections.values()) connection.cut();
  }

  #dropStuck(): void {
    const since = performance.now() - this.#options.timeouts.sendMs;
    for (const connection of this.#connections.values()) connection.dropIfStuck(since);
  }
}
