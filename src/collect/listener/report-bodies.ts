/** The bodies of reports: each read up to a limit, and all together in bounded memory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusedEvent } from '../../http/server.ts';
import { AppError } from '../../model/app-error.ts';

/** The most bytes of a body as it is sent. */
const maxSentBytes = 256 * 1024;

/** The most bytes of the bodies that are being read, on all connections together: clients that send slowly may be many. */
const maxMemoryBytes = 32 * 1024 * 1024;

/** The part of them that one client may hold. */
const partOfClient = 1 / 4;

/** A body that is being read. */
interface Body {
  sizeBytes: number;
  readonly fail: (error: AppError) => void;
}

/** The bodies of one client. */
interface ClientBodies {
  readonly bodies: Set<Body>;
  sizeBytes: number;
}

/** Reads bodies. */
export class ReportBodies {
  readonly #maxMemoryBytes: number;
  readonly #maxBodyBytes: number;
  readonly #clients = new Map<string, ClientBodies>();
  #sizeBytes = 0;

  constructor(maxBytes = { memory: maxMemoryBytes, body: maxSentBytes }) {
    this.#maxMemoryBytes = maxBytes.memory;
    this.#maxBodyBytes = maxBytes.body;
  }

  /**
   * Reads the body of a request, once.
   * @param client the address or the network that it is counted by.
   * @throws AppError `invalid` with the kind `body-too-large`, `malformed-request` if it ends too early, `overloaded` if its client holds back
   * too much, or that of a body that is no HTTP.
   */
  async read(message: IncomingMessage, response: ServerResponse, client: string): Promise<Buffer> {
    const { 'content-length': length, 'transfer-encoding': coding, expect } = message.headers;
    // Node gives no stream to a request without a body.
    if (length === undefined && coding === undefined) return Buffer.alloc(0);
    if (Number(length) > this.#maxBodyBytes) throw this.#tooLarge();
    if (expect !== undefined) response.writeContinue();
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const chunks: Buffer[] = [];
    const release = () => {
      message.removeAllListeners('data');
      // The connection may stay open, and the request with it.
      chunks.length = 0;
      this.#remove(client, body);
    };
    const body: Body = {
      sizeBytes: 0,
      fail: (error) => {
        reject(error);
        release();
      },
    };
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      this.#add(client, body, chunk.length);
      if (body.sizeBytes > this.#maxBodyBytes) body.fail(this.#tooLarge());
    });
    message.on('end', () => {
      resolve(Buffer.concat(chunks));
      release();
    });
    message.on(refusedEvent, body.fail);
    message.on('close', () => body.fail(failure('malformed-request', 'the request ended too early')));
    return promise;
  }

  /**
   * Adds bytes that a body has got. If its client holds too many, the largest body of that client is given up; if all clients do, that of the one
   * that holds the most. So clients that hold back large bodies do not stop others.
   */
  #add(client: string, body: Body, byteCount: number): void {
    const own = this.#clients.get(client) ?? { bodies: new Set(), sizeBytes: 0 };
    this.#clients.set(client, own);
    own.bodies.add(body);
    for (const held of [body, own]) held.sizeBytes += byteCount;
    this.#sizeBytes += byteCount;
    while (own.sizeBytes > this.#maxMemoryBytes * partOfClient) giveUpLargest(own);
    while (this.#sizeBytes > this.#maxMemoryBytes) giveUpLargest(largestOf(this.#clients.values()));
  }

  /** Removes a body that has ended, or was given up. */
  #remove(client: string, body: Body): void {
    const own = this.#clients.get(client);
    if (own?.bodies.delete(body) !== true) return;
    own.sizeBytes -= body.sizeBytes;
    this.#sizeBytes -= body.sizeBytes;
    if (own.bodies.size === 0) this.#clients.delete(client);
  }

  #tooLarge(): AppError {
    return failure('body-too-large', `the body of a request may have ${this.#maxBodyBytes} bytes`);
  }
}

function giveUpLargest(client: ClientBodies | undefined): void {
  const error = failure('overloaded', 'too many requests are being received');
  largestOf(client?.bodies ?? [])?.fail(error);
}

function largestOf<Item extends { readonly sizeBytes: number }>(items: Iterable<Item>): Item | undefined {
  let largest: Item | undefined;
  for (const item of items) if (largest === undefined || item.sizeBytes > largest.sizeBytes) largest = item;
  return largest;
}

function failure(kind: string, message: string): AppError {
  return new AppError('invalid', message, { kind });
}
