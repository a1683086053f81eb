/**
 * A response of status 200 in one content coding: body, headers and entity tag (RFC 9110 3.2). It never changes, and it never writes
 * to a buffer that it has given out.
 */
import type { ContentCoding } from './cache/content-coding.ts';
import { dateOffset, headText } from './wire/headers.ts';

/** Parts of a representation. */
interface RepresentationParts {
  /** In order; each part has a few hundred kilobytes at most, so that it shows when a client reads on. */
  readonly body: readonly Uint8Array[];
  readonly mediaType: string;
  readonly coding: ContentCoding;
  /** A strong entity tag (RFC 9110 8.8.3), quotes included. */
  readonly etag: string;
  /** The `Cache-Control` header. */
  readonly cacheControl: string;
  /** More headers of the 200, as names and values in turn. */
  readonly headers?: readonly string[] | undefined;
  /** Time since it was last known to be valid (RFC 9111 5.1); left out if it is valid now. */
  readonly ageSeconds?: number;
}

/** Size up to which a body is copied after its head, so that one write sends both. */
export const maxJoinedBytes = 64 * 1024;

/** A response in one coding, which can be sent any number of times. */
export class Representation {
  /** Without the body, which is freed once a joined message holds a copy of it. */
  readonly #parts: Omit<RepresentationParts, 'body'>;
  #body: readonly Uint8Array[];
  readonly bodyBytes: number;
  /** Head and body as they were sent last, with the Date that they had. */
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

  /** The same response for the time in which the store is unreachable, so that it may be out of date. */
  withAge(ageSeconds: number): Representation {
    return new Representation({ ...this.#parts, body: this.#body, ageSeconds });
  }

  /** Headers of the 200 without the common ones, as names and values in turn. */
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
   * The whole message of a 200 on a connection that stays open, in pieces of bytes or Latin-1. Small bodies are joined with their head
   * into one piece.
   * @param date the `Date` header.
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

  /** Makes a new buffer for each Date, since the one before may still be queued. Only the latest one keeps the body. */
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
    // A buffer of Node's pool would keep the whole pool in memory as long as the message is cached.
    const bytes = Buffer.allocUnsafeSlow(head.length + this.bodyBytes);
    let at = bytes.write(head, 'latin1');
    for (const part of this.#body) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}
