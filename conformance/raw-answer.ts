/** Parses HTTP/1 answers (RFC 9112) from the bytes of a connection: a pure function. */

import { type Answer, makeAnswer } from './answer.ts';

/** Whole answers found in bytes, not yet decoded, and the number of bytes left over. */
export interface ParsedAnswers {
  readonly answers: readonly (() => Promise<Answer>)[];
  readonly rest: number;
}

interface Piece {
  readonly bytes: Buffer;
  readonly end: number;
}

/**
 * Parses as many complete answers as the bytes contain. Interim answers (1xx) are skipped. `methods` are
 * those of the requests, in order; `closed` says that no more bytes will come.
 */
export function parseAnswers(bytes: Buffer, methods: readonly string[], closed: boolean): ParsedAnswers {
  const answers: (() => Promise<Answer>)[] = [];
  let at = 0;
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd === -1) break;
    const [statusLine = '', ...lines] = bytes.subarray(at, headEnd).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] ([0-9]{3})(?: |$)/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) break;
    const rawHeaders = lines.flatMap((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const bodyAt = headEnd + 4;
    const piece = readBody({
      bytes,
      bodyAt,
      status,
      method: methods[answers.length] ?? 'GET',
      rawHeaders,
      closed,
    });
    if (piece === undefined) break;
    at = piece.end;
    if (status >= 200) answers.push(() => makeAnswer(status, rawHeaders, piece.bytes));
  }
  return { answers, rest: bytes.length - at };
}

interface Frame {
  readonly bytes: Buffer;
  readonly bodyAt: number;
  readonly status: number;
  readonly method: string;
  readonly rawHeaders: readonly string[];
  readonly closed: boolean;
}

/** RFC 9112 6.3: the bytes of the body. Undefined if it is not complete yet. */
function readBody({ bytes, bodyAt, status, method, rawHeaders, closed }: Frame): Piece | undefined {
  const nothing = { bytes: Buffer.alloc(0), end: bodyAt };
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return nothing;
  if (/chunked/i.test(findHeader(rawHeaders, 'transfer-encoding') ?? '')) return readChunks(bytes, bodyAt);
  const length = findHeader(rawHeaders, 'content-length');
  if (length === undefined) return closed ? { bytes: bytes.subarray(bodyAt), end: bytes.length } : undefined;
  const end = bodyAt + Number(length);
  return end <= bytes.length ? { bytes: bytes.subarray(bodyAt, end), end } : undefined;
}

function readChunks(bytes: Buffer, start: number): Piece | undefined {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const sizeBytes = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + sizeBytes;
    if (Number.isNaN(sizeBytes) || bytes.length < end + 2) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
    if (sizeBytes === 0) return { bytes: Buffer.concat(chunks), end: at };
  }
}

function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((entry, place) => place % 2 === 0 && entry.toLowerCase() === name);
  return index === -1 ? undefined : rawHeaders[index + 1];
}
