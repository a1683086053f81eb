/** The bodies of reports: each read up to a limit, and all together in bounded memory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counts } from '../../http/clients.ts';
import { overloaded } from '../../http/problem.ts';
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
  readonly client: string;
  sizeBytes: number;
  readonly fail: (error: AppError) => void;
}

/** Reads bodies. */
export class ReportBodies {
  readonly #maxMemoryBytes: number;
  readonly #maxBodyBytes: number;
  /** Those that have got bytes. */
  readonly #bodies = new Set<Body>();
  readonly #clientBytes = new Counts<string>();
  #allBytes = 0;

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
      if (this.#bodies.delete(body)) this.#change(body, -body.sizeBytes);
    };
    const body: Body = {
      client,
      sizeBytes: 0,
      fail: (error) => {
        reject(error);
        release();
      },
    };
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      this.#add(body, chunk.length);
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
  #add(body: Body, byteCount: number): void {
    const { client } = body;
    this.#bodies.add(body);
    this.#change(body, byteCount);
    while (this.#clientBytes.of(client) > this.#maxMemoryBytes * partOfClient) this.#giveUpLargest(client);
    while (this.#allBytes > this.#maxMemoryBytes) {
      const largest = largestOf(this.#bodies, (one) => this.#clientBytes.of(one.client));
      this.#giveUpLargest(largest?.client);
    }
  }

  #change(body: Body, byteCount: number): void {
    body.sizeBytes += byteCount;
    this.#allBytes += byteCount;
    this.#clientBytes.add(body.client, byteCount);
  }

  #giveUpLargest(ofClient: string | undefined): void {
    const largest = largestOf(this.#bodies, ({ client, sizeBytes }) => (client === ofClient ? sizeBytes : 0));
    largest?.fail(overloaded('too many requests are being received'));
  }

  #tooLarge(): AppError {
    return failure('body-too-large', `the body of a request may have ${this.#maxBodyBytes} bytes`);
  }
}

function largestOf(bodies: Iterable<Body>, sizeOf: (body: Body) => number): Body | undefined {
  let largest: Body | undefined;
  for (const body of bodies) if (largest === undefined || sizeOf(body) > sizeOf(largest)) largest = body;
  return largest;
}

function failure(kind: string, message: string): AppError {
  return new AppError('invalid', message, { kind });
}
