/** An answer as the checks see it: headers by lower-case name, and the decoded body. */

import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

/** One HTTP answer. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; a header sent twice has its values joined by `, `. */
  readonly headers: ReadonlyMap<string, string>;
  /** The decoded body. */
  readonly body: Buffer;
  /** The reason why the body could not be decoded according to its `Content-Encoding`, if so. */
  readonly codingProblem?: string;
}

/** The largest body that is read or decompressed, in bytes. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;

const DECODERS: ReadonlyMap<string, (bytes: Buffer) => Promise<Buffer>> = new Map([
  ['gzip', (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_BODY_BYTES })],
  ['x-gzip', (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_BODY_BYTES })],
  ['br', (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: MAX_BODY_BYTES })],
  ['zstd', (bytes) => promisify(zstdDecompress)(bytes, { maxOutputLength: MAX_BODY_BYTES })],
  ['deflate', (bytes) => promisify(inflate)(bytes, { maxOutputLength: MAX_BODY_BYTES })],
] satisfies [string, (bytes: Buffer) => Promise<Buffer>][]);

/** Makes an answer of a received message; `rawHeaders` alternates names and values. */
export async function makeAnswer(
  status: number,
  rawHeaders: readonly string[],
  bytes: Buffer,
): Promise<Answer> {
  const headers = joinHeaders(rawHeaders);
  const coding = headers.get('content-encoding')?.toLowerCase();
  if (coding === undefined || bytes.length === 0) return { status, headers, body: bytes };
  const decode = DECODERS.get(coding);
  if (decode === undefined)
    return { status, headers, body: bytes, codingProblem: `unknown coding "${coding}"` };
  try {
    return { status, headers, body: await decode(bytes) };
  } catch (error) {
    return { status, headers, body: bytes, codingProblem: `not ${coding}: ${String(error)}` };
  }
}

function joinHeaders(rawHeaders: readonly string[]): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}
