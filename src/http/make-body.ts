/** Makes bodies: whole ones, hashed and coded, or streams if they are too large for that. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, type Hash, hash } from 'node:crypto';
import { nextTurn } from '../runtime/next-turn.ts';
import { release } from '../runtime/releasable-memory.ts';
import { type ContentCoding, encode, encodeStream } from './content-coding.ts';
import { type BodyForecast, type BodyPart, Redirect, type ResponseBody } from './endpoint.ts';

/** A body in one coding. */
export interface MadeBody {
  /** The wanted coding, or `identity` for a body that is not worth coding. */
  readonly coding: ContentCoding;
  /** The whole body, or a stream of it. */
  readonly content: Uint8Array | StreamedBody;
  /**
   * Strong entity tag (RFC 9110 8.8.3) of a whole body: SHA-256 of the body before coding, in base64url,
   * which is the same on every node, and the coding.
   */
  readonly etag: string | undefined;
}

/** Ends the making of a body that no client waits for any more. */
export class Abandoned extends Error {}

/**
 * A body that is sent as it is made. Disposing of it ends the reading of the store, even if it was not sent.
 */
export class StreamedBody implements AsyncDisposable {
  /** Chunks of some tens of kilobytes, to be taken once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly #parts: Iterator<BodyPart> | AsyncIterator<BodyPart>;

  /** @param made the parts that were made already; @param parts the others. */
  constructor(
    made: Uint8Array[],
    parts: Iterator<BodyPart> | AsyncIterator<BodyPart>,
    coding: ContentCoding,
  ) {
    this.#parts = parts;
    // It continues in the turns of the networks that it was begun for, even if others read its chunks.
    const resume = AsyncLocalStorage.snapshot();
    const next = async () => {
      await nextTurn();
      return await parts.next();
    };
    this.chunks = encodeStream(
      join(made, () => resume(next)),
      coding,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.return?.();
  }
}

/** Options of {@link makeBody}. */
interface MakingOptions {
  readonly coding: ContentCoding;
  /** False once no client waits for the body. */
  readonly isWanted: () => boolean;
  /** Streams the body instead of buffering it if the forecast exceeds the limit. */
  readonly forecast?: Readonly<BodyForecast>;
}

/** Size up to which a body is whole before its coding. */
const maxWholeBytes = 16 * 1024 * 1024;

/**
 * Makes a body of its parts, some in each turn.
 * @throws as the parts do, and {@link Abandoned} once it is not wanted.
 */
export async function makeBody(
  given: ReturnType<ResponseBody['parts']>,
  { coding, isWanted, forecast }: MakingOptions,
): Promise<MadeBody | Redirect> {
  const parts = given instanceof Promise ? await given : given;
  const iterator = Symbol.iterator in parts ? parts[Symbol.iterator]() : parts[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let digest: Hash | undefined;
  let sizeBytes = 0;
  let isOpen = true;
  try {
    for (;;) {
      const next = iterator.next();
      const { done, value } = next instanceof Promise ? await next : next;
      if (done === true) {
        isOpen = false;
        const bytes = joined(chunks, sizeBytes);
        const sha256 = digest?.digest('base64url') ?? hash('sha256', bytes, 'base64url');
        const coded = encode(bytes, coding);
        const made = coded instanceof Promise ? await coded : coded;
        const etag = made.coding === 'identity' ? `"${sha256}"` : `"${sha256}-${made.coding}"`;
        return { coding: made.coding, content: made.bytes, etag };
      }
      if (value instanceof Redirect) return value;
      if (value.length > 0) {
        const chunk = typeof value === 'string' ? Buffer.from(value) : value;
        // A large body is coded part by part, because it takes long; most bodies are coded at once.
        if (chunks.length === 1) digest = createHash('sha256').update(chunks[0] ?? '');
        digest?.update(chunk);
        chunks.push(chunk);
        sizeBytes += chunk.length;
      }
      if (sizeBytes > 0 && Math.max(sizeBytes, forecast?.minBytes ?? 0) > maxWholeBytes) {
        isOpen = false;
        return { coding, content: new StreamedBody(chunks, iterator, coding), etag: undefined };
      }
      if (!isWanted()) throw new Abandoned();
      const turn = nextTurn();
      if (turn !== undefined) await turn;
    }
  } finally {
    if (isOpen) await iterator.return?.();
  }
}

/** Size from which parts are sent: each chunk costs a system call. */
const minChunkBytes = 64 * 1024;

/** Joins parts to chunks: first those that were made, then the others on demand. */
async function* join(
  made: Uint8Array[],
  next: () => Promise<IteratorResult<BodyPart, unknown>>,
): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    let part: Uint8Array | undefined = made.shift();
    if (part === undefined) {
      const { done, value } = await next();
      if (done === true) break;
      if (value instanceof Redirect) throw new Error('a redirect is the only part of its body');
      part = typeof value === 'string' ? Buffer.from(value) : value;
    }
    chunks.push(part);
    sizeBytes += part.length;
    if (sizeBytes < minChunkBytes) continue;
    yield joined(chunks, sizeBytes);
    chunks = [];
    sizeBytes = 0;
  }
  if (sizeBytes > 0) yield joined(chunks, sizeBytes);
}

/** Joins chunks to one, and frees them. */
function joined(chunks: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const [first = new Uint8Array(0)] = chunks;
  if (chunks.length <= 1) return first;
  const all = Buffer.concat(chunks, sizeBytes);
  for (const chunk of chunks) release(chunk);
  return all;
}
