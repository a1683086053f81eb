/** A request: what its answer depends on, and how Node's server has received it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientAddresses, RateRefusal } from './clients.ts';
import type { BodySize } from './endpoint.ts';

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
  /** The network that it shares places and turns with. */
  readonly network: string;
  /** Set if the client has asked too often. */
  readonly rateRefusal: RateRefusal | undefined;
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
  rateRefusal: RateRefusal | undefined = undefined;
  readonly #clients: ClientAddresses;
  #network: string | undefined;
  #hostCount = 0;
  #isEnded = false;
  #onSent: (() => void)[] = [];

  constructor(message: IncomingMessage, response: ServerResponse, clients: ClientAddresses) {
    this.message = message;
    this.response = response;
    this.#clients = clients;
    this.#findHeaders();
  }

  get method(): string {
    return this.message.method ?? '';
  }

  get target(): string {
    return this.message.url ?? '';
  }

  get address(): string {
    return this.#clients.find(this.message.socket.remoteAddress ?? '', this.headers.forwardedFor);
  }

  get network(): string {
    this.#network ??= this.#clients.network(this.message.socket, this.headers.forwardedFor);
    return this.#network;
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
    else this.#onSent.push(callback);
  }

  /** Notes that the client has received its response, or has gone. */
  end(): void {
    this.#isEnded = true;
    for (const callback of this.#onSent.splice(0)) callback();
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
