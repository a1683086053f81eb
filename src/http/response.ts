/**
 * A response: status, headers and body. It is immutable, and never writes to a buffer that it has passed on.
 */
import type { Socket } from 'node:net';
import type { StreamedBody } from './make-body.ts';

/** Parts of a {@link HttpResponse}. */
interface ResponseParts {
  readonly status: number;
  /**
   * Names and values in turn, without `Date`, `ETag`, `Content-Length` and those of the connection. Cached
   * responses share them.
   */
  readonly headers: readonly string[];
  /** More headers, which a 304 does not have: they describe the body. */
  readonly contentHeaders?: readonly string[];
  /** The whole body, or a stream of it that can be read once. */
  readonly body?: Uint8Array | StreamedBody;
  /**
   * The strong entity tag of the body (RFC 9110 8.8.3), with its quotes; every 200 and 304 has one, unless it
   * is a stream.
   */
  readonly etag?: string | undefined;
}

/** Size up to which a body is copied behind its head, so that one write sends both. */
export const maxJoinedBytes = 64 * 1024;

const empty = new Uint8Array(0);

/** One response, which can be sent any number of times unless its body is a stream. */
export class HttpResponse {
  readonly status: number;
  readonly #headers: readonly string[];
  readonly #contentHeaders: readonly string[];
  readonly #etag: string | undefined;
  /** Size of the body; 0 for a stream. */
  readonly bodyBytes: number;
  #body: Uint8Array;
  /** The body as a stream; undefined for a whole body. */
  readonly stream: StreamedBody | undefined;
  #notModified: HttpResponse | undefined;
  /** Head and body as last sent, and their Date. */
  #message: Buffer | undefined;
  #date = '';

  constructor({ status, headers, contentHeaders = [], body = empty, etag }: ResponseParts) {
    this.status = status;
    this.#headers = headers;
    this.#contentHeaders = contentHeaders;
    this.#etag = etag;
    const isWhole = body instanceof Uint8Array;
    this.#body = isWhole ? body : empty;
    this.bodyBytes = this.#body.length;
    this.stream = isWhole ? undefined : body;
  }

  /** Names and values in turn, without `Date`, `Content-Length` and those of the connection. */
  get headers(): readonly string[] {
    const tag = this.#etag === undefined ? [] : ['ETag', this.#etag];
    return [...this.#headers, ...tag, ...this.#contentHeaders];
  }

  /** The whole body; empty for a stream. */
  get body(): Uint8Array {
    return this.#body;
  }

  /** True for a response that {@link writeTo} can write: a 200 or 304 that is sent again and again. */
  get isJoined(): boolean {
    return this.status === 304 || (this.#etag !== undefined && this.bodyBytes <= maxJoinedBytes);
  }

  /**
   * Checks if a client with this `If-None-Match` header has the body already. The comparison is weak (RFC
   * 9110 13.1.2).
   */
  isMatchedBy(ifNoneMatch: string | undefined): boolean {
    if (ifNoneMatch === undefined || this.status !== 200) return false;
    // A stream has no tag, but `*` means any.
    const etag = this.#etag ?? '*';
    if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
    const tags: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
    return tags.includes(etag);
  }

  /** Length of the body as the `Content-Length` header says it; undefined for responses without one. */
  get contentLength(): number | undefined {
    return this.status === 204 || this.status === 304 || this.stream !== undefined
      ? undefined
      : this.bodyBytes;
  }

  /** The response to a client that has this body already. */
  notModified(): HttpResponse {
    this.#notModified ??= new HttpResponse({ status: 304, headers: this.#headers, etag: this.#etag });
    return this.#notModified;
  }

  /** The same response with more headers. */
  withHeaders(headers: readonly string[]): HttpResponse {
    return new HttpResponse({
      status: this.status,
      headers: [...this.#headers, ...headers],
      contentHeaders: this.#contentHeaders,
      body: this.stream ?? this.body,
      etag: this.#etag,
    });
  }

  /**
   * Writes a 200 or 304 with a small body to a connection that stays open. The first time, head and body are
   * written separately, since many responses are sent only once. From the second time on they are one
   * message, made once per Date.
   */
  writeTo(socket: Socket, date: string): void {
    if (this.#message !== undefined && this.#date === date) {
      socket.write(this.#message);
      return;
    }
    const contentLength = this.contentLength;
    const head =
      `HTTP/1.1 ${this.status === 304 ? '304 Not Modified' : '200 OK'}\r\nDate: ${date}\r\n` +
      fieldLines(this.headers) +
      (contentLength === undefined ? '' : `Content-Length: ${contentLength}\r\n`) +
      `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
    if (this.#date === '') {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(this.#body);
      socket.uncork();
    } else {
      // A new buffer, because the previous one may still be queued. A buffer from Node's pool would keep the
      // whole pool in memory.
      this.#message = Buffer.allocUnsafeSlow(head.length + this.#body.length);
      this.#message.write(head, 'latin1');
      this.#message.set(this.#body, head.length);
      // Keeps it in memory only once.
      this.#body = this.#message.subarray(head.length);
      socket.write(this.#message);
    }
    this.#date = date;
  }
}

/**
 * Headers of every response, errors included, as names and values in turn: any page of any origin may embed
 * it. Fetch standard 3.2 (CORS), 3.7 (CORP); Resource Timing 4.5.
 */
export const commonHeaders: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Content-Length, Date, Age, Retry-After, Allow',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
  'Timing-Allow-Origin',
  '*',
  'X-Content-Type-Options',
  'nosniff',
];

/** Time after which an idle connection is closed. */
export const keepAliveSeconds = 65;

/** Renders headers, given as names and values in turn, as lines. */
export function fieldLines(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return text;
}

let date: string | undefined;

/** The present time as a `Date` header (RFC 9110 6.6.1), in 29 characters; its text is made once a second. */
export function dateHeader(): string {
  if (date === undefined) {
    const now = new Date();
    setTimeout(() => {
      date = undefined;
    }, 1000 - now.getMilliseconds()).unref();
    date = now.toUTCString();
  }
  return date;
}
