/** Content codings: which one a client wants (RFC 9110 12.5.3), and how a body is coded. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

/** A coding that answers come in; `identity` is the body as it is. */
export type ContentCoding = 'identity' | 'br' | 'gzip' | 'zstd';

// In the order in which they are taken when a client likes several the same.
const preference: readonly ContentCoding[] = ['br', 'gzip', 'zstd', 'identity'];

/** The coding for an `Accept-Encoding` header; `identity` where there is none, or nothing it allows is ours. */
export function chooseCoding(acceptEncoding: string | undefined): ContentCoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const weights = parseWeights(acceptEncoding);
  const rest = weights.get('*');
  let chosen: ContentCoding = 'identity';
  let best = 0;
  for (const coding of preference) {
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

/** The body in a coding; the work is done off the main thread. */
export async function encode(body: Buffer, coding: Exclude<ContentCoding, 'identity'>): Promise<Buffer> {
  switch (coding) {
    case 'gzip':
      return gzipAsync(body, { level: 6 });
    case 'br':
      return brotliAsync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      });
    case 'zstd':
      return zstdAsync(body);
  }
}
