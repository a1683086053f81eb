/** A good answer: its bytes, their tag, and the same bytes in other codings as they are asked for. */

import { ResponseMessage } from '../wire/message.ts';
import { type ContentCoding, encode } from './content-coding.ts';
import { fingerprint } from './entity-tag.ts';

/** An answer in one coding. */
export interface CodedAnswer {
  readonly coding: ContentCoding;
  /** A strong entity tag (RFC 9110 8.8.3), quotes included. */
  readonly etag: string;
  readonly message: ResponseMessage;
}

/** Bodies below this go out as they are: coding them would save less than a packet. */
const minCodedBytes = 1024;

/** One answer of the interface; it never changes. */
export class Answer {
  readonly identity: CodedAnswer;
  readonly #cacheControl: string;
  /** Made when a coding is first asked for: most answers are only ever sent in one. */
  #coded: Map<ContentCoding, CodedAnswer | Promise<CodedAnswer>> | undefined;

  constructor(body: Buffer, cacheControl: string) {
    this.#cacheControl = cacheControl;
    // The tag is made of the bytes alone, so every node gives the same one.
    const etag = `"${fingerprint(body)}"`;
    this.identity = { coding: 'identity', etag, message: this.#message('identity', { body, etag }) };
  }

  /** What the answer and its codings hold in memory, in bytes. */
  get sizeBytes(): number {
    let sizeBytes = this.identity.message.sizeBytes;
    for (const coded of this.#coded?.values() ?? []) {
      if (!(coded instanceof Promise)) sizeBytes += coded.message.sizeBytes;
    }
    return sizeBytes;
  }

  /** The answer in a coding, if that is at hand. */
  find(coding: ContentCoding): CodedAnswer | undefined {
    if (coding === 'identity' || this.identity.message.bodyBytes < minCodedBytes) return this.identity;
    const coded = this.#coded?.get(coding);
    return coded instanceof Promise ? undefined : coded;
  }

  /** The answer in a coding; the work is done once, when it is first asked for. */
  async get(coding: ContentCoding): Promise<CodedAnswer> {
    const found = this.find(coding) ?? this.#coded?.get(coding);
    if (found !== undefined || coding === 'identity') return found ?? this.identity;
    const encoding = this.#encode(coding);
    this.#coded ??= new Map();
    this.#coded.set(coding, encoding);
    return encoding;
  }

  async #encode(coding: Exclude<ContentCoding, 'identity'>): Promise<CodedAnswer> {
    try {
      const body = await encode(this.identity.message.body, coding);
      const etag = `${this.identity.etag.slice(0, -1)}-${coding}"`;
      const coded = { coding, etag, message: this.#message(coding, { body, etag }) };
      this.#coded?.set(coding, coded);
      return coded;
    } catch (error) {
      this.#coded?.delete(coding);
      throw error;
    }
  }

  #message(coding: ContentCoding, parts: { readonly body: Buffer; readonly etag: string }): ResponseMessage {
    return new ResponseMessage({ ...parts, coding, cacheControl: this.#cacheControl });
  }
}
