/** The headers that all responses of one kind share. They are rendered once: for each response it would take a tenth of its CPU time. */
import type { ContentCoding } from './cache/content-coding.ts';
import { sharedLines } from './wire/headers.ts';

/** Options of {@link ResponseKind}. */
interface KindOptions {
  readonly mediaType: string;
  readonly coding: ContentCoding;
  /** The `Cache-Control` header. */
  readonly cacheControl: string;
  /** More headers of the 200, as names and values in turn. */
  readonly headers?: readonly string[] | undefined;
}

/** Headers as names and values in turn, without those of every response and those of a single one. */
export class ResponseKind {
  /** Of a 304 (RFC 9110 15.4.5). */
  readonly notModifiedHeaders: readonly string[];
  /** Of a 200. */
  readonly headers: readonly string[];
  /** The headers of a 200 as lines, common ones included. */
  readonly lines: string;

  constructor({ mediaType, coding, cacheControl, headers = [] }: KindOptions) {
    const coded = coding === 'identity' ? [] : ['Content-Encoding', coding];
    this.notModifiedHeaders = ['Cache-Control', cacheControl, 'Vary', 'Accept-Encoding'];
    this.headers = [...this.notModifiedHeaders, 'Content-Type', mediaType, ...coded, ...headers];
    this.lines = sharedLines(this.headers);
  }
}
