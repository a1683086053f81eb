/** Errors of the HTTP parser as problems. Pure. */
import type { Problem } from '../problem.ts';

/** The first line of a request. */
export interface RequestLine {
  readonly method: string;
  readonly target: string;
}

/** The problem of a request that is not one of HTTP/1.1 or HTTP/1.0. */
export const malformedRequest: Problem = {
  kind: 'malformed-request',
  detail: 'the request is not valid HTTP/1.1',
};

const targetTooLong: Problem = { kind: 'uri-too-long', detail: 'the request target is too long' };

/**
 * The problem for an error of the parser (an event `clientError`).
 * @param isInRequestLine whether the parser was reading the first line of a request.
 */
export function parserProblem(error: Error, isInRequestLine: boolean): Problem {
  switch ('code' in error ? error.code : '') {
    case 'HPE_HEADER_OVERFLOW':
      return tooLarge(isInRequestLine);
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return {
        kind: 'headers-too-large',
        detail: 'the chunk extensions of the request body are too large',
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { kind: 'request-timeout', detail: 'the request did not arrive in time' };
    default:
      return malformedRequest;
  }
}

/** The problem of a head that is too large: that of its first line, or of its headers. */
export function tooLarge(isInRequestLine: boolean): Problem {
  if (isInRequestLine) return targetTooLong;
  return { kind: 'headers-too-large', detail: 'the request headers are too large' };
}

/**
 * Finds the start of the method in the part of a request line that was read; undefined unless the parser refused the line only for its
 * method. It knows a list of methods: it refuses others at the first letter that fits none, those of RTSP at the name of the protocol.
 */
export function unknownMethodStart(error: Error, line: string): number | undefined {
  if (!('code' in error && 'reason' in error)) return undefined;
  if (error.code === 'HPE_INVALID_METHOD') return tokenStart(line, line.length);
  if (!String(error.reason).startsWith('Invalid method for HTTP')) return undefined;
  return tokenStart(line, line.lastIndexOf(' ', line.lastIndexOf(' ') - 1));
}

/**
 * Parses the first line of a request, which may still be incomplete. However it is cut into pieces, the verdict is the same.
 * @returns the line, or a problem, or undefined where the verdict depends on what is still to come.
 */
export function parseRequestLine(text: string, maxLength: number): RequestLine | Problem | undefined {
  const end = text.indexOf('\n');
  const isWhole = end !== -1 && end <= maxLength;
  const [method = '', target, version, ...more] = text.slice(0, isWhole ? end : maxLength).split(' ');
  const isRight =
    /^[!#$%&'*+.^_`|~\w-]+$/.test(method) &&
    (target === undefined || /^[!-~\x80-\xff]*$/.test(target)) &&
    (version === undefined || (target !== '' && isVersionStart(version))) &&
    more.length === 0;
  if (!isRight) return malformedRequest;
  if (!isWhole) return text.length > maxLength ? targetTooLong : undefined;
  return target !== undefined && version?.endsWith('\r') ? { method, target } : malformedRequest;
}

/**
 * Finds the start of a request in a text that starts in the middle of the body before it and ends in the middle of its head. The
 * parser does not tell it, so this looks for a request line, or else for one that has just begun. The result may be a word too early.
 */
export function findRequestStart(text: string): number {
  const lineEnd = text.search(/ HTTP\/\d\.\d\r\n/);
  if (lineEnd !== -1) return tokenStart(text, text.lastIndexOf(' ', lineEnd - 1));
  const line = text.slice(text.lastIndexOf('\n') + 1);
  // The target and the version follow the method, if they have arrived yet.
  const targetEnd = line.lastIndexOf(' ');
  const methodEnd = line.slice(0, Math.max(0, targetEnd)).lastIndexOf(' ');
  const end = [methodEnd, targetEnd, line.length].find((place) => place !== -1) ?? 0;
  return text.length - line.length + tokenStart(line, end);
}

/** Start of the token that ends at `end`. */
function tokenStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && /[!#$%&'*+.^_`|~\w-]/.test(text.charAt(start - 1))) start--;
  return Math.max(0, start);
}

function isVersionStart(text: string): boolean {
  return 'HTTP/1.1\r'.startsWith(text) || 'HTTP/1.0\r'.startsWith(text);
}
