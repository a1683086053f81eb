/**
 * Plain requests: a whole GET in one piece, in the form that nearly every client sends, recognised without an
 * HTTP parser. What is not plain is not judged here: the parser of Node reads it, and says what is wrong.
 */
import { type ContentCoding, chooseCoding } from '../cache/content-coding.ts';

/** What an answer needs to know of a plain request. */
export interface PlainRequest {
  /** The request target: a path and perhaps a query. */
  readonly target: string;
  readonly coding: ContentCoding;
  readonly ifNoneMatch: string | undefined;
}

// Printable ASCII alone; one line for each header; nothing behind the empty line.
const plainForm = /^GET (\/[!-~]*) HTTP\/1\.1\r\n((?:[!#$%&'*+.^_`|~\w-]+:[\t -~]*\r\n)*)\r\n$/;

// Headers that change how the connection goes on, or say that a body follows.
const notPlain = new Set([
  'content-length',
  'expect',
  'http2-settings',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// A client sends the same bytes again and again, and all clients of a kind the same: they are parsed once.
const parsed = new Map<string, PlainRequest>();
const maxParsed = 1000;
const maxParsedLength = 1000;

/** Reads a request from latin1 text; undefined for one that is not plain. */
export function parsePlainRequest(text: string): PlainRequest | undefined {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const request = parse(text);
  if (request !== undefined && text.length <= maxParsedLength) {
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(text, request);
  }
  return request;
}

function parse(text: string): PlainRequest | undefined {
  const [, target, lines = ''] = plainForm.exec(text) ?? [];
  if (target === undefined) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines.split('\r\n').slice(0, -1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    // What two headers of one name mean together is for the parser to say.
    if (headers.has(name) || notPlain.has(name)) return undefined;
    headers.set(name, line.slice(colon + 1).trim());
  }
  const connection = headers.get('connection')?.toLowerCase();
  if (connection !== undefined && connection !== 'keep-alive') return undefined;
  return {
    target,
    coding: chooseCoding(headers.get('accept-encoding')),
    ifNoneMatch: headers.get('if-none-match'),
  };
}
