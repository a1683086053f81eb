/** Content codings: the choice of one for a client (RFC 9110 12.5.3), and the coding of bodies. */
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
} from 'node:zlib';

/** The codings of responses, the preferred first; `identity` is the body as it is. */
export const contentCodings = ['br', 'gzip', 'zstd', 'identity'] as const;

/** A content coding. */
export type ContentCoding = (typeof contentCodings)[number];

/** Size from which bodies are coded: below it, coding would save less than a packet. */
export const minCodedBytes = 1024;

/** Limit on the headers whose coding is remembered. */
const maxKnownHeaders = 256;

/** Chooses codings by `Accept-Encoding`. Real clients send few distinct values, so each is parsed once. */
export class CodingChoice {
  readonly #known = new Map<string, ContentCoding>();

  /**
   * The best coding for a client: `identity` if it sends no header or allows no coding of ours, and for media types that are compressed
   * themselves.
   */
  choose(mediaType: string, acceptEncoding: string | undefined): ContentCoding {
    if (acceptEncoding === undefined || mediaType === 'image/png') return 'identity';
    const known = this.#known.get(acceptEncoding);
    if (known !== undefined) return known;
    const chosen = bestCoding(acceptEncoding);
    // A hostile client then costs only the parsing.
    if (this.#known.size >= maxKnownHeaders) this.#known.clear();
    this.#known.set(acceptEncoding, chosen);
    return chosen;
  }
}

function bestCoding(acceptEncoding: string): ContentCoding {
  const weights = parseWeights(acceptEncoding);
  const rest = weights.get('*');
  let chosen: ContentCoding = 'identity';
  let best = 0;
  for (const coding of contentCodings) {
    // A coding that is not named is not wanted, but identity is always better than nothing.
    const weight = weights.get(coding) ?? rest ?? (coding === 'identity' ? 0.0001 : 0);
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

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);
const zstdAsync = promisify(zstdCompress);

// A window of 16 KiB holds most responses of a month, and is quicker to set up than the largest one.
const fastGzip = { level: 1, windowBits: 14, memLevel: 7 };
const smallGzip = { level: 6 };
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Size up to which fast gzip takes less time than handing the work to another thread. */
const maxInlineBytes = 64 * 1024;

/**
 * Codes a body. The bytes depend on the body alone, so that every node sends the same under one entity tag. Programs ask for gzip, mostly
 * for responses that are not cached, so gzip is fast; browsers ask for brotli and get the smallest body. Only fast work is done on the
 * main thread.
 */
export function encode(
  body: Uint8Array,
  coding: ContentCoding,
  aim: 'fast' | 'small',
): Uint8Array | Promise<Uint8Array> {
  switch (coding) {
    case 'identity':
      return body;
    case 'gzip':
      return aim === 'fast' && body.length <= maxInlineBytes
        ? gzipSync(body, fastGzip)
        : gzipAsync(body, smallGzip);
    case 'br':
      return brotliAsync(body, brotli);
    case 'zstd':
      return zstdAsync(body);
  }
}

/** Size of the pieces that an encoder of parts gives out. */
const chunkSize = 64 * 1024;

/** Makes a transform for a body that comes in parts. */
export function createEncoder(coding: Exclude<ContentCoding, 'identity'>) {
  switch (coding) {
    case 'gzip':
      return createGzip({ ...smallGzip, chunkSize });
    case 'br':
      return createBrotliCompress({ ...brotli, chunkSize });
    case 'zstd':
      return createZstdCompress({ chunkSize });
  }
}
