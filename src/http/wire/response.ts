/**
 * The response class of the server (an option of `createServer`), which also reports the progress of a client. A whole message is
 * written to the connection at once, which makes a request cost a third less; others go through `writeHead`, `write` and `end`.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../answer.ts';
import { matchesTag } from '../cache/entity-tag.ts';
import { countRequest } from '../metrics.ts';
import { Representation } from '../representation.ts';
import { StreamedAnswer } from '../streamed-answer.ts';
import { type DateHeader, fieldLines } from './headers.ts';
import { ServerResponse } from './node-http.ts';

/** Options that all responses of a server share. */
export interface SendOptions {
  /** Headers of every response, as names and values in turn; whole messages contain them already. */
  readonly commonHeaders: readonly string[];
  readonly dates: DateHeader;
}

/** A response that sends an answer. It is used only after the responses before it on the connection. */
export class AnswerResponse extends ServerResponse {
  /** More headers, as names and values in turn. */
  extraHeaders: readonly string[] | undefined;

  /**
   * Sends an answer. Emits `finish` when the client has received it, then `close`.
   * @param ifNoneMatch the header of that name.
   * @returns true if the whole answer has been given to the system already.
   */
  send(answer: Answer, ifNoneMatch: string | undefined, options: SendOptions): boolean {
    const { commonHeaders, dates } = options;
    if (answer instanceof StreamedAnswer) return this.#sendStream(answer, ifNoneMatch, options);
    if (!(answer instanceof Representation)) {
      countRequest(answer.status);
      const { status, body } = answer;
      const headers = [...commonHeaders, ...answer.headers];
      if (status !== 204) headers.push('Content-Length', String(body.length));
      return this.#sendParts({ status, headers, body: [body] });
    }
    const isWhole = this.shouldKeepAlive && this.req.method === 'GET';
    if (matchesTag(ifNoneMatch, answer.etag)) {
      countRequest(304);
      return isWhole
        ? this.#sendWhole(this.#withExtra(answer.notModifiedMessage(dates.now())))
        : this.#sendParts({
            status: 304,
            headers: [...commonHeaders, ...answer.notModifiedHeaders],
            body: [],
          });
    }
    countRequest(200);
    return isWhole
      ? this.#sendWhole(this.#withExtra(answer.message(dates.now())))
      : this.#sendParts({ status: 200, headers: [...commonHeaders, ...answer.headers], body: answer.body });
  }

  /**
   * Sends a stream, in chunks. HTTP/1.0 has none: there the body ends with the connection. One that ends too early is reset, so that no
   * client takes it for whole.
   */
  #sendStream(
    stream: StreamedAnswer,
    ifNoneMatch: string | undefined,
    { commonHeaders }: SendOptions,
  ): boolean {
    const { headers, notModifiedHeaders } = stream.kind;
    const isMatched = matchesTag(ifNoneMatch, stream.etag);
    const status = isMatched ? 304 : 200;
    countRequest(status);
    const head = { status, headers: [...commonHeaders, ...(isMatched ? notModifiedHeaders : headers)] };
    if (isMatched || this.req.method === 'HEAD') {
      void stream[Symbol.asyncDispose]();
      return this.#sendParts({ ...head, body: [] });
    }
    this.writeHead(status, [...head.headers, ...(this.extraHeaders ?? [])]);
    this.flushHeaders();
    const { socket } = this;
    const write = (part: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        this.write(part, (error) => (error == null ? resolve() : reject(error)));
      });
    void stream.send(write).then((isWhole) => {
      if (!isWhole) socket?.resetAndDestroy();
      else {
        // What is left to be sent is in one part.
        this.emit('progress');
        this.#endBehindRequest();
      }
    });
    return false;
  }

  /** Inserts the extra headers after the status line of a message. */
  #withExtra(message: readonly (Uint8Array | string)[]): readonly (Uint8Array | string)[] {
    if (this.extraHeaders === undefined) return message;
    const [first = '', ...others] = message;
    const lineEnd = (typeof first === 'string' ? first.indexOf('\n') : first.indexOf(newline)) + 1;
    const line = Buffer.from(first.slice(0, lineEnd)).toString('latin1');
    const rest = typeof first === 'string' ? first.slice(lineEnd) : first.subarray(lineEnd);
    return [line + fieldLines(this.extraHeaders), rest, ...others];
  }

  /**
   * Writes a message of status line, headers and body, a few pieces at a time. For the server this response is finished after the last
   * one.
   */
  #sendWhole(message: readonly (Uint8Array | string)[]): boolean {
    const { socket } = this;
    if (socket === null) return false;
    const end = writeSome(socket, message, 0);
    if (end === message.length && socket.writableLength === 0) {
      this.emit('finish');
      return true;
    }
    this.#sendRest(socket, message, end);
    return false;
  }

  #sendRest(socket: Socket, message: readonly (Uint8Array | string)[], start: number): void {
    // The callback runs when everything before it has been written.
    socket.write('', (error) => {
      if (error != null) return;
      this.emit('progress');
      if (start === message.length) this.emit('finish');
      // Not at once: a client on the same machine reads megabytes without a pause, and hundreds may wait for one large response.
      else setImmediate(() => this.#sendRest(socket, message, writeSome(socket, message, start)));
    });
  }

  /**
   * Writes each part after the one before, and ends the response after the last: a connection whose response has ended counts as idle,
   * and a stop closes it.
   */
  #sendParts(message: {
    readonly status: number;
    readonly headers: readonly string[];
    readonly body: readonly Uint8Array[];
  }): boolean {
    this.writeHead(message.status, [...message.headers, ...(this.extraHeaders ?? [])]);
    const parts = this.req.method === 'HEAD' ? [][Symbol.iterator]() : message.body.values();
    const next = (error?: Error | null) => {
      if (error != null) return;
      const { done, value } = parts.next();
      if (done === true) this.#endBehindRequest();
      else {
        this.emit('progress');
        this.write(value, next);
      }
    };
    next();
    return false;
  }

  /** A connection that is closed with unread bytes is reset, and the reset may outrun the answer (RFC 9112 9.6). */
  #endBehindRequest(): void {
    const { req } = this;
    if (this.shouldKeepAlive || !hasUnreadBody(req)) {
      this.end();
      return;
    }
    const timer = setTimeout(() => this.end(), lingerMs);
    req.resume().once('close', () => {
      clearTimeout(timer);
      this.end();
    });
  }
}

/** True if a request has a body that has not been read to its end. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);
}

const newline = 10;

/** Time for which a connection is still read before it is closed. */
export const lingerMs = 2000;

/** Limit on the bytes of a message that are queued on a connection. */
const maxQueuedBytes = 512 * 1024;

/** Writes pieces until enough is queued, and returns the index of the next one. */
function writeSome(socket: Socket, message: readonly (Uint8Array | string)[], start: number): number {
  if (message.length > 1) socket.cork();
  let index = start;
  do {
    socket.write(message[index] ?? '', 'latin1');
    index++;
  } while (index < message.length && socket.writableLength < maxQueuedBytes);
  if (message.length > 1) socket.uncork();
  return index;
}
