/**
 * The response class of the server (an option of `createServer`): it writes answers, and says when the client has
 * taken them. A whole message is written to the connection at once, which takes a third off the cost of a request;
 * everything else goes through `writeHead`, `write` and `end`.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../answer.ts';
import { Representation } from '../representation.ts';
import type { ServingCounter } from '../serving-counter.ts';
import { matchesTag } from './conditional.ts';
import { type DateHeader, fieldLines } from './headers.ts';

/** Options that all responses of a server share. */
export interface SendOptions {
  readonly counter: ServingCounter;
  /** On every response, names and values in turn; a whole message of a representation has them in its text. */
  readonly commonHeaders: readonly string[];
  readonly dates: DateHeader;
}

/** A response that knows answers. It is used only when it is its turn on the connection. */
export class AnswerResponse extends ServerResponse {
  /** Headers beside those of the answer, names and values in turn. */
  extraHeaders: readonly string[] | undefined;

  /**
   * Sends an answer; the response emits `finish` once the client has taken it, and `close` after that.
   * @param ifNoneMatch the header of that name.
   * @returns whether the client has taken it already.
   */
  send(answer: Answer, ifNoneMatch: string | undefined, options: SendOptions): boolean {
    const { counter, commonHeaders, dates } = options;
    if (!(answer instanceof Representation)) {
      counter.countRequest(answer.status);
      const { status, body } = answer;
      const headers = [...commonHeaders, ...answer.headers];
      if (status !== 204) headers.push('Content-Length', String(body.length));
      return this.#sendParts({ status, headers, body: [body] });
    }
    const isWhole = this.shouldKeepAlive && this.req.method === 'GET';
    if (matchesTag(ifNoneMatch, answer.etag)) {
      counter.countRequest(304);
      return isWhole
        ? this.#sendWhole(this.#withExtra(answer.notModifiedMessage(dates.now())))
        : this.#sendParts({
            status: 304,
            headers: [...commonHeaders, ...answer.notModifiedHeaders],
            body: [],
          });
    }
    counter.countRequest(200);
    if (this.req.method !== 'HEAD') counter.bodyBytes += answer.bodyBytes;
    return isWhole
      ? this.#sendWhole(this.#withExtra(answer.message(dates.now())))
      : this.#sendParts({ status: 200, headers: [...commonHeaders, ...answer.headers], body: answer.body });
  }

  /** A message with the extra headers behind its status line. */
  #withExtra(message: readonly (Uint8Array | string)[]): readonly (Uint8Array | string)[] {
    if (this.extraHeaders === undefined) return message;
    const [first = '', ...others] = message;
    const lineEnd = (typeof first === 'string' ? first.indexOf('\n') : first.indexOf(newline)) + 1;
    const line = Buffer.from(first.slice(0, lineEnd)).toString('latin1');
    const rest = typeof first === 'string' ? first.slice(lineEnd) : first.subarray(lineEnd);
    return [line + fieldLines(this.extraHeaders), rest, ...others];
  }

  /**
   * Writes a message of status line, headers and body, some of its pieces at a time. To the server this response is
   * finished when the last has been taken.
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
    // Calls back when all that was written before has been taken.
    socket.write('', (error) => {
      if (error != null) return;
      this.emit('progress');
      if (start === message.length) this.emit('finish');
      // Not at once: a client on the same machine takes megabytes in one go, and hundreds may wait for one large answer.
      else setImmediate(() => this.#sendRest(socket, message, writeSome(socket, message, start)));
    });
  }

  /**
   * Writes a part when the one before has been taken, and ends behind the last one: the server takes a response
   * that has ended for an idle connection, which it closes when it stops.
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

/** Whether some of the request's body has not been read; of a request without one nothing is said. */
export function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);
}

const newline = 10;

/** How long a connection is read from before it is closed. */
export const lingerMs = 2000;

/** As much of a message is given to a connection at once. */
const maxQueuedBytes = 512 * 1024;

/** Writes pieces until enough is queued; gives the index of the next one. */
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
