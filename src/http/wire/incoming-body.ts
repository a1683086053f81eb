/** The body of a request, read when it is wanted and up to a limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../model/app-error.ts';

/** A body that has not been read yet. */
export class IncomingBody {
  readonly #request: IncomingMessage;
  readonly #maxBytes: number;
  #reject: ((error: AppError) => void) | undefined;

  constructor(request: IncomingMessage, maxBytes: number) {
    this.#request = request;
    this.#maxBytes = maxBytes;
  }

  /** The header `Content-Encoding`. */
  get contentEncoding(): string | undefined {
    return this.#request.headers['content-encoding'];
  }

  /**
   * Reads the body, once.
   * @throws AppError `invalid` with the kind `body-too-large`, or with that of {@link fail}.
   */
  read(): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#reject = reject;
    const request = this.#request;
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    if (Number(request.headers['content-length']) > this.#maxBytes) this.#refuseLarge();
    else {
      request.on('data', (chunk: Buffer) => {
        sizeBytes += chunk.length;
        if (sizeBytes > this.#maxBytes) this.#refuseLarge();
        else chunks.push(chunk);
      });
      request.on('end', () => {
        this.#reject = undefined;
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
    this.#reject = undefined;
    this.#request.removeAllListeners('data');
    return true;
  }

  #refuseLarge(): void {
    this.fail('body-too-large', `the body of a request may have ${this.#maxBytes} bytes`);
  }
}
