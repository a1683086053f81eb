/** Budget of bytes for all bodies that a process is making and sending. */
import { overloaded } from './turns.ts';

/** Bytes that one body holds; disposing of it gives them back. */
export interface Holding extends Disposable {
  /** Holds more. Throws AppError `unavailable`, `overloaded` beyond the budget, but never if no other body holds any. */
  add(sizeBytes: number): void;
}

/** A limit on the bytes that are held at the same time. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #onRefused: () => void;
  #heldBytes = 0;

  constructor(maxBytes: number, onRefused: () => void) {
    this.#maxBytes = maxBytes;
    this.#onRefused = onRefused;
  }

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Begins to hold, with no bytes yet. */
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
