/** A good answer: its bytes, their tag, and the same bytes in other codings as they are asked for. */
import { hash } from 'node:crypto';
import { type ContentCoding, encode } from './content-coding.ts';

/** An answer in one coding. */
export interface CodedAnswer {
  readonly coding: ContentCoding;
  readonly bytes: Buffer;
  /** A strong entity tag (RFC 9110 8.8.3), quotes included. */
  readonly etag: string;
}

/** Bodies below this go out as they are: coding them would save less than a packet. */
const minCodedBytes = 1024;

/** One answer of the interface; it never changes. */
export class Answer {
  readonly identity: CodedAnswer;
  readonly #coded = new Map<ContentCoding, Promise<CodedAnswer>>();
  readonly #tag: string;
  #sizeBytes: number;

  constructor(body: string | Uint8Array) {
    const bytes =
      typeof body === 'string'
        ? Buffer.from(body)
        : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    // The tag is made of the bytes alone, so every node gives the same one.
    this.#tag = hash('sha1', bytes, 'base64url');
    this.identity = { coding: 'identity', bytes, etag: `"${this.#tag}"` };
    this.#sizeBytes = bytes.length;
  }

  /** What the answer and its codings hold in memory, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** The answer in a coding; the work is done once, when it is first asked for. */
  coded(coding: ContentCoding): CodedAnswer | Promise<CodedAnswer> {
    if (coding === 'identity' || this.identity.bytes.length < minCodedBytes) return this.identity;
    let coded = this.#coded.get(coding);
    if (coded === undefined) {
      coded = this.#encode(coding);
      this.#coded.set(coding, coded);
    }
    return coded;
  }

  async #encode(coding: Exclude<ContentCoding, 'identity'>): Promise<CodedAnswer> {
    const bytes = await encode(this.identity.bytes, coding);
    this.#sizeBytes += bytes.length;
    return { coding, bytes, etag: `"${this.#tag}-${coding}"` };
  }
}
