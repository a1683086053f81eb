/** Judges a client by the bytes that it takes of what is being sent to it: those that the kernel has accepted. */
import type { Socket } from 'node:net';

/** Longest time in which a client may take nothing, unless its average is good. */
const maxStallMs = 30_000;

/** Time after which only the average counts. */
const graceMs = 60_000;

/** The lowest average, and that for a stream: the state that a stream holds keeps a store from giving back the room of older rows. */
const minBytesPerMs = (16 * 1024) / 1000;
const minStreamBytesPerMs = (256 * 1024) / 1000;

/** Longest time of a stream. */
const maxStreamMs = 30 * 60_000;

/** A client of which not everything is taken yet. */
export class Reader {
  readonly #progress: () => Progress;
  #isStream = false;
  #startedAt: number;
  #takenBefore: number;
  #lookedAt: number;
  #taken: number;
  /** Only the time for which the client was waited for counts against it. */
  #waitedMs = 0;
  #stalledMs = 0;

  /** Begins before a response is written. @param now the clock, in milliseconds. */
  constructor(progress: () => Progress, now: number) {
    this.#progress = progress;
    this.#startedAt = this.#lookedAt = now;
    this.#takenBefore = this.#taken = progress().takenBytes;
  }

  /** Begins a stream, or what follows one: its average is its own. */
  begin({ isStream, now }: { readonly isStream: boolean; readonly now: number }): void {
    this.#isStream = isStream;
    this.#startedAt = now;
    this.#takenBefore = this.#progress().takenBytes;
    this.#waitedMs = this.#stalledMs = 0;
  }

  /** True if there is something that the client could take. */
  get isWaitedFor(): boolean {
    return this.#progress().queuedBytes > 0;
  }

  /** Checks how much the client has taken since the last call. Returns false if its connection must be dropped. */
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

/** The bytes that a connection was given: taken by the kernel, and not yet. */
export interface Progress {
  readonly takenBytes: number;
  readonly queuedBytes: number;
}

/**
 * Reads the progress of a connection from its handle, as Node's own timeout does. The public counters take a write that is as long as a
 * body for one that is done or not.
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
