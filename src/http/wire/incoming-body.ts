/** The body of a request, read when it is wanted and up to a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../model/app-error.ts';

/** Memory of the bodies that are being read, on all connections together. */
export interface BodyMemory {
  sizeBytes: number;
}

/** Limit on it: clients that send slowly may be many. */
const maxMemoryBytes = 64 * 1024 * 1024;

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
  #sizeBytes = 0;
  #reject: ((error: AppError) => void) | undefined;

  constructor(request: IncomingMessage, { maxBytes, memory }: BodyOptions) {
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#memory = memory;
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
    const chunks: Buffer[] = [];
    if (Number(request.headers['content-length']) > this.#maxBytes) this.#refuseLarge();
    else {
      request.on('data', (chunk: Buffer) => {
        this.#sizeBytes += chunk.length;
        this.#memory.sizeBytes += chunk.length;
        if (this.#sizeBytes > this.#maxBytes) this.#refuseLarge();
        else if (this.#memory.sizeBytes > maxMemoryBytes)
          this.fail('overloaded', 'too many requests are being received');
        else chunks.push(chunk);
      });
      request.on('end', () => {
        this.#end();
        resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
      });
      request.on('close', () => this.fail('malformed-request', 'the request ended too early'));
    }
    return promise;
  }

  /** Gives a body up that is being read; returns false if none is. */
  fail(kind: string, message: string): boolean {
    if (this.#reject === undefined) return false;
    this.#reject(new AppError('invalid', message, { kind }));
    this.#end();
    this.#request.removeAllListeners('data');
    return true;
  }

  #end(): void {
    this.#reject = undefined;
    this.#memory.sizeBytes -= this.#sizeBytes;
    this.#sizeBytes = 0;
  }

  #refuseLarge(): void {
    this.fail('body-too-large', `the body of a request may have ${this.#maxBytes} bytes`);
  }
}
