/**
 * A good answer in one content coding: body, headers and entity tag (RFC 9110 3.2). It never changes, and no buffer
 * that it has handed out is ever written to again.
 */
import type { ContentCoding } from './cache/content-coding.ts';
import { dateOffset, headText } from './wire/headers.ts';

/** What a representation is made of. */
export interface RepresentationParts {
  /** In order; no part is larger than some hundred kilobytes, so that a client can be seen to take them. */
  readonly body: readonly Uint8Array[];
  readonly mediaType: string;
  readonly coding: ContentCoding;
  /** A strong entity tag (RFC 9110 8.8.3), quotes included. */
  readonly etag: string;
  /** The header that the answer goes out with. */
  readonly cacheControl: string;
  /** More headers of the 200, names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  /** How long ago it was last known to be right (RFC 9111 5.1); left out for now. */
  readonly ageSeconds?: number;
}

/** Bodies up to this are copied behind their head, so that one write sends both. */
export const maxJoinedBytes = 64 * 1024;

/** A good answer in one coding, ready to be sent any number of times. */
export class Representation {
  /** Without the body, which is freed once a joined message holds a copy of it. */
  readonly #parts: Omit<RepresentationParts, 'body'>;
  #body: readonly Uint8Array[];
  readonly bodyBytes: number;
  /** Head and body as they went out last, and the Date they went out with. */
  #message: { readonly date: string; readonly pieces: readonly [Buffer] } | undefined;
  #notModified: { readonly date: string; readonly pieces: readonly [string] } | undefined;

  constructor({ body, ...parts }: RepresentationParts) {
    this.#parts = parts;
    this.#body = body;
    this.bodyBytes = body.reduce((sum, part) => sum + part.length, 0);
  }

  get etag(): string {
    return this.#parts.etag;
  }

  get body(): readonly Uint8Array[] {
    return this.#body;
  }

  /** The same, as it is sent while the store cannot say whether it is still right. */
  withAge(ageSeconds: number): Representation {
    return new Representation({ ...this.#parts, body: this.#body, ageSeconds });
  }

  /** Headers of the 200 beside the common ones, names and values in turn. */
  get headers(): string[] {
    const { mediaType, coding } = this.#parts;
    const headers = this.notModifiedHeaders;
    headers.push('Content-Type', mediaType, 'Content-Length', String(this.bodyBytes));
    if (coding !== 'identity') headers.push('Content-Encoding', coding);
    if (this.#parts.headers !== undefined) headers.push(...this.#parts.headers);
    return headers;
  }

  /** The same of the 304 (RFC 9110 15.4.5). */
  get notModifiedHeaders(): string[] {
    const { cacheControl, etag, ageSeconds } = this.#parts;
    const headers = ['Cache-Control', cacheControl, 'ETag', etag, 'Vary', 'Accept-Encoding'];
    if (ageSeconds !== undefined) headers.push('Age', String(ageSeconds));
    return headers;
  }

  /**
   * The whole message of a 200 on a connection that stays open, in pieces of bytes or Latin-1: one, unless joining head
   * and body would copy much.
   */
  message(date: string): readonly (Uint8Array | string)[] {
    if (this.bodyBytes > maxJoinedBytes) return [headText('200 OK', this.headers, date), ...this.#body];
    if (this.#message?.date !== date) this.#message = { date, pieces: [this.#makeMessage(date)] };
    return this.#message.pieces;
  }

  /** The same of a 304. */
  notModifiedMessage(date: string): readonly string[] {
    if (this.#notModified?.date !== date)
      this.#notModified = { date, pieces: [headText('304 Not Modified', this.notModifiedHeaders, date)] };
    return this.#notModified.pieces;
  }

  /** A new buffer for each Date: the one before may still be queued somewhere. The body is held once, in the latest. */
  #makeMessage(date: string): Buffer {
    const bytes = this.#messageAt(date);
    this.#body = [bytes.subarray(bytes.length - this.bodyBytes)];
    return bytes;
  }

  #messageAt(date: string): Buffer {
    const [before] = this.#message?.pieces ?? [];
    if (before !== undefined) {
      const bytes = Buffer.allocUnsafeSlow(before.length);
      before.copy(bytes);
      bytes.write(date, dateOffset, 'latin1');
      return bytes;
    }
    const head = headText('200 OK', this.headers, date);
    // Not from the pool of Node's buffers: one cached message would hold all that was made beside it.
    const bytes = Buffer.allocUnsafeSlow(head.length + this.bodyBytes);
    let at = bytes.write(head, 'latin1');
    for (const part of this.#body) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
