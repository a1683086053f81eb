/** A request: what its answer depends on, and how Node's server has received it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientAddresses, clientNetwork } from './clients.ts';
import type { BodySize } from './endpoint.ts';
import { type BodyMemory, IncomingBody } from './incoming-body.ts';

/** Headers of a request, undefined where it has none of that name. Repeated ones are joined by commas. */
export interface RequestHeaders {
  readonly accept?: string | undefined;
  readonly acceptEncoding?: string | undefined;
  readonly forwardedFor?: string | undefined;
  readonly host?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** A request of a client, as far as its answer depends on it. */
export interface Request {
  readonly method: string;
  /** As it was sent: in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** Address of the client, or that of its proxy if no trusted proxy names it. */
  readonly address: string;
  /** Seconds until the client may ask again, if it has asked too often. */
  readonly retryAfterSeconds: number | undefined;
  /** False once the connection is closed; for large bodies also once the client has closed its side of it. */
  isWaitingFor(size: BodySize): boolean;
  /** Calls back when the client has received its response or has gone. */
  whenSent(callback: () => void): void;
}

/** Headers that are looked at, by their names in lower case. */
const fields = new Map<string, keyof FoundHeaders>([
  ['accept', 'accept'],
  ['accept-encoding', 'acceptEncoding'],
  ['host', 'host'],
  ['if-none-match', 'ifNoneMatch'],
  ['upgrade', 'upgrade'],
  ['x-forwarded-for', 'forwardedFor'],
]);

/** Shared by the requests of one server. */
interface Shared {
  readonly clients: ClientAddresses;
  readonly memory: BodyMemory;
}

type FoundHeaders = { -readonly [Name in keyof RequestHeaders | 'upgrade']: string | undefined };

/** A request as Node's server has received it, with the response object that Node has made for it. */
export class ReceivedRequest implements Request {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: FoundHeaders = {
    accept: undefined,
    acceptEncoding: undefined,
    forwardedFor: undefined,
    host: undefined,
    ifNoneMatch: undefined,
    upgrade: undefined,
  };
  readonly receivedAt = performance.now();
  retryAfterSeconds: number | undefined = undefined;
  readonly #shared: Shared;
  #hostCount = 0;
  #isEnded = false;
  #onSent: (() => void) | undefined;
  #body: IncomingBody | undefined;

  constructor(message: IncomingMessage, response: ServerResponse, shared: Shared) {
    this.message = message;
    this.response = response;
    this.#shared = shared;
    this.#findHeaders();
  }

  get method(): string {
    return this.message.method ?? '';
  }

  get target(): string {
    return this.message.url ?? '';
  }

  get address(): string {
    return this.#shared.clients.find(this.message.socket.remoteAddress ?? '', this.headers.forwardedFor);
  }

  /** The header `Content-Encoding`. */
  get contentEncoding(): string | undefined {
    return this.message.headers['content-encoding'];
  }

  /**
   * False for what the parser lets through and a proxy may read otherwise: two hosts (RFC 9112 3.2), another version, and chunks in
   * HTTP/1.0 (RFC 9112 6.1).
   */
  get isSound(): boolean {
    const { httpVersion, headers } = this.message;
    if (this.#hostCount > 1) return false;
    return httpVersion === '1.1' || (httpVersion === '1.0' && headers['transfer-encoding'] === undefined);
  }

  isWaitingFor(size: BodySize): boolean {
    const { socket } = this.message;
    return !socket.destroyed && (size === 'small' || !socket.readableEnded);
  }

  whenSent(callback: () => void): void {
    if (this.#isEnded) callback();
    else this.#onSent = callback;
  }

  /** Notes that the client has received its response, or has gone. */
  end(): void {
    this.#isEnded = true;
    this.#onSent?.();
    this.#onSent = undefined;
  }

  /**
   * Reads the body, once.
   * @throws AppError `invalid` with the kind `body-too-large` beyond `maxBytes`, `overloaded` if its client holds back too much, or that of
   * {@link failBody}.
   */
  readBody(maxBytes: number): Promise<Buffer> {
    const { message } = this;
    const { 'content-length': length, 'transfer-encoding': coding, expect } = message.headers;
    // Node gives no stream to a request without a body.
    if (length === undefined && coding === undefined) return Promise.resolve(Buffer.alloc(0));
    const client = clientNetwork(this.address);
    this.#body = new IncomingBody(message, { client, maxBytes, memory: this.#shared.memory });
    if (expect !== undefined && Number(length ?? 0) <= maxBytes) this.response.writeContinue();
    return this.#body.read();
  }

  /** Lets the rest of the connection be read behind a body that nobody reads: only there its end shows. */
  skipBody(): void {
    if (this.#body === undefined) this.message.resume();
  }

  /** Gives up a body that has not come whole. */
  failBody(kind: string, detail: string): void {
    if (!this.message.complete) this.#body?.fail(kind, detail);
  }

  /** Finds the headers among the raw ones: Node's object of all of them takes as long to make as the rest of a cache hit. */
  #findHeaders(): void {
    const { rawHeaders } = this.message;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const field = fields.get((rawHeaders[index] ?? '').toLowerCase());
      if (field === undefined) continue;
      if (field === 'host') this.#hostCount++;
      const value = rawHeaders[index + 1] ?? '';
      const before = this.headers[field];
      this.headers[field] = before === undefined ? value : `${before}, ${value}`;
    }
  }
}
