/** A good answer: its bytes, their tag, and the same bytes in other codings as they are asked for. */
import { hash } from 'node:crypto';
import { type ContentCoding, encode } from './content-coding.ts';
import { ResponseMessage } from './response-message.ts';

/** An answer in one coding. */
export interface CodedAnswer {
  readonly coding: ContentCoding;
  /** A strong entity tag (RFC 9110 8.8.3), quotes included. */
  readonly etag: string;
  readonly message: ResponseMessage;
}

/** Bodies below this go out as they are: coding them would save less than a packet. */
const minCodedBytes = 1024;

/** 162 bits of SHA-256, in base64url: more than enough that no two answers ever share a tag. */
const tagLength = 27;

/** One answer of the interface; it never changes. */
export class Answer {
  readonly identity: CodedAnswer;
  readonly #cacheControl: string;
  readonly #tag: string;
  readonly #coded = new Map<ContentCoding, CodedAnswer>();
  readonly #pending = new Map<ContentCoding, Promise<CodedAnswer>>();

  constructor(body: Buffer, cacheControl: string) {
    // The tag is made of the bytes alone, so every node gives the same one.
    this.#tag = hash('sha256', body, 'base64url').slice(0, tagLength);
    this.#cacheControl = cacheControl;
    this.identity = this.#message('identity', body);
  }

  /** What the answer and its codings hold in memory, in bytes. */
  get sizeBytes(): number {
    let sizeBytes = this.identity.message.sizeBytes;
    for (const { message } of this.#coded.values()) sizeBytes += message.sizeBytes;
    return sizeBytes;
  }

  /** The answer in a coding, if that is at hand. */
  find(coding: ContentCoding): CodedAnswer | undefined {
    return coding === 'identity' || this.identity.message.body.length < minCodedBytes
      ? this.identity
      : this.#coded.get(coding);
  }

  /** The answer in a coding; the work is done once, when it is first asked for. */
  async get(coding: ContentCoding): Promise<CodedAnswer> {
    const found = this.find(coding) ?? this.#pending.get(coding);
    if (found !== undefined || coding === 'identity') return found ?? this.identity;
    const encoding = this.#encode(coding);
    this.#pending.set(coding, encoding);
    return encoding;
  }

  async #encode(coding: Exclude<ContentCoding, 'identity'>): Promise<CodedAnswer> {
    try {
      const coded = this.#message(coding, await encode(this.identity.message.body, coding));
      this.#coded.set(coding, coded);
      return coded;
    } finally {
      this.#pending.delete(coding);
    }
  }

  #message(coding: ContentCoding, body: Buffer): CodedAnswer {
    const etag = coding === 'identity' ? `"${this.#tag}"` : `"${this.#tag}-${coding}"`;
    return {
      coding,
      etag,
      message: new ResponseMessage({ body, coding, etag, cacheControl: this.#cacheControl }),
    };
  }
}
