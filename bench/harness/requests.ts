/** Load over persistent connections; each request waits for the response to the one before. */
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../question.ts';
import { runChild } from './child.ts';

/** One request. */
export interface LoadRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Describes the requests and when to stop. */
export interface Requests {
  /** Returns the bytes of the next request. */
  readonly next: () => Uint8Array;
  /** Maximum number of requests. */
  readonly count?: number;
  /** Maximum time in seconds. */
  readonly seconds?: number;
}

const silenceMs = 60_000;
const headEnd = '\r\n\r\n';
const lastChunk = '\r\n0\r\n\r\n';

/** Shared receive buffer: sockets are read one at a time, and responses are not kept. */
const received = Buffer.alloc(256 * 1024);

/** Connections to a server; disposing of it closes them. */
export class Connections implements Disposable {
  readonly #url: string;
  readonly #status: number;
  #sockets: readonly Socket[];
  #send: (socket: Socket) => void = () => {};
  #fail: (error: Error) => void = () => {};
  #answeredCount = 0;

  /** Opens connections. @param options.status expected status of every response; 200 by default. */
  constructor(url: string, options: { readonly count: number; readonly status?: number }) {
    this.#url = url;
    this.#status = options.status ?? 200;
    this.#sockets = Array.from({ length: options.count }, () => this.#open());
  }

  [Symbol.dispose](): void {
    this.#fail = () => {};
    for (const socket of this.#sockets) socket.destroy();
  }

  /**
   * Sends requests; returns the number of responses. Rejects if a response has another status or no length
   * (except a 304), or if a connection breaks.
   */
  async send({ next, count = Number.POSITIVE_INFINITY, seconds }: Requests): Promise<number> {
    const endsAt = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * seconds;
    let sentCount = 0;
    this.#answeredCount = 0;
    // Reopens connections that the server has closed because they were idle.
    this.#sockets = this.#sockets.map((socket) => (socket.destroyed ? this.#open() : socket));
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      this.#send = (socket) => {
        if (sentCount < count && performance.now() < endsAt) {
          sentCount++;
          socket.write(next());
        } else if (this.#answeredCount === sentCount) resolve();
      };
      for (const socket of this.#sockets) this.#send(socket);
    });
    return this.#answeredCount;
  }

  #open(): Socket {
    const { hostname, port, href } = new URL(this.#url);
    let head = '';
    let missingBytes = 0;
    let end = '';
    const take = (byteCount: number) => {
      let bodyBytes = byteCount;
      if (missingBytes === 0) {
        head += received.toString('latin1', 0, byteCount);
        const bodyAt = head.indexOf(headEnd) + headEnd.length;
        if (bodyAt < headEnd.length) return true;
        const isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(head);
        const given = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
        const length = this.#status === 304 ? 0 : isChunked ? Number.POSITIVE_INFINITY : given;
        if (length === undefined || !head.startsWith(`HTTP/1.1 ${this.#status} `)) {
          this.#fail(new Error(`a request was answered ${JSON.stringify(head.slice(0, 400))}`));
          return false;
        }
        bodyBytes = head.length - bodyAt;
        missingBytes = Number(length);
        head = '';
      }
      missingBytes -= bodyBytes;
      if (missingBytes === Number.POSITIVE_INFINITY) {
        // No other response follows, so the last chunk is the end of what was received.
        const last = received.toString('latin1', Math.max(0, byteCount - lastChunk.length), byteCount);
        end = (end + last).slice(-lastChunk.length);
        if (end === lastChunk) missingBytes = 0;
      }
      if (missingBytes === 0) {
        this.#answeredCount++;
        this.#send(socket);
      }
      return true;
    };
    const onread = { buffer: received, callback: take };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    socket.setTimeout(silenceMs, () => this.#fail(new Error(`${href} did not answer in time`)));
    // A 'close' event follows, which reports the failure.
    socket.on('error', () => {});
    socket.once('close', () => this.#fail(new Error(`${href} closed a connection`)));
    return socket;
  }
}

/** Returns a function that yields the bytes of the requests in an endless loop. */
export function loopOf(url: string, requests: readonly LoadRequest[]): () => Uint8Array {
  const { host } = new URL(url);
  const messages = requests.map(({ path, headers = {} }) => {
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  });
  let at = 0;
  return () => messages[at++ % messages.length] ?? Buffer.of();
}

/** A load that runs during another measurement. */
export interface LoadBeside {
  readonly url: string;
  readonly paths: readonly string[];
  readonly connectionCount: number;
  readonly seconds: number;
}

/** Sends requests from a separate process at the lowest priority. */
export async function loadBeside(bench: Bench, load: LoadBeside): Promise<void> {
  const args = [fileURLToPath(import.meta.url), JSON.stringify(load)];
  const options = { cores: bench.cores.load, isYielding: true };
  await runChild(bench, { command: process.execPath, args, ...options });
}

async function sendLoad({ url, paths, connectionCount, seconds }: LoadBeside): Promise<void> {
  using connections = new Connections(url, { count: connectionCount });
  await connections.send({
    next: loopOf(
      url,
      paths.map((path) => ({ path })),
    ),
    seconds,
  });
}

if (import.meta.main) await sendLoad(JSON.parse(process.argv[2] ?? '') as LoadBeside);
