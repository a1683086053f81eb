/** The memory that bodies take while they are made and sent, within one budget for the process. */
import { overloaded } from './turns.ts';

/** The bytes of one holder. */
export interface Holding extends Disposable {
  /** Holds more. Throws AppError `unavailable`, `overloaded` beyond the budget. */
  add(sizeBytes: number): void;
}

/** A number of bytes that all holders share. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #onRefused: () => void;
  #heldBytes = 0;

  constructor(maxBytes: number, onRefused: () => void) {
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
  }

  /** How much is held now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** A holder; disposing of it gives back what it holds. One that is alone may hold more than the budget. */
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
