/** The body of a response, coded while it comes: a whole one with its hash, or a stream of one that is too large to be held. */
import type { Transform } from 'node:stream';
import { fillsPages, makePages, minPagesBytes, release } from '../../model/own-pages.ts';
import type { Holding } from '../byte-budget.ts';
import { type BodyForecast, type Part, Redirect } from '../endpoint.ts';
import type { Turns, WorkClass } from '../turns.ts';
import { type ContentCoding, createEncoder, encode, minCodedBytes } from './content-coding.ts';
import { digestOf, PartsDigest } from './entity-tag.ts';

/** A whole body in one coding. */
export interface CodedBody {
  /** The wanted coding, or `identity` for a body that is not worth coding. */
  readonly coding: ContentCoding;
  readonly parts: readonly Uint8Array[];
  /** Hash of the body before coding. */
  readonly digest: string;
}

/** Size before its coding up to which a body is held as a whole. */
const maxHeldBytes = 16 * 1024 * 1024;

/** Options of {@link codeBody}. */
interface CodingOptions {
  readonly wanted: ContentCoding;
  readonly workClass: WorkClass;
  readonly turns: Turns;
  /** Begins to count the bytes of a body that comes in parts, until it is complete. */
  readonly hold: () => Holding;
  /** Of a body that will have more than {@link maxHeldBytes} nothing is gathered. */
  readonly forecast?: Readonly<BodyForecast>;
}

/** Largest body of a class of work that is coded in one piece, which takes one turn; the bytes of others count against the budget. */
const maxPieceBytes: Readonly<Record<WorkClass, number>> = {
  small: Number.POSITIVE_INFINITY,
  picture: 64 * 1024,
  large: 0,
};

/**
 * Codes a body; a redirect is returned as it is. A small body of one part is coded in one piece, all others part by part; beyond
 * {@link maxHeldBytes} the rest comes as a stream. Throws and rejects as the parts do, and with AppError `unavailable`, `overloaded` if
 * the budget is used up.
 */
export function codeBody(
  parts: Iterable<Part> | AsyncIterable<Part>,
  options: CodingOptions,
): CodedBody | Redirect | Promise<CodedBody | BodyStream | Redirect> {
  return options.workClass === 'small' && Symbol.iterator in parts
    ? codeReady(parts, options)
    : codeComing(parts, options);
}

/** Codes a small body whose parts are there: without a promise if it is one part, and is not compressed on another thread. */
function codeReady(
  parts: Iterable<Part>,
  options: CodingOptions,
): CodedBody | Redirect | Promise<CodedBody | BodyStream | Redirect> {
  const all = [...parts];
  if (all.length > 1) return codeComing(all, options);
  const [part = ''] = all;
  return part instanceof Redirect ? part : codeWhole(bytesOf(part), options);
}

async function codeComing(
  parts: Iterable<Part> | AsyncIterable<Part>,
  options: CodingOptions,
): Promise<CodedBody | BodyStream | Redirect> {
  const maxBytes = maxPieceBytes[options.workClass];
  const iterator = Symbol.iterator in parts ? parts[Symbol.iterator]() : parts[Symbol.asyncIterator]();
  await using owned = new AsyncDisposableStack();
  owned.defer(async () => {
    await iterator.return?.();
  });
  const first: Uint8Array[] = [];
  while (maxBytes > 0 && first.length < 2) {
    const next = await iterator.next();
    if (next.done === true) {
      const [body = new Uint8Array(0)] = first;
      return await (body.length <= maxBytes
        ? codeWhole(body, options)
        : codeParts(first, iterator, { ...options, owned }));
    }
    if (next.value instanceof Redirect) return next.value;
    first.push(bytesOf(next.value));
  }
  return await codeParts(first, iterator, { ...options, owned });
}

function codeWhole(
  body: Uint8Array,
  { wanted, workClass, turns }: CodingOptions,
): CodedBody | Promise<CodedBody> {
  const coding = body.length < minCodedBytes ? 'identity' : wanted;
  const coded = encode(body, coding, workClass === 'small' ? 'fast' : 'small');
  const about = { coding, digest: digestOf(body) };
  return coded instanceof Promise
    ? turns.wait(coded).then((bytes) => ({ ...about, parts: cut(bytes) }))
    : { ...about, parts: cut(coded) };
}

async function codeParts(
  first: readonly Uint8Array[],
  rest: Iterator<Part> | AsyncIterator<Part>,
  { wanted, turns, hold, forecast, owned }: CodingOptions & { readonly owned: AsyncDisposableStack },
): Promise<CodedBody | BodyStream | Redirect> {
  const holding = owned.use(hold());
  const coder = new PartsCoder(wanted, turns, holding);
  owned.defer(() => coder.close());
  let plainBytes = 0;
  for (const part of first) {
    plainBytes += part.length;
    await coder.add(part);
  }
  for (;;) {
    const { done, value: part } = await nextOf(rest, turns);
    if (done === true) return await coder.finish();
    if (part instanceof Redirect) return part;
    const bytes = bytesOf(part);
    plainBytes += bytes.length;
    await coder.add(bytes);
    if (plainBytes > 0 && Math.max(plainBytes, forecast?.minBytes ?? 0) > maxHeldBytes) {
      await coder.beginStream();
      return new BodyStream({ coder, rest, turns, holding, owned: owned.move() });
    }
    await turns.next();
  }
}

function nextOf(parts: Iterator<Part> | AsyncIterator<Part>, turns: Turns) {
  const next = parts.next();
  return next instanceof Promise ? turns.wait(next) : next;
}

/**
 * A body of which part after part is made when it is asked for. Its owner must dispose of it. Between parts it holds what it reads from,
 * and some hundred kilobytes.
 */
export class BodyStream implements AsyncDisposable {
  readonly coding: ContentCoding;
  readonly #coder: PartsCoder;
  readonly #rest: Iterator<Part> | AsyncIterator<Part>;
  readonly #turns: Turns;
  readonly #holding: Holding;
  readonly #owned: AsyncDisposableStack;
  #isWhole = false;
  /** The part that was given out last. */
  #sent: Uint8Array | undefined;

  constructor({
    coder,
    rest,
    turns,
    holding,
    owned,
  }: {
    readonly coder: PartsCoder;
    readonly rest: Iterator<Part> | AsyncIterator<Part>;
    readonly turns: Turns;
    readonly holding: Holding;
    readonly owned: AsyncDisposableStack;
  }) {
    this.coding = coder.wanted;
    this.#coder = coder;
    this.#rest = rest;
    this.#turns = turns;
    this.#holding = holding;
    this.#owned = owned;
  }

  /** Makes the next part in turns of the work; undefined after the last one. Rejects as the parts do. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#sent !== undefined) release(this.#sent);
      const part = this.#coder.take();
      this.#sent = part;
      if (part !== undefined) return part;
      // What was gathered before the body was known to be long has been taken.
      this.#holding[Symbol.dispose]();
      if (this.#isWhole) return undefined;
      await this.#turns.next();
      const { done, value } = await nextOf(this.#rest, this.#turns);
      if (done === true) {
        this.#isWhole = true;
        await this.#coder.end();
      } else if (!(value instanceof Redirect)) await this.#coder.add(bytesOf(value));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

/** Size from which a body is coded while it is made: an encoder that waits for parts takes megabytes. */
const minStreamedBytes = 1024 * 1024;

/** Hashes and codes a body part by part. Parts that were added may be freed. */
class PartsCoder {
  readonly wanted: ContentCoding;
  readonly #turns: Turns;
  readonly #digest = new PartsDigest();
  readonly #plain: JoinedParts;
  #encoder: PartsEncoder | undefined;
  #isStream = false;
  /** Counts bytes that are gathered; those of a stream are few. */
  readonly #charge: (sizeBytes: number) => void;

  constructor(wanted: ContentCoding, turns: Turns, holding: Holding) {
    this.wanted = wanted;
    this.#turns = turns;
    this.#charge = (sizeBytes) => {
      if (!this.#isStream) holding.add(sizeBytes);
    };
    this.#plain = new JoinedParts(this.#charge);
  }

  async add(part: Uint8Array): Promise<void> {
    if (part.length === 0) return;
    if (!this.#isStream) this.#digest.add(part);
    if (this.#encoder !== undefined) {
      await this.#turns.wait(this.#encoder.add(part));
      return;
    }
    this.#plain.add(part);
    if (this.wanted !== 'identity' && this.#plain.sizeBytes >= minStreamedBytes)
      await this.#encodeFromNowOn(this.wanted);
  }

  async finish(): Promise<CodedBody> {
    const digest = this.#digest.finish();
    if (this.#encoder !== undefined)
      return { coding: this.wanted, parts: await this.#turns.wait(this.#encoder.finish()), digest };
    const plain = this.#plain.finish();
    if (this.wanted === 'identity' || this.#plain.sizeBytes < minCodedBytes)
      return { coding: 'identity', parts: plain, digest };
    const [first = new Uint8Array(0)] = plain;
    const body = plain.length === 1 ? first : concat(plain, this.#plain.sizeBytes);
    const coded = await this.#turns.wait(Promise.resolve(encode(body, this.wanted, 'small')));
    return { coding: this.wanted, parts: cut(coded), digest };
  }

  /** Begins to give parts out instead of gathering them: then `take` and `end` replace `finish`. */
  async beginStream(): Promise<void> {
    this.#isStream = true;
    if (this.wanted !== 'identity' && this.#encoder === undefined) await this.#encodeFromNowOn(this.wanted);
  }

  /** Takes the next part that can be sent, if there is one. */
  take(): Uint8Array | undefined {
    return (this.#encoder ?? this.#plain).take();
  }

  /** Ends a stream, so that all that is left can be taken. */
  async end(): Promise<void> {
    if (this.#encoder === undefined) this.#plain.finish();
    else await this.#turns.wait(this.#encoder.finish());
  }

  close(): void {
    this.#encoder?.close();
  }

  async #encodeFromNowOn(coding: Exclude<ContentCoding, 'identity'>): Promise<void> {
    this.#encoder = new PartsEncoder(coding, this.#charge);
    for (const joined of this.#plain.finish()) await this.#turns.wait(this.#encoder.add(joined));
  }
}

/**
 * Size of the parts that are sent. Smaller ones are joined, because each costs a system call. Larger ones are cut, because progress of
 * a client shows only between parts.
 */
const partBytes = 256 * 1024;

function cut(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes.length < 2 * partBytes) return [bytes];
  const partCount = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: partCount }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  );
}

function concat(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  if (sizeBytes < minPagesBytes) return Buffer.concat(parts, sizeBytes);
  const bytes = makePages(sizeBytes);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
    release(part);
  }
  return bytes;
}

/** Joins parts of a body to few large ones. One that fills pages of its own is not copied, unless it follows a smaller one. */
class JoinedParts {
  readonly #charge: (sizeBytes: number) => void;
  readonly #joined: Uint8Array[] = [];
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  sizeBytes = 0;

  /** @param charge counts the bytes that are added; throws AppError `unavailable`, `overloaded` where too many are held. */
  constructor(charge: (sizeBytes: number) => void) {
    this.#charge = charge;
  }

  /** Throws as `charge` does. */
  add(part: Uint8Array): void {
    this.#charge(part.length);
    this.sizeBytes += part.length;
    if (this.#pendingBytes === 0 && fillsPages(part)) {
      this.#joined.push(...cut(part));
      return;
    }
    this.#pending.push(part);
    this.#pendingBytes += part.length;
    if (this.#pendingBytes >= partBytes) this.#join();
  }

  /** Takes the first of the joined parts. */
  take(): Uint8Array | undefined {
    return this.#joined.shift();
  }

  finish(): readonly Uint8Array[] {
    if (this.#pendingBytes > 0) this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined.push(...cut(concat(this.#pending, this.#pendingBytes)));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

/** Parts of a body through one of zlib's encoders, which work on other threads. */
class PartsEncoder {
  readonly #encoder: Transform;
  readonly #coded: JoinedParts;
  readonly #end = Promise.withResolvers<void>();

  constructor(coding: Exclude<ContentCoding, 'identity'>, charge: (sizeBytes: number) => void) {
    this.#coded = new JoinedParts(charge);
    this.#encoder = createEncoder(coding)
      .on('data', (bytes: Uint8Array) => this.#addCoded(bytes))
      .on('end', this.#end.resolve)
      .on('error', this.#end.reject);
    // `finish` rejects with a failure. Where it is not called, the rejection must not count as unhandled.
    this.#end.promise.catch(() => {});
  }

  /** Resolves when the part has been coded; rejects as coding fails, also for a part before. */
  add(part: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      // A write to a destroyed stream fails with an error of its own, which hides why it was destroyed.
      this.#encoder.write(part, (error) =>
        error == null ? resolve() : reject(this.#encoder.errored ?? error),
      );
    });
  }

  take(): Uint8Array | undefined {
    return this.#coded.take();
  }

  async finish(): Promise<readonly Uint8Array[]> {
    this.#encoder.end();
    await this.#end.promise;
    return this.#coded.finish();
  }

  close(): void {
    this.#encoder.destroy();
  }

  #addCoded(bytes: Uint8Array): void {
    try {
      this.#coded.add(bytes);
    } catch (error) {
      this.#encoder.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part) : part;
}
