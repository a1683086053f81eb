/** What the HTTP parser refuses, as notices. */
import { type Notice, type ProblemKind, problem } from '../problem.ts';

/** The notice for an error of the parser (an event `clientError`). */
export function parserNotice(error: Error): Notice {
  return problem(...refusalOf('code' in error ? String(error.code) : '', error));
}

function refusalOf(code: string, error: Error): [ProblemKind, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isInRequestLine(error)
        ? ['uri-too-long', 'the request target is too long']
        : ['headers-too-large', 'the request headers are too large'];
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return ['headers-too-large', 'the chunk extensions of the request body are too large'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['request-timeout', 'the request did not arrive in time'];
    default:
      return ['malformed-request', 'the request is not valid HTTP/1.1'];
  }
}

/**
 * Whether the parser gave up before the request line had ended, told by the last packet up to there: a target
 * has no space and no line end, headers nearly always have.
 */
function isInRequestLine(error: Error): boolean {
  if (!('rawPacket' in error && error.rawPacket instanceof Uint8Array)) return false;
  const parsedBytes = 'bytesParsed' in error ? Number(error.bytesParsed) : error.rawPacket.length;
  const parsed = Buffer.from(error.rawPacket.subarray(0, parsedBytes)).toString('latin1');
  return /^(?:[A-Z]+ )?[^ \n]*$/.test(parsed);
}
