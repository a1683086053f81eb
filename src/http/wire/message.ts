/**
 * The messages of a good answer as bytes: 200, with head and body in one piece unless that would copy much,
 * and 304. They are made once; all that changes from one sending to the next is the date, and that is always
 * 29 bytes long (RFC 9110 5.6.7). Tens of thousands of these are remembered, so they hold little beside bytes.
 */
import type { Socket } from 'node:net';
import type { ContentCoding } from '../cache/content-coding.ts';
import { commonHeaders, jsonMediaType, keepAliveSeconds } from './headers.ts';

/** What a message is made of. */
export interface ResponseParts {
  readonly body: Buffer;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly cacheControl: string;
}

/** Bodies up to this are copied behind their head, so that one write sends both. */
export const maxJoinedBytes = 64 * 1024;

const placeholderDate = 'Thu, 01 Jan 1970 00:00:00 GMT';
const behindDate = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;

/** A good answer in one coding, ready to be sent. */
export class ResponseMessage {
  readonly #parts: Omit<ResponseParts, 'body'>;
  /** Status line and headers of the 200, and the body if it is joined. */
  readonly #head: Buffer;
  readonly #headBytes: number;
  /** A body that is not joined. */
  readonly #ownBody: Buffer | undefined;
  #date = placeholderDate;
  #notModified: Buffer | undefined;

  constructor(parts: ResponseParts) {
    const { body, ...others } = parts;
    this.#parts = others;
    const isJoined = body.length <= maxJoinedBytes;
    const head = headText('200 OK', okHeaders(parts, body.length));
    this.#headBytes = head.length;
    this.#ownBody = isJoined ? undefined : body;
    this.#head = Buffer.allocUnsafeSlow(head.length + (isJoined ? body.length : 0));
    this.#head.write(head, 'latin1');
    if (isJoined) this.#head.set(body, head.length);
  }

  get body(): Buffer {
    return this.#ownBody ?? this.#head.subarray(this.#headBytes);
  }

  /** The length of the body, in bytes. */
  get bodyBytes(): number {
    return this.#ownBody?.length ?? this.#head.length - this.#headBytes;
  }

  /** What the message holds in memory, in bytes. */
  get sizeBytes(): number {
    return this.#head.length + (this.#ownBody?.length ?? 0);
  }

  /** Headers of the 200, names and values in turn, for a response that must be written in the ordinary way. */
  get headers(): string[] {
    return okHeaders(this.#parts, this.bodyBytes);
  }

  /** Headers of the 304, as {@link headers}. */
  get notModifiedHeaders(): string[] {
    return notModifiedHeaders(this.#parts);
  }

  /** Writes the whole 200 message with this date. */
  writeTo(socket: Socket, date: string): void {
    if (date !== this.#date) this.#head.write(date, dateAt(this.#headBytes), 'latin1');
    this.#date = date;
    if (this.#ownBody === undefined) {
      socket.write(this.#head);
      return;
    }
    socket.cork();
    socket.write(this.#head);
    socket.write(this.#ownBody);
    socket.uncork();
  }

  /** Writes the whole 304 message with this date. */
  writeNotModifiedTo(socket: Socket, date: string): void {
    this.#notModified ??= Buffer.from(headText('304 Not Modified', this.notModifiedHeaders), 'latin1');
    this.#notModified.write(date, dateAt(this.#notModified.length), 'latin1');
    socket.write(this.#notModified);
  }
}

const commonFields = Object.entries(commonHeaders).flat();

function notModifiedHeaders(parts: Omit<ResponseParts, 'body'>): string[] {
  return [
    ...commonFields,
    'cache-control',
    parts.cacheControl,
    'etag',
    parts.etag,
    'vary',
    'Accept-Encoding',
  ];
}

function okHeaders(parts: Omit<ResponseParts, 'body'>, bodyBytes: number): string[] {
  const headers = notModifiedHeaders(parts);
  headers.push('content-type', jsonMediaType, 'content-length', String(bodyBytes));
  if (parts.coding !== 'identity') headers.push('content-encoding', parts.coding);
  return headers;
}

function headText(status: string, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}Date: ${placeholderDate}${behindDate}`;
}

/** Where the date stands in a head of this length. */
function dateAt(headBytes: number): number {
  return headBytes - behindDate.length - placeholderDate.length;
}
