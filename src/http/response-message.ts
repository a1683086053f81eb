/**
 * The messages of a good answer as bytes, made once: 200 with head and body in one piece, and 304. All that
 * changes from one sending to the next is the date, and that is always 29 bytes long (RFC 9110 5.6.7).
 */
import type { ContentCoding } from './content-coding.ts';
import { commonHeaders, jsonMediaType, keepAliveSeconds } from './headers.ts';

const placeholderDate = 'Thu, 01 Jan 1970 00:00:00 GMT';

/** What a message is made of. */
export interface ResponseParts {
  /** Is copied. */
  readonly body: string | Uint8Array;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly cacheControl: string;
}

/** A good answer in one coding, ready to be sent. */
export class ResponseMessage {
  /** Status line, headers and body of the 200. */
  readonly bytes: Buffer;
  /** The body alone: a part of `bytes`. */
  readonly body: Buffer;
  /** Names and values in turn, for responses that must be written in the ordinary way. */
  readonly headers: readonly string[];
  readonly notModifiedHeaders: readonly string[];
  readonly #dateAt: number;
  #date = placeholderDate;
  #notModified: { readonly bytes: Buffer; readonly dateAt: number } | undefined;

  constructor(parts: ResponseParts) {
    const { body, coding, etag, cacheControl } = parts;
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    this.notModifiedHeaders = [
      ...Object.entries(commonHeaders).flat(),
      ...['cache-control', cacheControl, 'etag', etag, 'vary', 'Accept-Encoding'],
    ];
    this.headers = [
      ...this.notModifiedHeaders,
      ...['content-type', jsonMediaType, 'content-length', String(bodyBytes)],
      ...(coding === 'identity' ? [] : ['content-encoding', coding]),
    ];
    const head = headText('200 OK', this.headers);
    this.bytes = Buffer.allocUnsafeSlow(head.length + bodyBytes);
    this.bytes.write(head, 'latin1');
    this.body = this.bytes.subarray(head.length);
    if (typeof body === 'string') this.body.write(body);
    else this.body.set(body);
    this.#dateAt = head.indexOf(placeholderDate);
  }

  /** The whole 200 message with this date. */
  dated(date: string): Buffer {
    if (date !== this.#date) this.bytes.write(date, this.#dateAt, 'latin1');
    this.#date = date;
    return this.bytes;
  }

  /** The whole 304 message with this date. */
  datedNotModified(date: string): Buffer {
    if (this.#notModified === undefined) {
      const head = headText('304 Not Modified', this.notModifiedHeaders);
      this.#notModified = { bytes: Buffer.from(head, 'latin1'), dateAt: head.indexOf(placeholderDate) };
    }
    const { bytes, dateAt } = this.#notModified;
    bytes.write(date, dateAt, 'latin1');
    return bytes;
  }
}

function headText(status: string, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status}\r\n`;
  for (let index = 0; index < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}Date: ${placeholderDate}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAliveSeconds}\r\n\r\n`;
}
