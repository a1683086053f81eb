/** Measures work in numbers that were handled, so that it is divided into turns of some tenths of a millisecond. */

/** Numbers that are decoded, added up or copied in a turn. */
const numbersPerTurn = 32_768;

/** The work of one request. */
export class Pace {
  #count = 0;

  /** Counts numbers; true if the turn should end. */
  isOver(count: number): boolean {
    this.#count += count;
    if (this.#count < numbersPerTurn) return false;
    this.#count = 0;
    return true;
  }
}
