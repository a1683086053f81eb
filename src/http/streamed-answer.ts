/** A response that is sent as it is made, in step with its reader. */
import type { BodyStream } from './cache/response-body.ts';
import type { ResponseKind } from './response-kind.ts';

/** Terms of a stream that has begun. */
interface Begun {
  readonly now: () => number;
  /** Called if the body cannot be made to its end. */
  readonly onFailed: (error: unknown) => void;
}

/** A response of status 200 whose body is made while it is sent: without an entity tag, and not cached. Disposing of it ends its reads. */
export class StreamedAnswer implements AsyncDisposable {
  readonly etag = undefined;
  readonly kind: ResponseKind;
  readonly #body: BodyStream;
  readonly #onEnded: (() => void)[] = [];
  #begun: Begun | undefined;
  #startedAt = 0;
  #sentBytes = 0;
  /** Time for which the reader was waited for, without the present wait. */
  #waitedMs = 0;
  #waitsSince: number | undefined;

  constructor(body: BodyStream, kind: ResponseKind) {
    this.#body = body;
    this.kind = kind;
  }

  /** Bytes of the body that the connection has taken. */
  get bodyBytes(): number {
    return this.#sentBytes;
  }

  /** Time since it has begun. */
  get lastedMs(): number {
    return this.#now() - this.#startedAt;
  }

  /** Time for which its reader was waited for: the rest was needed to make it. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waitsSince === undefined ? 0 : this.#now() - this.#waitsSince);
  }

  /** Begins it, before it is sent. */
  begin(begun: Begun): void {
    this.#begun = begun;
    this.#startedAt = begun.now();
  }

  /** Calls back when it has ended, whole or not. */
  whenEnded(callback: () => void): void {
    this.#onEnded.push(callback);
  }

  /**
   * Makes part after part, each when the one before has been written.
   * @param write resolves when the connection has taken the part; rejects if it is closed.
   * @returns false if the body ended too early; the connection must then be cut.
   */
  async send(write: (part: Uint8Array) => Promise<void>): Promise<boolean> {
    try {
      for (let part = await this.#body.next(); part !== undefined; part = await this.#body.next()) {
        const since = this.#now();
        this.#waitsSince = since;
        await write(part);
        this.#waitsSince = undefined;
        this.#waitedMs += this.#now() - since;
        this.#sentBytes += part.length;
      }
      return true;
    } catch (error) {
      this.#begun?.onFailed(error);
      return false;
    } finally {
      await this[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const callback of this.#onEnded.splice(0)) callback();
    await this.#body[Symbol.asyncDispose]();
  }

  #now(): number {
    return this.#begun?.now() ?? 0;
  }
}
