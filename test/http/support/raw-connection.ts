/** A connection on which bytes are sent unchanged. */
import { once } from 'node:events';
import net from 'node:net';
import { checkAnswer } from './openapi-check.ts';
import { type Answer, headerMap } from './validated-client.ts';

/** A connection whose received bytes are parsed as HTTP/1.1 responses. */
export class RawConnection implements Disposable {
  readonly socket: net.Socket;
  #received = Buffer.alloc(0);
  #arrived: Buffer[] = [];
  #arrivedBytes = 0;
  /** The number of bytes required before the next parse. */
  #neededBytes = 0;
  #isEnded = false;
  #wake: () => void = () => {};

  private constructor(socket: net.Socket) {
    this.socket = socket;
    const changed = () => this.#wake();
    socket.on('data', (chunk: Buffer) => {
      this.#arrived.push(chunk);
      this.#arrivedBytes += chunk.length;
      changed();
    });
    for (const event of ['end', 'error', 'close']) {
      socket.on(event, () => {
        this.#isEnded = true;
        changed();
      });
    }
  }

  /** Connects to a server. */
  static async open(baseUrl: string): Promise<RawConnection> {
    const { hostname, port } = new URL(baseUrl);
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = net.connect({ host, port: Number(port), allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Sends text, one byte for each character. */
  write(text: string): void {
    this.socket.write(Buffer.from(text, 'latin1'));
  }

  /** The next response, validated against this request; undefined if the connection ends before it. */
  async read(request = { method: 'GET', target: '/unknown' }): Promise<Answer | undefined> {
    for (;;) {
      const answer = this.#take(request.method === 'HEAD');
      if (answer !== undefined) {
        checkAnswer(request, answer);
        return answer;
      }
      if (this.#isEnded) return undefined;
      await this.#change();
    }
  }

  /**
   * Waits until the server has closed the connection, and returns the bytes that are not part of a response.
   */
  async rest(): Promise<string> {
    while (!this.#isEnded) await this.#change();
    this.#gather();
    return this.#received.toString('latin1');
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  async #change(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(() => reject(new Error('nothing came within 30 s')), 30_000);
    await promise.finally(() => clearTimeout(timer));
  }

  #gather(): void {
    this.#received = Buffer.concat([this.#received, ...this.#arrived]);
    this.#arrived = [];
    this.#arrivedBytes = 0;
  }

  #take(isHead: boolean): Answer | undefined {
    if (this.#received.length + this.#arrivedBytes < this.#neededBytes) return undefined;
    this.#gather();
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const [statusLine = '', ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 ([0-9]{3}) [ -~]+$/.exec(statusLine)?.[1]);
    if (Number.isNaN(status)) throw new Error(`not a status line: ${statusLine}`);
    const headers = headerMap(
      lines.flatMap((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      }),
    );
    const isBodiless = isHead || status < 200 || status === 204 || status === 304;
    const length = isBodiless ? 0 : Number(headers.get('content-length'));
    if (Number.isNaN(length)) throw new Error(`the answer ${status} has no Content-Length`);
    const end = headEnd + 4 + length;
    this.#neededBytes = end;
    if (this.#received.length < end) return undefined;
    this.#neededBytes = 0;
    const bytes = this.#received.subarray(headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    return { status, headers, bytes };
  }
}

/** Sends text on a new connection and returns the first response. */
export async function sendRaw(
  baseUrl: string,
  text: string,
  request?: { readonly method: string; readonly target: string },
): Promise<Answer> {
  using connection = await RawConnection.open(baseUrl);
  connection.write(text);
  const answer = await connection.read(request);
  if (answer === undefined) throw new Error('the connection ended without an answer');
  return answer;
}
