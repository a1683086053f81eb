/**
 * The first line and the size of the head that Node's parser is reading, to judge its errors by. The parser reads the connection by
 * itself, and an error of it carries only the last packet, which TCP cuts anywhere.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '../problem.ts';
import {
  findRequestStart,
  parseRequestLine,
  parserProblem,
  type RequestLine,
  tooLarge,
  unknownMethodStart,
} from './parser-errors.ts';
import { hasUnreadBody } from './response.ts';

/** Request line and headers together, in bytes: what the HTTP parser takes before it refuses. */
export const maxHeadBytes = 32 * 1024;

/** Limit on what is kept of a line: longer than the longest target that is answered (8 KiB), so a longer line is too long anyway. */
const maxLineLength = 9 * 1024;

/**
 * The members of Node's parser that are used here. They are not documented: without them only the last packet would be known, and
 * test/http/cuts.slow.ts would fail.
 */
interface Parser {
  readonly constructor: { readonly kOnMessageBegin: number; readonly kOnExecute: number };
  /** A copy of the packet that was read just now; for `kOnExecute` alone. */
  readonly getCurrentBuffer: () => Buffer;
  [callback: number]: ((result?: unknown) => void) | null;
}

/**
 * Follows the parser of one connection. Heads that come in several packets are copied up to the limit. That a message begins is asked of
 * the parser only where it may begin behind another one in a packet: for each request that would take a thirtieth of the time of a 304.
 */
export class RequestHead {
  /** The request whose head was read to its end last. */
  latest: IncomingMessage | undefined;
  readonly #parser: Parser | undefined;
  /** True also between requests, for the head with which the next packet begins. */
  #isInHead = true;
  /** The part of the first line that has arrived, in Latin-1; empty as long as packets have ended before it only. */
  #line = '';
  /** Size of the part of the head that has arrived. */
  #sizeBytes = 0;
  /** The part of a line that has arrived, of one that was refused for its method. */
  #refusedLine: string | undefined;
  #isJudged = false;
  readonly #begin = () => {
    this.#isInHead = true;
    this.#line = '';
    this.#sizeBytes = 0;
  };

  constructor(socket: Socket) {
    const parser: unknown = Reflect.get(socket, 'parser');
    if (!isParser(parser)) return;
    this.#parser = parser;
    const { kOnExecute } = parser.constructor;
    const execute = parser[kOnExecute];
    parser[kOnExecute] = (result) => {
      if (typeof result === 'number') this.#endPacket(parser);
      execute?.(result);
    };
  }

  /** True while a line that was refused has not come to its end. */
  get isLineAwaited(): boolean {
    return this.#refusedLine !== undefined && !this.#isJudged;
  }

  /** Notes that a head has been read to its end. */
  end(request: IncomingMessage): void {
    this.#isInHead = false;
    this.latest = request;
    this.#setBeginCallback(this.#begin);
  }

  #endPacket(parser: Parser): void {
    if (this.#isInHead) this.#keep(parser.getCurrentBuffer());
    // The packet in which a body ends may hold the next head too, so there the callback stays.
    else if (this.latest === undefined || !hasUnreadBody(this.latest)) {
      this.#begin();
      this.#setBeginCallback(null);
    }
  }

  /** Has the parser call back when it begins to read a message. */
  #setBeginCallback(callback: (() => void) | null): void {
    if (this.#parser !== undefined) this.#parser[this.#parser.constructor.kOnMessageBegin] = callback;
  }

  /**
   * Judges an error of the parser (an event `clientError`).
   * @returns a problem, or a request line whose method alone was refused, once for a connection; undefined after that, and where the
   * verdict depends on what is still to come. The parser complains again about each packet, so it will be called again.
   */
  findFault(error: Error): Problem | RequestLine | undefined {
    if (this.#isJudged) return undefined;
    const fault = this.#judge(error);
    this.#isJudged = fault !== undefined;
    return fault;
  }

  #judge(error: Error): Problem | RequestLine | undefined {
    const packet = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : undefined;
    if (packet === undefined || !('bytesParsed' in error)) return parserProblem(error, false);
    if (this.#refusedLine !== undefined) return this.#continueLine(packet);
    const parsedBytes = Number(error.bytesParsed);
    if (this.#isInHead) this.#keep(packet.subarray(0, parsedBytes));
    const line = this.#line;
    const isInLine = this.#isInHead && !line.endsWith('\n');
    // The parser compares sizes at the end of a packet, so within one it may find a fault after the limit first.
    const isHeadTooLarge = this.#isInHead && this.#sizeBytes > maxHeadBytes;
    if (isHeadTooLarge || (isInLine && line.length >= maxLineLength)) return tooLarge(isInLine);
    const methodStart = unknownMethodStart(error, line);
    if (methodStart === undefined) return parserProblem(error, isInLine);
    this.#refusedLine = line.slice(methodStart);
    return this.#continueLine(packet.subarray(parsedBytes));
  }

  #continueLine(packet: Buffer): Problem | RequestLine | undefined {
    this.#refusedLine += packet.toString('latin1', 0, maxLineLength + 1);
    return parseRequestLine(this.#refusedLine ?? '', maxLineLength);
  }

  /** Counts what a packet has of the head, and keeps what it has of the first line; no more of a line that is too long. */
  #keep(packet: Buffer): void {
    const known = this.#line;
    const start = known === '' ? this.#startIn(packet) : 0;
    this.#sizeBytes += packet.length - start;
    if (known.length >= maxLineLength || known.endsWith('\n')) return;
    const end = packet.indexOf('\n', start) + 1 || packet.length;
    this.#line =
      known + packet.toString('latin1', start, Math.min(end, start + maxLineLength - known.length));
  }

  /** Finds the start of the head in a packet that ends within it: after the last empty line, and after the body that follows it. */
  #startIn(packet: Buffer): number {
    const emptyLine = packet.lastIndexOf('\r\n\r\n');
    let start = emptyLine === -1 ? 0 : emptyLine + 4;
    while (packet[start] === 10 || packet[start] === 13) start++;
    const hasBody = Number(this.latest?.headers['content-length']) > 0;
    return hasBody ? start + findRequestStart(packet.toString('latin1', start)) : start;
  }
}

function isParser(value: unknown): value is Parser {
  if (typeof value !== 'object' || value === null || !('getCurrentBuffer' in value)) return false;
  return 'kOnMessageBegin' in value.constructor && 'kOnExecute' in value.constructor;
}
