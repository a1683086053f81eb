/** The large bodies that are being sent, each counted once however many clients take it. */

import type { ByteBudget, Holding } from './byte-budget.ts';
import type { Representation } from './representation.ts';

/** Counts the bodies that clients have not taken yet. */
export class Sending {
  readonly #budget: ByteBudget;
  /** By body: while the store is unreachable, each answer is a representation of its own around the cached body. */
  readonly #sent = new Map<Representation['body'], { readonly holding: Holding; count: number }>();

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Counts one more client that is being sent a body, of more than `maxJoinedBytes`: smaller ones are bounded by the number of
   * connections.
   * @returns a function to call when the client has taken it, or has gone.
   * @throws AppError `unavailable`, `overloaded` where the bodies that are being sent take too much memory already.
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
