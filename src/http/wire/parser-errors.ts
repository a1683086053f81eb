/** What the HTTP parser refuses, as problems. */
import type { Problem, ProblemKind } from '../problem.ts';

/** The problem for an error of the parser (an event `clientError`). */
export function parserProblem(error: Error): Problem {
  const [kind, detail] = refusalOf('code' in error ? String(error.code) : '', error);
  return { kind, detail };
}

/** A request line that the parser refuses for its method alone; undefined for any other error. */
export function unknownMethodOf(
  error: Error,
): { readonly method: string; readonly target: string } | undefined {
  if (!('code' in error && error.code === 'HPE_INVALID_METHOD')) return undefined;
  const { text, parsedBytes } = lastPacketOf(error);
  const line = text.slice(text.lastIndexOf('\n', parsedBytes - 1) + 1);
  const [, method, target] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]\r?\n/.exec(line) ?? [];
  return method === undefined || target === undefined ? undefined : { method, target };
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
  const { text, parsedBytes } = lastPacketOf(error);
  return text !== '' && /^(?:[A-Z]+ )?[^ \n]*$/.test(text.slice(0, parsedBytes));
}

/** The packet that the parser gave up in, in Latin-1, and how far it came. */
function lastPacketOf(error: Error): { readonly text: string; readonly parsedBytes: number } {
  const packet = 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : [];
  const text = Buffer.from(packet).toString('latin1');
  return { text, parsedBytes: 'bytesParsed' in error ? Number(error.bytesParsed) : text.length };
}
