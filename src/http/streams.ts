/** The limits on responses that are sent as they are made, in step with their readers. */
import type { Waiter } from './answer.ts';
import type { StreamedAnswer } from './streamed-answer.ts';
import { overloaded, WorkDropped } from './turns.ts';

/** Limits on the streams of a process: each holds a state of the store, and a connection to it. */
const maxStreams = 8;
const maxStreamsOfClient = 2;

/** Longest time of a stream: a state that is held keeps a store from giving back the room of older rows. */
const maxMs = 30 * 60_000;

/** Slowest reader, on average; not judged in the first minute. */
const minBytesPerMs = (256 * 1024) / 1000;
const freeMs = 60_000;

/** Interval at which streams are looked at. */
const sweepMs = 250;

/** Options of {@link Streams}. */
interface StreamsOptions {
  /** The clock, in milliseconds. */
  readonly now: () => number;
  readonly onRefused: () => void;
  /** Called for each stream that is cut because of its reader. */
  readonly onCut: () => void;
}

/** The streams of a server. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #open = new Map<StreamedAnswer, Waiter>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /**
   * Begins a stream for a client.
   * @param onFailed is called if the body cannot be made to its end.
   * @throws AppError `unavailable`, `overloaded` beyond the limits.
   */
  begin(stream: StreamedAnswer, waiter: Waiter, onFailed: (error: unknown) => void): void {
    const { now, onRefused } = this.#options;
    const { network } = waiter;
    const ofClient = this.#open.values().filter((other) => other.network === network);
    if (this.#open.size >= maxStreams || [...ofClient].length >= maxStreamsOfClient) {
      onRefused();
      throw overloaded(
        `a response of this size is sent to at most ${maxStreamsOfClient} clients of an address at a time, and to ${maxStreams} in all; try again later`,
      );
    }
    stream.begin({
      now,
      // Of a client that has gone, the failure is no news.
      onFailed: (error) => (waiter.isGone || error instanceof WorkDropped ? undefined : onFailed(error)),
    });
    this.#open.set(stream, waiter);
    stream.whenEnded(() => this.#remove(stream));
    this.#sweep ??= setInterval(() => this.#look(), sweepMs).unref();
  }

  #remove(stream: StreamedAnswer): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #look(): void {
    for (const [stream, waiter] of this.#open) {
      if (waiter.isGone) continue;
      const isLate = isOverdue(stream);
      if (isLate) this.#options.onCut();
      // A client that has closed its sending side has gone, as nearly all do.
      if (isLate || waiter.isHalfClosed) waiter.cut();
    }
  }
}

/** True if it has lasted too long, or its reader is too slow. */
function isOverdue({ lastedMs, waitedMs, bodyBytes }: StreamedAnswer): boolean {
  return lastedMs > maxMs || (lastedMs > freeMs && bodyBytes < waitedMs * minBytesPerMs);
}
