/** Bounds what clients can leave unread: the memory of large bodies that are being sent, and the number of streams. */
import type { AppError } from '../model/app-error.ts';
import { Counts, clientNetwork } from './clients.ts';
import type { StreamedBody } from './make-body.ts';
import { refused } from './metrics.ts';
import { overloaded } from './problem.ts';
import type { Request } from './request.ts';

/** Share of the memory that one client may hold. */
const maxClientShare = 0.25;

/** Limits on streams, in all and to one client. */
const maxStreams = 8;
const maxStreamsOfClient = 2;

/** Bodies that are being sent, each counted once however many responses have it. */
class HeldBodies {
  readonly #responses = new Counts<Uint8Array>();
  sizeBytes = 0;

  /** True if one more body stays within a limit; a single one always does. */
  hasRoomFor(body: Uint8Array, maxBytes: number): boolean {
    const isHeld = this.#responses.of(body) > 0;
    return this.sizeBytes === 0 || isHeld || this.sizeBytes + body.length <= maxBytes;
  }

  add(body: Uint8Array): void {
    if (this.#responses.add(body) === 1) this.sizeBytes += body.length;
  }

  remove(body: Uint8Array): void {
    if (this.#responses.add(body, -1) === 0) this.sizeBytes -= body.length;
  }
}

/** Bodies and streams that one server is sending. */
export class Sending {
  readonly #maxBytes: number;
  readonly #bodies = new HeldBodies();
  readonly #bodiesByClient = new Map<string, HeldBodies>();
  readonly #streams = new Counts<string>();
  #streamCount = 0;

  /** @param maxBytes memory for the bodies. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Holds a body until its client has received it, or has gone.
   * @throws AppError of the kind `overloaded` if the bodies of this client, or of all, take too much memory already.
   */
  holdBody(body: Uint8Array, request: Request): void {
    const client = clientNetwork(request.address);
    const own = this.#bodiesByClient.get(client) ?? new HeldBodies();
    if (!own.hasRoomFor(body, this.#maxBytes * maxClientShare))
      throw countedRefusal('too much is being sent to this address; try again later');
    if (!this.#bodies.hasRoomFor(body, this.#maxBytes)) throw countedRefusal();
    this.#bodiesByClient.set(client, own);
    this.#bodies.add(body);
    own.add(body);
    request.whenSent(() => {
      this.#bodies.remove(body);
      own.remove(body);
      if (own.sizeBytes === 0) this.#bodiesByClient.delete(client);
    });
  }

  /**
   * Counts a stream until its client has received it, or has gone, and ends it then.
   * @throws AppError of the kind `overloaded` where too many are being sent already.
   */
  holdStream(stream: StreamedBody, request: Request): void {
    const client = clientNetwork(request.address);
    if (this.#streams.of(client) >= maxStreamsOfClient || this.#streamCount >= maxStreams) {
      void stream[Symbol.asyncDispose]();
      throw countedRefusal(
        `at most ${maxStreamsOfClient} responses of this size are sent to an address at a time, and ${maxStreams} in all; try again later`,
      );
    }
    this.#streams.add(client);
    this.#streamCount++;
    request.whenSent(() => {
      void stream[Symbol.asyncDispose]();
      this.#streams.add(client, -1);
      this.#streamCount--;
    });
  }
}

function countedRefusal(detail?: string): AppError {
  refused.sending.inc();
  return overloaded(detail);
}
