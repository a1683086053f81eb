/** Memory for the bodies that a process is making and sending. */
import type { Representation } from './representation.ts';
import { overloaded } from './turns.ts';

/** Bytes charged for one body; disposing of it gives them back. */
export interface Holding extends Disposable {
  /** Charges more. Throws AppError `unavailable`, `overloaded` beyond the budget, except for the only body. */
  add(sizeBytes: number): void;
}

/** Limit on the bytes that all bodies take together. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #onRefused: () => void;
  #heldBytes = 0;

  constructor(maxBytes: number, onRefused: () => void) {
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
  }

  /** Bytes charged now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Begins a body, with no bytes yet. */
  hold(): Holding {
    let ownBytes = 0;
    return {
      add: (sizeBytes) => {
        const otherBytes = this.#heldBytes - ownBytes;
        if (otherBytes > 0 && otherBytes + ownBytes + sizeBytes > this.#maxBytes) {
          this.#onRefused();
          throw overloaded();
        }
        ownBytes += sizeBytes;
        this.#heldBytes += sizeBytes;
      },
      [Symbol.dispose]: () => {
        this.#heldBytes -= ownBytes;
        ownBytes = 0;
      },
    };
  }
}

/** Charges the budget for large bodies that are being sent, once for each however many clients it goes to. */
export class Sending {
  readonly #budget: ByteBudget;
  // By body: while the store is unreachable, each response is a representation of its own around the cached body.
  readonly #sent = new Map<Representation['body'], { readonly holding: Holding; count: number }>();

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Counts one more client of a body of more than `maxJoinedBytes`; the number of connections bounds smaller ones.
   * @returns a function to call when the client has received the body, or has gone.
   * @throws AppError `unavailable`, `overloaded` if the bodies take too much memory already.
   */
  begin({ body, bodyBytes }: Pick<Representation, 'body' | 'bodyBytes'>): () => void {
    const sent = this.#sent.get(body) ?? { holding: this.#budget.hold(), count: 0 };
    if (sent.count === 0) sent.holding.add(bodyBytes);
    sent.count++;
    this.#sent.set(body, sent);
    return () => {
      sent.count--;
      if (sent.count > 0) return;
      sent.holding[Symbol.dispose]();
      this.#sent.delete(body);
    };
  }
}
