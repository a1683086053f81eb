/**
 * A response of status 200 in one content coding: body, headers and entity tag (RFC 9110 3.2). It never changes, and it never writes
 * to a buffer that it has given out.
 */
import type { ResponseKind } from './response-kind.ts';
import { dateOffset, fieldLines, headText, sharedLines } from './wire/headers.ts';

/** Parts of a representation. */
interface RepresentationParts {
  /** In order; each part has a few hundred kilobytes at most, so that it shows when a client reads on. */
  readonly body: readonly Uint8Array[];
  readonly kind: ResponseKind;
  /** A strong entity tag (RFC 9110 8.8.3), quotes included. */
  readonly etag: string;
  /** Time since it was last known to be valid (RFC 9111 5.1); left out if it is valid now. */
  readonly ageSeconds?: number;
}

/** Size up to which a body is copied after its head, so that one write sends both. */
export const maxJoinedBytes = 64 * 1024;

/** A response in one coding, which can be sent any number of times. */
export class Representation {
  readonly etag: string;
  readonly bodyBytes: number;
  readonly #kind: ResponseKind;
  readonly #ageSeconds: number | undefined;
  /** Empty once a joined message holds a copy of it. */
  #body: readonly Uint8Array[];
  /** Head and body as they were sent last, with the Date that they had. */
  #message: { readonly date: string; readonly pieces: readonly [Buffer] } | undefined;
  #notModified: { readonly date: string; readonly pieces: readonly [string] } | undefined;

  constructor({ body, kind, etag, ageSeconds }: RepresentationParts) {
    this.etag = etag;
    this.#kind = kind;
    this.#ageSeconds = ageSeconds;
    this.#body = body;
    this.bodyBytes = body.reduce((sum, part) => sum + part.length, 0);
  }

  get body(): readonly Uint8Array[] {
    const bytes = this.#message?.pieces[0];
    return bytes === undefined ? this.#body : [bytes.subarray(bytes.length - this.bodyBytes)];
  }

  /** The same response for the time in which the store is unreachable, so that it may be out of date. */
  withAge(ageSeconds: number): Representation {
    return new Representation({ body: this.body, kind: this.#kind, etag: this.etag, ageSeconds });
  }

  /** Headers of the 200 without the common ones, as names and values in turn. */
  get headers(): string[] {
    return [...this.#kind.headers, ...this.#ownHeaders, 'Content-Length', String(this.bodyBytes)];
  }

  /** The same of the 304 (RFC 9110 15.4.5). */
  get notModifiedHeaders(): string[] {
    return [...this.#kind.notModifiedHeaders, ...this.#ownHeaders];
  }

  /** Headers that no other response has. */
  get #ownHeaders(): string[] {
    const tag = ['ETag', this.etag];
    return this.#ageSeconds === undefined ? tag : [...tag, 'Age', String(this.#ageSeconds)];
  }

  /**
   * The whole message of a 200 on a connection that stays open, in pieces of bytes or Latin-1. Small bodies are joined with their head
   * into one piece.
   * @param date the `Date` header.
   */
  message(date: string): readonly (Uint8Array | string)[] {
    if (this.bodyBytes > maxJoinedBytes) return [this.#headAt(date), ...this.#body];
    if (this.#message?.date !== date) this.#message = { date, pieces: [this.#makeMessage(date)] };
    return this.#message.pieces;
  }

  /** The same of a 304. */
  notModifiedMessage(date: string): readonly string[] {
    if (this.#notModified?.date !== date) {
      const head = headText('304 Not Modified', date, sharedLines(this.notModifiedHeaders));
      this.#notModified = { date, pieces: [head] };
    }
    return this.#notModified.pieces;
  }

  /** Makes a new buffer for each Date, since the one before may still be queued. Only the latest one keeps the body. */
  #makeMessage(date: string): Buffer {
    const bytes = this.#messageAt(date);
    this.#body = [];
    return bytes;
  }

  #messageAt(date: string): Buffer {
    const before = this.#message?.pieces[0];
    if (before !== undefined) {
      const bytes = Buffer.allocUnsafeSlow(before.length);
      before.copy(bytes);
      bytes.write(date, dateOffset, 'latin1');
      return bytes;
    }
    const head = this.#headAt(date);
    // A buffer of Node's pool would keep the whole pool in memory as long as the message is cached.
    const bytes = Buffer.allocUnsafeSlow(head.length + this.bodyBytes);
    let at = bytes.write(head, 'latin1');
    for (const part of this.#body) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  #headAt(date: string): string {
    const lines = `${this.#kind.lines}${fieldLines(this.#ownHeaders)}Content-Length: ${this.bodyBytes}\r\n`;
    return headText('200 OK', date, lines);
  }
}
