/** Memory for numbers that are decoded, added up and forgotten. */
import type { MakeRoom } from '../model/room.ts';

/** Memory that is not lent. Without it, each request would leave its own behind, and every 32 MB of that start a collection of all objects. */
const spare: Float64Array[] = [];
const maxSpareCount = 4;
const maxSpareLength = 65_536;

const noNumbers = new Float64Array(0);

/** Memory that is lent until it is disposed of. */
export class LentRoom implements Disposable {
  #numbers = spare.pop() ?? noNumbers;

  /** Makes room in the same memory each time: what was there before is lost. */
  readonly make: MakeRoom = (count) => {
    if (this.#numbers.length < count) this.#numbers = new Float64Array(count);
    return this.#numbers.subarray(0, count);
  };

  [Symbol.dispose](): void {
    if (spare.length < maxSpareCount && this.#numbers.length <= maxSpareLength) spare.push(this.#numbers);
    this.#numbers = noNumbers;
  }
}
