/** The large bodies that are being sent, each counted once however many clients take it. */

import type { ByteBudget, Holding } from '../byte-budget.ts';
import type { Representation } from '../representation.ts';

/** Counts the bodies that clients have not taken yet. */
export class Sending {
  readonly #budget: ByteBudget;
  readonly #sent = new Map<Representation, { readonly holding: Holding; count: number }>();

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /**
   * Counts one more client that is being sent a body.
   * @returns what to call when it has taken it, or has gone.
   * @throws AppError `unavailable`, `overloaded` where the bodies that are being sent take too much memory already.
   */
  begin(representation: Representation): () => void {
    const sent = this.#sent.get(representation) ?? { holding: this.#budget.hold(), count: 0 };
    if (sent.count === 0) sent.holding.add(representation.bodyBytes);
    sent.count++;
    this.#sent.set(representation, sent);
    return () => {
      sent.count--;
      if (sent.count > 0) return;
      sent.holding[Symbol.dispose]();
      this.#sent.delete(representation);
    };
  }
}
