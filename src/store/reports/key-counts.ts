/** Counts by keys of 64 bits, in typed arrays: about 24 bytes a key. */

/** Number of parts, which grow one at a time: growing takes a millisecond, not fifty. */
const partCount = 64;

const firstCapacity = 64;

/** Counts by key. A key is two unsigned integers of 32 bits, and is as good as random. */
export class KeyCounts {
  readonly #parts = Array.from({ length: partCount }, () => new Part(firstCapacity));

  /** Gets the count of a key; 0 if it has none. */
  get(low: number, high: number): number {
    return this.#parts[low % partCount]?.get(low, high) ?? 0;
  }

  /** Adds 1 to the count of a key. */
  add(low: number, high: number): void {
    this.#parts[low % partCount]?.add(low, high, 1);
  }
}

/** One part: a table with open addressing, in which a count of 0 is a free place. */
class Part {
  #lows: Uint32Array;
  #highs: Uint32Array;
  #counts: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#lows = new Uint32Array(capacity);
    this.#highs = new Uint32Array(capacity);
    this.#counts = new Uint32Array(capacity);
  }

  get(low: number, high: number): number {
    return this.#counts[this.#placeOf(low, high)] ?? 0;
  }

  add(low: number, high: number, count: number): void {
    const place = this.#placeOf(low, high);
    if (this.#counts[place] === 0) {
      this.#lows[place] = low;
      this.#highs[place] = high;
      this.#size++;
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + count;
    if (3 * this.#size > 2 * this.#counts.length) this.#grow();
  }

  /** Finds the place of a key, or the free one that it would get. */
  #placeOf(low: number, high: number): number {
    const mask = this.#counts.length - 1;
    let place = (low / partCount) & mask;
    while (this.#counts[place] !== 0 && !(this.#lows[place] === low && this.#highs[place] === high))
      place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const larger = new Part(2 * this.#counts.length);
    for (const [place, count] of this.#counts.entries())
      if (count > 0) larger.add(this.#lows[place] ?? 0, this.#highs[place] ?? 0, count);
    this.#lows = larger.#lows;
    this.#highs = larger.#highs;
    this.#counts = larger.#counts;
  }
}
