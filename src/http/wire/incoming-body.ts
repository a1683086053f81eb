/** The body of a request, read when it is wanted and up to a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../model/app-error.ts';

/** The most bytes of the bodies that are being read, on all connections together: clients that send slowly may be many. */
const maxMemoryBytes = 64 * 1024 * 1024;

/** Memory of the bodies that are being read. */
export class BodyMemory {
  readonly #maxBytes: number;
  readonly #bodies = new Set<IncomingBody>();
  #sizeBytes = 0;

  constructor(maxBytes = maxMemoryBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Adds bytes that a body has got. If they are too many, the largest body is given up: clients that hold back large ones do not stop others. */
  add(body: IncomingBody, byteCount: number): void {
    this.#bodies.add(body);
    this.#sizeBytes += byteCount;
    while (this.#sizeBytes > this.#maxBytes)
      this.#largest(body).fail('overloaded', 'too many requests are being received');
  }

  /** Removes a body that has ended, or was given up. */
  remove(body: IncomingBody): void {
    if (this.#bodies.delete(body)) this.#sizeBytes -= body.sizeBytes;
  }

  #largest(first: IncomingBody): IncomingBody {
    let largest = first;
    for (const body of this.#bodies) if (body.sizeBytes > largest.sizeBytes) largest = body;
    return largest;
  }
}

/** Options of {@link IncomingBody}. */
interface BodyOptions {
  readonly maxBytes: number;
  readonly memory: BodyMemory;
}

/** A body that has not been read yet. */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;
  readonly #memory: BodyMemory;
  #chunks: Buffer[] = [];
  #sizeBytes = 0;
  #reject: ((error: AppError) => void) | undefined;

  constructor(request: IncomingMessage, { maxBytes, memory }: BodyOptions) {
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  /** Number of bytes that have come. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** True if all of its bytes have come, though they may not have been read. */
  get isWhole(): boolean {
    return this.#request.complete;
  }

  /** The header `Content-Encoding`. */
  get contentEncoding(): string | undefined {
    return this.#request.headers['content-encoding'];
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

  /** Gives a body up that is being read; returns false if none is. */
  fail(kind: string, message: string): boolean {
    if (this.#reject === undefined) return false;
    this.#reject(new AppError('invalid', message, { kind }));
    this.#request.removeAllListeners('data');
    this.#end();
    return true;
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
