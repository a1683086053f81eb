/**
 * The messages of a good answer as bytes, made once: 200, with head and body in one piece unless that would
 * copy much, and 304. All that changes from one sending to the next is the date, and that is always 29 bytes
 * long (RFC 9110 5.6.7).
 */
import type { Socket } from 'node:net';
import type { ContentCoding } from './content-coding.ts';
import { commonHeaders, jsonMediaType, keepAliveSeconds } from './headers.ts';

const placeholderDate = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** What a message is made of. */
export interface ResponseParts {
  readonly body: Buffer;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly cacheControl: string;
}

/** Bodies up to this are copied behind their head, so that one write sends both. */
const maxJoinedBytes = 64 * 1024;

/** A good answer in one coding, ready to be sent. */
export class ResponseMessage {
  readonly body: Buffer;
  /** Names and values in turn, for responses that must be written in the ordinary way. */
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];
  /** Status line and headers of the 200, and the body if it is joined. */
  readonly #head: Buffer;
  readonly #dateAt: number;
  #date = placeholderDate;
  #notModified: { readonly bytes: Buffer; readonly dateAt: number } | undefined;

  constructor(parts: ResponseParts) {
    const { body, coding, etag, cacheControl } = parts;
    this.notModifiedHeaders = [
      ...Object.entries(commonHeaders).flat(),
      ...['cache-control', cacheControl, 'etag', etag, 'vary', 'Accept-Encoding'],
    ];
    this.headers = [
      ...this.notModifiedHeaders,
      ...['content-type', jsonMediaType, 'content-length', String(body.length)],
      ...(coding === 'identity' ? [] : ['content-encoding', coding]),
    ];
    const head = headText('200 OK', this.headers);
    const isJoined = body.length <= maxJoinedBytes;
    this.#head = Buffer.allocUnsafeSlow(head.length + (isJoined ? body.length : 0));
    this.#head.write(head, 'latin1');
    this.#head.set(isJoined ? body : [], head.length);
    this.#dateAt = head.indexOf(placeholderDate);
    this.body = isJoined ? this.#head.subarray(head.length) : body;
  }

  /** What the message holds in memory, in bytes. */
  get sizeBytes(): number {
    return this.#head.length + (this.body.buffer === this.#head.buffer ? 0 : this.body.length);
  }

  /** Writes the whole 200 message with this date. */
  writeTo(socket: Socket, date: string): void {
    if (date !== this.#date) this.#head.write(date, this.#dateAt, 'latin1');
    this.#date = date;
    if (this.body.buffer === this.#head.buffer) {
      socket.write(this.#head);
      return;
    }
    socket.cork();
    socket.write(this.#head);
    socket.write(this.body);
    socket.uncork();
  }

  /** Writes the whole 304 message with this date. */
  writeNotModifiedTo(socket: Socket, date: string): void {
    if (this.#notModified === undefined) {
      const head = headText('304 Not Modified', this.notModifiedHeaders);
      this.#notModified = { bytes: Buffer.from(head, 'latin1'), dateAt: head.indexOf(placeholderDate) };
    }
    const { bytes, dateAt } = this.#notModified;
    bytes.write(date, dateAt, 'latin1');
    socket.write(bytes);
  }
}

function headText(status: string, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}Date: ${placeholderDate}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
}
