/** Judges a client by the bytes that it reads, which are those that the kernel has accepted for it. */
import type { Socket } from 'node:net';

/** Longest time in which a client may read nothing, unless its average is good. */
const maxStallMs = 30_000;

/** Time after which only the average counts. */
const graceMs = 60_000;

/**
 * Lowest average, and lowest average of a stream: the state that a stream holds keeps a store from freeing
 * older rows.
 */
const minBytesPerMs = (16 * 1024) / 1000;
const minStreamBytesPerMs = (256 * 1024) / 1000;

/** Longest time of a stream. */
const maxStreamMs = 30 * 60_000;

/** A client that has not read everything yet. */
export class Reader {
  readonly #progress: () => Progress;
  #isStream = false;
  #startedAt: number;
  #takenBefore: number;
  #lookedAt: number;
  #taken: number;
  /** Only the time spent waiting for the client counts against it. */
  #waitedMs = 0;
  #stalledMs = 0;

  /** Begins before a response is written. @param now the clock, in milliseconds. */
  constructor(progress: () => Progress, now: number) {
    this.#progress = progress;
    this.#startedAt = this.#lookedAt = now;
    this.#takenBefore = this.#taken = progress().takenBytes;
  }

  /** Begins a stream, or what follows one: each has its own average. */
  begin({ isStream, now }: { readonly isStream: boolean; readonly now: number }): void {
    this.#isStream = isStream;
    this.#startedAt = now;
    this.#takenBefore = this.#progress().takenBytes;
    this.#waitedMs = this.#stalledMs = 0;
  }

  /** True if the client has something to read. */
  get isWaitedFor(): boolean {
    return this.#progress().queuedBytes > 0;
  }

  /**
   * Checks how much the client has read since the last call. Returns false if its connection must be dropped.
   */
  look(now: number): boolean {
    const sinceMs = now - this.#lookedAt;
    const { takenBytes, queuedBytes } = this.#progress();
    if (queuedBytes > 0) this.#waitedMs += sinceMs;
    this.#stalledMs = queuedBytes > 0 && takenBytes === this.#taken ? this.#stalledMs + sinceMs : 0;
    this.#lookedAt = now;
    this.#taken = takenBytes;
    const hasAverage = (bytesPerMs: number) => takenBytes - this.#takenBefore >= this.#waitedMs * bytesPerMs;
    const lastedMs = now - this.#startedAt;
    if (this.#isStream && lastedMs > maxStreamMs) return false;
    if (this.#stalledMs >= maxStallMs && !hasAverage(minBytesPerMs)) return false;
    return lastedMs <= graceMs || hasAverage(this.#isStream ? minStreamBytesPerMs : minBytesPerMs);
  }
}

/** The bytes written to a connection: those that the kernel has accepted, and those that it has not. */
export interface Progress {
  readonly takenBytes: number;
  readonly queuedBytes: number;
}

/**
 * Reads the progress of a connection from its handle, as Node's own timeout does. The public counters only
 * show whether a whole write, which may be as long as a body, is done.
 */
export function progressOf(socket: Socket): Progress {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (
    typeof handle === 'object' &&
    handle !== null &&
    'bytesWritten' in handle &&
    'writeQueueSize' in handle
  ) {
    const [written, queuedBytes] = [Number(handle.bytesWritten), Number(handle.writeQueueSize)];
    return { takenBytes: written - queuedBytes, queuedBytes };
  }
  return { takenBytes: socket.bytesWritten - socket.writableLength, queuedBytes: socket.writableLength };
}
