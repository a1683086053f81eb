/** Bounds what clients leave unread: the memory of responses being sent, and the number of streams. */
import type { AppError } from '../model/app-error.ts';
import { Counts, clientNetwork, Shares } from './clients.ts';
import type { StreamedBody } from './make-body.ts';
import { refused } from './metrics.ts';
import { overloaded } from './problem.ts';
import type { HttpRequest } from './request.ts';

/** Memory of a waiting response beside its body: its objects and those of its request. */
const overheadBytes = 8 * 1024;

/** Limits on streams, in all and to one client. */
const maxStreams = 8;
const maxStreamsOfClient = 2;

/** Responses that one server is sending. */
export class Sending {
  readonly #shares: Shares;
  /** Each body takes its memory once, however many responses have it. */
  readonly #bodies = new Counts<Uint8Array>();
  readonly #bodiesOfNetworks = new Map<string, Counts<Uint8Array>>();
  readonly #streams = new Counts<string>();
  #streamCount = 0;

  /** @param maxBytes memory for unread bytes. */
  constructor(maxBytes: number) {
    this.#shares = new Shares(maxBytes);
  }

  /**
   * Holds a body until its client has read it, or has left. Returns false, and holds nothing, if the unread
   * bytes of the client's network, or of all clients, leave no room for it.
   */
  hold(body: Uint8Array, request: HttpRequest): boolean {
    const { network } = request;
    const own = this.#bodiesOfNetworks.get(network) ?? new Counts();
    const addedBytes = overheadBytes + (this.#bodies.of(body) === 0 ? body.length : 0);
    if (!this.#shares.hasRoomFor(network, addedBytes)) return false;
    this.#bodies.add(body);
    const isFirst = own.add(body) === 1;
    this.#shares.add(network, overheadBytes + (isFirst ? body.length : 0), addedBytes);
    this.#bodiesOfNetworks.set(network, own);
    request.whenSent(() => {
      const heldBytes = (count: number) => overheadBytes + (count === 0 ? body.length : 0);
      this.#shares.add(network, -heldBytes(own.add(body, -1)), -heldBytes(this.#bodies.add(body, -1)));
      if (own.size === 0) this.#bodiesOfNetworks.delete(network);
    });
    return true;
  }

  /**
   * Holds a large body, in the same way.
   * @throws AppError of the kind `overloaded` if there is no room for it.
   */
  holdLarge(body: Uint8Array, request: HttpRequest): void {
    if (!this.hold(body, request))
      throw countedRefusal('too much is being sent to this address; try again later');
  }

  /**
   * Counts a stream until its client has received it, or has left, and then ends it.
   * @throws AppError of the kind `overloaded` if too many are being sent already.
   */
  holdStream(stream: StreamedBody, request: HttpRequest): void {
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
