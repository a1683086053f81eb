/** Content codings: which one a client wants (RFC 9110 12.5.3), and how a body is coded. */
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

/** The codings that answers come in; `identity` is the body as it is. */
export const contentCodings = ['br', 'gzip', 'zstd', 'identity'] as const;

/** One of them. Where a client likes several the same, the first is taken. */
export type ContentCoding = (typeof contentCodings)[number];

/** Bodies below this go out as they are: coding them would save less than a packet. */
export const minCodedBytes = 1024;

// Real clients send few distinct values. The map is cleared when full, so hostile ones cost only parsing.
const chosenCodings = new Map<string, ContentCoding>();
const maxChosenCodings = 256;

/**
 * The coding of a body for an `Accept-Encoding` header; `identity` where there is none, where it allows none of ours, and for
 * what is compressed in itself.
 */
export function codingFor(mediaType: string, acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined || mediaType === 'image/png') return 'identity';
  const known = chosenCodings.get(acceptEncoding);
  if (known !== undefined) return known;
  const chosen = bestCoding(acceptEncoding);
  if (chosenCodings.size >= maxChosenCodings) chosenCodings.clear();
  chosenCodings.set(acceptEncoding, chosen);
  return chosen;
}

function bestCoding(acceptEncoding: string): ContentCoding {
  const weights = parseWeights(acceptEncoding);
  const rest = weights.get('*');
  let chosen: ContentCoding = 'identity';
  let best = 0;
  for (const coding of contentCodings) {
    // What is not named is not wanted, except that identity is always better than nothing.
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

// A window of 16 KiB holds most answers of a month; setting up a smaller one takes less than it saves.
const fastGzip = { level: 1, windowBits: 14, memLevel: 7 };
const smallGzip = { level: 6 };
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Below this, gzip at its fastest takes less than handing the work to another thread. */
const maxInlineBytes = 64 * 1024;

/**
 * The body in a coding. What the bytes are depends on the body alone, so that every node sends the same under one tag.
 * Programs ask for gzip, mostly for responses that are not cached: it is coded fast. Browsers ask for brotli and get the
 * smallest body. Only what is quick is done on the main thread.
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

/** What an encoder of parts gives out at once. */
const chunkSize = 64 * 1024;

/** The transform that codes a body which comes in parts. */
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
