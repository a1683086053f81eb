/** A request: everything that its answer depends on, and Node's view of it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientAddresses, RateRefusal } from './clients.ts';
import type { BodySize } from './endpoint.ts';

/** Headers that an answer depends on, as Node gives them: repeated ones are joined by commas. */
export interface RequestHeaders {
  readonly accept?: string | undefined;
  readonly 'accept-encoding'?: string | undefined;
  readonly host?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly upgrade?: string | undefined;
  readonly 'x-forwarded-for'?: string | undefined;
}

/** A request of a client, as far as its answer depends on it. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent: in origin form, or in the absolute form that proxies send (RFC 9112 3.2). */
  readonly target: string;
  readonly headers: RequestHeaders;
  /** Time of its arrival, by `performance.now()`. */
  readonly receivedAt: number;
  /** Address of the client, or that of its proxy if no trusted proxy names it. */
  readonly address: string;
  /** The network in which it shares places and turns. */
  readonly network: string;
  /** Set if the client is over its rate limit. */
  readonly rateRefusal: RateRefusal | undefined;
  /** False once the connection is closed; for large bodies also once the client has closed its side of it. */
  isWaitingFor(size: BodySize): boolean;
  /** Calls back when the client has received its response or has left. */
  whenSent(callback: () => void): void;
}

/** A request from Node's server, with the response object that Node has made for it. */
export class ReceivedRequest implements HttpRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: RequestHeaders;
  readonly receivedAt = performance.now();
  rateRefusal: RateRefusal | undefined = undefined;
  readonly #clients: ClientAddresses;
  #network: string | undefined;
  #isEnded = false;
  #onSent: (() => void)[] = [];

  constructor(message: IncomingMessage, response: ServerResponse, clients: ClientAddresses) {
    this.message = message;
    this.response = response;
    this.#clients = clients;
    // Node joins all that are looked at here, so none is a list.
    this.headers = message.headers as RequestHeaders;
  }

  get method(): string {
    return this.message.method ?? '';
  }

  get target(): string {
    return this.message.url ?? '';
  }

  get address(): string {
    return this.#clients.find(this.message.socket.remoteAddress ?? '', this.headers['x-forwarded-for']);
  }

  get network(): string {
    this.#network ??= this.#clients.network(this.message.socket, this.headers['x-forwarded-for']);
    return this.#network;
  }

  /**
   * False for requests that the parser accepts but a proxy may read differently: two hosts (RFC 9112 3.2),
   * another version, and chunks in HTTP/1.0 (RFC 9112 6.1).
   */
  get isSound(): boolean {
    const { httpVersion, headers, rawHeaders } = this.message;
    if (countHosts(rawHeaders) > 1) return false;
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

  /** Notes that the client has received its response, or has left. */
  end(): void {
    this.#isEnded = true;
    for (const callback of this.#onSent.splice(0)) callback();
  }
}

/** Counts the `Host` headers, of which Node gives the first alone. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}
