/** Content codings: the choice of one for a client (RFC 9110 12.5.3), and the coding of bodies. */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip, gzipSync } from 'node:zlib';

/** The codings of responses, the preferred first; `identity` is the body as it is. */
const contentCodings = ['br', 'gzip', 'identity'] as const;

/** A content coding. */
export type ContentCoding = (typeof contentCodings)[number];

/** Limit on the headers whose coding is remembered: real clients send few distinct ones. */
const maxKnownHeaders = 256;

const known = new Map<string, ContentCoding>();

/**
 * Chooses the coding for a client: `identity` if it sends no header or accepts none of our codings, and for
 * media types that are already compressed.
 */
export function chooseCoding(mediaType: string, acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined || mediaType === 'image/png') return 'identity';
  const found = known.get(acceptEncoding);
  if (found !== undefined) return found;
  const chosen = bestCoding(parseWeights(acceptEncoding));
  if (known.size >= maxKnownHeaders) known.clear();
  known.set(acceptEncoding, chosen);
  return chosen;
}

function bestCoding(weights: ReadonlyMap<string, number>): ContentCoding {
  let chosen: ContentCoding = 'identity';
  let best = 0;
  for (const coding of contentCodings) {
    // A coding that is not named is not accepted, but identity is always better than nothing.
    const weight = weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? 0.0001 : 0);
    if (weight > best) {
      chosen = coding;
      best = weight;
    }
  }
  return chosen;
}

function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : parseWeight(weight));
  }
  return weights;
}

function parseWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}

/** Size from which bodies are coded: below it, coding would save less than a packet. */
const minCodedBytes = 1024;

/** Size up to which fast gzip takes less time than handing the work to another thread. */
const maxInlineBytes = 64 * 1024;

// A window of 16 KiB holds most responses of a month, and is quicker to set up than the largest one.
const fastGzip = { level: 1, windowBits: 14, memLevel: 7 };
const smallGzip = { level: 6 };
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** A body in one coding. */
export interface CodedBytes {
  readonly coding: ContentCoding;
  readonly bytes: Uint8Array;
}

/**
 * Codes a body, unless it is too small. The bytes depend only on the body, so that every node sends the same
 * bytes under one entity tag. Programs ask for gzip, which is therefore fast; browsers ask for brotli and get
 * the smallest body.
 */
export function encode(bytes: Uint8Array, coding: ContentCoding): CodedBytes | Promise<CodedBytes> {
  if (coding === 'identity' || bytes.length < minCodedBytes) return { coding: 'identity', bytes };
  if (coding === 'gzip' && bytes.length <= maxInlineBytes)
    return { coding, bytes: gzipSync(bytes, fastGzip) };
  const coded = coding === 'gzip' ? gzipAsync(bytes, smallGzip) : brotliAsync(bytes, brotli);
  return coded.then((made) => ({ coding, bytes: made }));
}

/** Size of the chunks of a coded stream: each costs a system call. */
const chunkSize = 64 * 1024;

// A window of 256 KiB instead of 4 MiB: each stream takes 13 to 28 MB less.
const streamedBrotli = { params: { ...brotli.params, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** Codes chunks as they come. */
export function encodeStream(
  chunks: AsyncIterable<Uint8Array>,
  coding: ContentCoding,
): AsyncIterable<Uint8Array> {
  if (coding === 'identity') return chunks;
  const encoder =
    coding === 'gzip'
      ? createGzip({ ...smallGzip, chunkSize })
      : createBrotliCompress({ ...streamedBrotli, chunkSize });
  // A failure of the chunks destroys the encoder, so that its reader gets it.
  pipeline(Readable.from(chunks), encoder, () => {});
  return encoder;
}
