/** Bounds the memory of large bodies that are being sent, which clients can leave unread. */
import { overloaded } from './semaphore.ts';

/** Share of the budget that one client may hold. */
const maxClientShare = 0.25;

/** Bodies that are being sent, each counted once however many responses have it. */
class HeldBodies {
  readonly #counts = new Map<Uint8Array, number>();
  sizeBytes = 0;

  /** True if one more body stays within a limit; a single one always does. */
  hasRoomFor(body: Uint8Array, maxBytes: number): boolean {
    return this.#counts.size === 0 || this.#counts.has(body) || this.sizeBytes + body.length <= maxBytes;
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(body: Uint8Array): void {
    const count = this.#counts.get(body) ?? 0;
    if (count === 0) this.sizeBytes += body.length;
    this.#counts.set(body, count + 1);
  }

  remove(body: Uint8Array): void {
    const count = (this.#counts.get(body) ?? 0) - 1;
    if (count > 0) {
      this.#counts.set(body, count);
      return;
    }
    this.#counts.delete(body);
    this.sizeBytes -= body.length;
  }
}

/** The budget of one server. */
export class SendingBudget {
  readonly #maxBytes: number;
  readonly #all = new HeldBodies();
  readonly #byClient = new Map<string, HeldBodies>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Holds a body for a client.
   * @param client as `clientNetwork` names it.
   * @returns a function to call when the client has received the body, or has gone.
   * @throws AppError `unavailable`, `overloaded` if the bodies of this client, or of all, take too much memory already.
   */
  hold(body: Uint8Array, client: string): () => void {
    const own = this.#byClient.get(client) ?? new HeldBodies();
    if (!own.hasRoomFor(body, this.#maxBytes * maxClientShare))
      throw overloaded(
        'large responses that are being sent to this address take too much memory; try again later',
      );
    if (!this.#all.hasRoomFor(body, this.#maxBytes)) throw overloaded();
    this.#byClient.set(client, own);
    this.#all.add(body);
    own.add(body);
    return () => {
      this.#all.remove(body);
      own.remove(body);
      if (own.isEmpty) this.#byClient.delete(client);
    };
  }
}
