/** The body of a response, hashed and coded while it comes. */
import type { Transform } from 'node:stream';
import { type BodyPart, Redirect } from '../endpoint.ts';
import { type ContentCoding, createEncoder, encode, minCodedBytes } from './content-coding.ts';
import { digestOf, PartsDigest } from './entity-tag.ts';

/** A whole body in one coding. */
export interface CodedBody {
  /** As it was asked for, or `identity` for a body that is not worth coding. */
  readonly coding: ContentCoding;
  readonly parts: readonly Uint8Array[];
  /** The hash of the body before it was coded. */
  readonly digest: string;
}

/** Codes a body that is there as a whole. */
export async function codeBody(part: BodyPart, wanted: ContentCoding): Promise<CodedBody> {
  const body = bytesOf(part);
  const coding = body.length < minCodedBytes ? 'identity' : wanted;
  return { coding, parts: cut(await encode(body, coding)), digest: digestOf(body) };
}

/**
 * Codes a body that comes in parts; every `yield` lets others have a turn. Beside the coded body no more than a
 * part of it is held.
 */
export async function* codeParts(
  parts: AsyncIterable<BodyPart | Redirect>,
  wanted: ContentCoding,
): AsyncGenerator<void, CodedBody | Redirect> {
  const digest = new PartsDigest();
  const plain = new JoinedParts();
  let encoder: PartsEncoder | undefined;
  try {
    for await (const part of parts) {
      if (part instanceof Redirect) return part;
      const bytes = bytesOf(part);
      digest.add(bytes);
      if (encoder === undefined) plain.add(bytes);
      else await encoder.add(bytes);
      if (wanted !== 'identity' && encoder === undefined && plain.sizeBytes >= minCodedBytes) {
        encoder = new PartsEncoder(wanted);
        for (const joined of plain.finish()) await encoder.add(joined);
      }
      yield;
    }
    const body =
      encoder === undefined
        ? { coding: 'identity' as const, parts: plain.finish() }
        : { coding: wanted, parts: await encoder.finish() };
    return { ...body, digest: digest.finish() };
  } finally {
    encoder?.close();
  }
}

/**
 * Smaller parts are joined: each that is sent costs a call of the system. Larger ones are cut: only when a client has
 * taken one is it seen to go on.
 */
const partBytes = 256 * 1024;

function cut(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length <= partBytes) return [bytes];
  const partCount = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: partCount }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  );
}

/** Parts of a body, few and large, but not too large. */
class JoinedParts {
  readonly #joined: Uint8Array[] = [];
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  sizeBytes = 0;

  add(part: Uint8Array): void {
    this.#pending.push(part);
    this.#pendingBytes += part.length;
    this.sizeBytes += part.length;
    if (this.#pendingBytes >= partBytes) this.#join();
  }

  finish(): readonly Uint8Array[] {
    if (this.#pendingBytes > 0) this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined.push(...cut(Buffer.concat(this.#pending)));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** Parts of a body through one of zlib's encoders, which work on other threads. */
class PartsEncoder {
  readonly #encoder: Transform;
  readonly #coded = new JoinedParts();
  readonly #end = Promise.withResolvers<void>();

  constructor(coding: Exclude<ContentCoding, 'identity'>) {
    this.#encoder = createEncoder(coding)
      .on('data', (bytes: Uint8Array) => this.#coded.add(bytes))
      .on('end', this.#end.resolve)
      .on('error', this.#end.reject);
    // `finish` rejects with a failure. Where it is not called, the rejection must not count as unhandled.
    this.#end.promise.catch(() => {});
  }

  /** Resolves when the part has been coded. */
  add(part: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#encoder.write(part, (error) => (error == null ? resolve() : reject(error)));
    });
  }

  async finish(): Promise<readonly Uint8Array[]> {
    this.#encoder.end();
    await this.#end.promise;
    return this.#coded.finish();
  }

  close(): void {
    this.#encoder.destroy();
  }
}

function bytesOf(part: BodyPart): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part) : part;
}
