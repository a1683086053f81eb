/** Error answers to what the HTTP parser itself refuses: there is no response object yet, only the socket. */
import type { Duplex } from 'node:stream';
import { commonHeaders } from './headers.ts';
import { type Problem, type ProblemKind, problem } from './problem.ts';

/** Answers and closes the connection; a connection that is gone or idle is just closed. */
export function refuseOnSocket(error: Error, socket: Duplex): void {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [kind, detail] = refusal(code, 'rawPacket' in error ? error.rawPacket : undefined);
  socket.end(responseText(problem(kind, detail)), () => socket.destroy());
}

/** Answers CONNECT, for which the parser hands over the bare socket: this is no proxy. */
export function refuseConnect(_request: unknown, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  const detail = 'CONNECT is not offered; this server is no proxy';
  socket.end(responseText(problem('method-not-offered', detail)), () => socket.destroy());
}

function refusal(code: string, packet: unknown): readonly [ProblemKind, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isRequestLine(packet)
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

/** Whether the parser gave up before the request line had ended. */
function isRequestLine(packet: unknown): boolean {
  return packet instanceof Uint8Array && packet.indexOf(0x0a) === -1;
}

function responseText({ status, headers, body }: Problem): string {
  const fields = { ...commonHeaders, ...headers, 'content-length': body.length, connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};
