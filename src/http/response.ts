/** A response: status, headers and body. It never changes, and it never writes to a buffer that it has given out. */
import { matchesTag } from './entity-tag.ts';
import { fieldLines, keepAliveSeconds } from './headers.ts';
import type { StreamedBody } from './make-body.ts';

/** Parts of a {@link Response}. */
interface ResponseParts {
  readonly status: number;
  /** Names and values in turn, without `Date`, `Content-Length` and those of the connection. */
  readonly headers: readonly string[];
  /** The whole body, or a stream of it that can be read once. */
  readonly body?: Uint8Array | StreamedBody;
  /** The strong entity tag of the body (RFC 9110 8.8.3), quotes included, which is one of the headers. */
  readonly etag?: string;
  /** The response to a client that has this body already. */
  readonly notModified?: Response;
}

/** Head and body of a response, with the Date that they have. */
interface Message {
  readonly date: string;
  readonly bytes: Buffer;
  readonly bodyStart: number;
}

/** Size up to which a body is copied behind its head, so that one write sends both. */
export const maxJoinedBytes = 64 * 1024;

const empty = new Uint8Array(0);

/** One response, which can be sent any number of times unless its body is a stream. */
export class Response {
  readonly status: number;
  readonly headers: readonly string[];
  readonly notModified: Response | undefined;
  readonly #etag: string | undefined;
  /** Empty once a message holds a copy of it. */
  #body: Uint8Array;
  /** The body as a stream; undefined where it is whole. */
  readonly stream: StreamedBody | undefined;
  /** Head and body as they were sent last. */
  #message: Message | undefined;

  constructor({ status, headers, body = empty, etag, notModified }: ResponseParts) {
    this.status = status;
    this.headers = headers;
    this.#etag = etag;
    this.notModified = notModified;
    const isWhole = body instanceof Uint8Array;
    this.#body = isWhole ? body : empty;
    this.stream = isWhole ? undefined : body;
  }

  /** The whole body; empty where it is a stream. */
  get body(): Uint8Array {
    return this.#message?.bytes.subarray(this.#message.bodyStart) ?? this.#body;
  }

  /** True for a response that {@link message} has: a 200 or 304 that is sent again and again. */
  get isJoined(): boolean {
    return this.status === 304 || (this.#etag !== undefined && this.body.length <= maxJoinedBytes);
  }

  /** Checks if a client with this `If-None-Match` header has the body already. */
  isMatchedBy(ifNoneMatch: string | undefined): boolean {
    // A stream has no tag, but `*` means any (RFC 9110 13.1.2).
    return this.notModified !== undefined && matchesTag(ifNoneMatch, this.#etag ?? '*');
  }

  /** Length of the body as the `Content-Length` header says it; undefined for responses without one. */
  get contentLength(): number | undefined {
    return this.status === 204 || this.status === 304 || this.stream !== undefined
      ? undefined
      : this.body.length;
  }

  /** The same response with more headers. */
  withHeaders(headers: readonly string[]): Response {
    const { status, body, notModified } = this;
    return new Response({
      status,
      headers: [...this.headers, ...headers],
      body: this.stream ?? body,
      ...(this.#etag === undefined ? {} : { etag: this.#etag }),
      ...(notModified === undefined ? {} : { notModified: notModified.withHeaders(headers) }),
    });
  }

  /**
   * The message of a 200 or 304 with a small body, on a connection that stays open. It is made once for each Date.
   * @param date the `Date` header, always as long.
   */
  message(date: string): Buffer {
    if (this.#message?.date !== date) this.#message = this.#makeMessage(date);
    return this.#message.bytes;
  }

  #makeMessage(date: string): Message {
    const before = this.#message;
    if (before !== undefined) {
      // A new buffer, because the one before may still be queued. One of Node's pool would keep the whole pool in memory.
      const bytes = Buffer.allocUnsafeSlow(before.bytes.length);
      before.bytes.copy(bytes);
      bytes.write(date, (statusLines[this.status] ?? '').length + datePrefix.length, 'latin1');
      return { date, bytes, bodyStart: before.bodyStart };
    }
    const length = this.contentLength;
    const head = `${statusLines[this.status]}${datePrefix}${date}\r\n${fieldLines(this.headers)}${
      length === undefined ? '' : `Content-Length: ${length}\r\n`
    }${connectionLines}\r\n`;
    const bytes = Buffer.allocUnsafeSlow(head.length + this.#body.length);
    const bodyStart = bytes.write(head, 'latin1');
    bytes.set(this.#body, bodyStart);
    this.#body = empty;
    return { date, bytes, bodyStart };
  }
}

const statusLines: Readonly<Record<number, string>> = {
  200: 'HTTP/1.1 200 OK\r\n',
  304: 'HTTP/1.1 304 Not Modified\r\n',
};
const datePrefix = 'Date: ';
const connectionLines = fieldLines(['Connection', 'keep-alive', 'Keep-Alive', `timeout=${keepAliveSeconds}`]);
