/** Merge sort in turns: short runs are sorted at once, then merged pair by pair. */
import { nextTurn } from '../model/next-turn.ts';

/** Sorting a run takes a tenth of a millisecond. */
const runLength = 128;
const runsPerTurn = 8;

/** Compares two items as for `Array.prototype.sort`; never 0, so that the order is unique. */
export type Compare = (a: number, b: number) => number;

/** Sorts the items in place, or into an array of the same length that is returned. */
export async function sortInTurns(items: Uint32Array, compare: Compare): Promise<Uint32Array> {
  let count = 0;
  const pause = () => (++count % runsPerTurn === 0 ? nextTurn() : undefined);
  for (let start = 0; start < items.length; start += runLength) {
    items.subarray(start, start + runLength).sort(compare);
    await pause();
  }
  let from: Uint32Array = items;
  let into: Uint32Array = new Uint32Array(items.length);
  for (let width = runLength; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      const merge = new Merge(from, into, { start, width, compare });
      while (!merge.step(runLength)) await pause();
    }
    [from, into] = [into, from];
  }
  return from;
}

/** Merges the sorted runs of `width` items at `start` and after it. */
class Merge {
  readonly #from: Uint32Array;
  readonly #into: Uint32Array;
  readonly #compare: Compare;
  readonly #middle: number;
  readonly #end: number;
  #left: number;
  #right: number;
  #at: number;

  constructor(
    from: Uint32Array,
    into: Uint32Array,
    runs: { readonly start: number; readonly width: number; readonly compare: Compare },
  ) {
    this.#from = from;
    this.#into = into;
    this.#compare = runs.compare;
    this.#middle = Math.min(runs.start + runs.width, from.length);
    this.#end = Math.min(runs.start + 2 * runs.width, from.length);
    this.#left = runs.start;
    this.#right = this.#middle;
    this.#at = runs.start;
  }

  /** Writes the next items, at most `count`; returns true once all are written. */
  step(count: number): boolean {
    const stop = Math.min(this.#at + count, this.#end);
    while (this.#at < stop) {
      const left = this.#from[this.#left] ?? 0;
      const right = this.#from[this.#right] ?? 0;
      const isLeft =
        this.#right >= this.#end || (this.#left < this.#middle && this.#compare(left, right) < 0);
      this.#into[this.#at++] = isLeft ? left : right;
      if (isLeft) this.#left++;
      else this.#right++;
    }
    return this.#at === this.#end;
  }
}
