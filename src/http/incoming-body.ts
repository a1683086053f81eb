/** The body of a request, read when it is wanted and up to a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../model/app-error.ts';

/** The most bytes of the bodies that are being read, on all connections together: clients that send slowly may be many. */
const maxMemoryBytes = 32 * 1024 * 1024;

/** The part of them that one client may hold. */
const partOfClient = 1 / 4;

/** The bodies of one client. */
interface ClientBodies {
  readonly bodies: Set<IncomingBody>;
  sizeBytes: number;
}

/** Memory of the bodies that are being read. */
export class BodyMemory {
  readonly #maxBytes: number;
  readonly #clients = new Map<string, ClientBodies>();
  #sizeBytes = 0;

  constructor(maxBytes = maxMemoryBytes) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Adds bytes that a body has got. If its client holds too many, the largest body of that client is given up; if all clients do, that of the one
   * that holds the most. So clients that hold back large bodies do not stop others.
   */
  add(body: IncomingBody, byteCount: number): void {
    const own = this.#clients.get(body.client) ?? { bodies: new Set(), sizeBytes: 0 };
    this.#clients.set(body.client, own);
    own.bodies.add(body);
    own.sizeBytes += byteCount;
    this.#sizeBytes += byteCount;
    while (own.sizeBytes > this.#maxBytes * partOfClient) giveUp(largestOf(own.bodies));
    while (this.#sizeBytes > this.#maxBytes)
      giveUp(largestOf(largestOf(this.#clients.values())?.bodies ?? []));
  }

  /** Removes a body that has ended, or was given up. */
  remove(body: IncomingBody): void {
    const own = this.#clients.get(body.client);
    if (own?.bodies.delete(body) !== true) return;
    own.sizeBytes -= body.sizeBytes;
    this.#sizeBytes -= body.sizeBytes;
    if (own.bodies.size === 0) this.#clients.delete(body.client);
  }
}

function giveUp(body: IncomingBody | undefined): void {
  body?.fail('overloaded', 'too many requests are being received');
}

function largestOf<Item extends { readonly sizeBytes: number }>(items: Iterable<Item>): Item | undefined {
  let largest: Item | undefined;
  for (const item of items) if (largest === undefined || item.sizeBytes > largest.sizeBytes) largest = item;
  return largest;
}

/** Options of {@link IncomingBody}. */
interface BodyOptions {
  /** The address or the network that it is counted by. */
  readonly client: string;
  readonly maxBytes: number;
  readonly memory: BodyMemory;
}

/** A body that has not been read yet. */
export class IncomingBody {
  readonly client: string;
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;
  readonly #memory: BodyMemory;
  #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #reject: ((error: AppError) => void) | undefined;

  constructor(request: IncomingMessage, { client, maxBytes, memory }: BodyOptions) {
    this.client = client;
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  /** Number of bytes that have come. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Reads the body, once.
   * @throws AppError `invalid` with the kind `body-too-large`, or with that of {@link fail}; `overloaded` if too many bodies are being read.
   */
  read(): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#reject = reject;
    const request = this.#request;
    if (Number(request.headers['content-length']) > this.#maxBytes) this.#refuseLarge();
    else {
      request.on('data', (chunk: Buffer) => {
        this.#chunks.push(chunk);
        this.#sizeBytes += chunk.length;
        this.#memory.add(this, chunk.length);
        if (this.#sizeBytes > this.#maxBytes) this.#refuseLarge();
      });
      request.on('end', () => {
        const chunks = this.#chunks;
        this.#end();
        const [first] = chunks;
        resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
      });
      request.on('close', () => this.fail('malformed-request', 'the request ended too early'));
    }
    return promise;
  }

  /** Gives the body up, if it is being read. */
  fail(kind: string, message: string): void {
    if (this.#reject === undefined) return;
    this.#reject(new AppError('invalid', message, { kind }));
    this.#request.removeAllListeners('data');
    this.#end();
  }

  #end(): void {
    this.#reject = undefined;
    // The connection may stay open, and the request with it.
    this.#chunks = [];
    this.#memory.remove(this);
  }

  #refuseLarge(): void {
    this.fail('body-too-large', `the body of a request may have ${this.#maxBytes} bytes`);
  }
}
