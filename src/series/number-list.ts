/** A growing list of numbers in one typed array. */
import { free } from '../runtime/releasable-memory.ts';

const initialLength = 64;

/** Growing list of numbers. */
export class NumberList {
  #numbers: Float64Array;
  #length = 0;

  /** @param expectedLength initial capacity; the list may grow beyond it. */
  constructor(expectedLength = initialLength) {
    this.#numbers = new Float64Array(expectedLength);
  }

  get length(): number {
    return this.#length;
  }

  /** The array behind the list, with unused room at its end; an append may replace it. */
  get numbers(): Float64Array {
    return this.#numbers;
  }

  push(number: number): void {
    this.#reserve(1);
    this.#numbers[this.#length++] = number;
  }

  append(numbers: Float64Array): void {
    this.#reserve(numbers.length);
    this.#numbers.set(numbers, this.#length);
    this.#length += numbers.length;
  }

  /** Appends a number `count` times. */
  appendSame(number: number, count: number): void {
    this.#reserve(count);
    this.#numbers.fill(number, this.#length, this.#length + count);
    this.#length += count;
  }

  /** The last number; the list must not be empty. */
  get last(): number {
    return this.#numbers[this.#length - 1] ?? Number.NaN;
  }

  set last(number: number) {
    this.#numbers[this.#length - 1] = number;
  }

  /** Returns the numbers without the unused room. Nothing may be appended afterwards. */
  take(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(2 * this.#numbers.length, this.#length + count));
    larger.set(this.#numbers);
    free(this.#numbers.buffer);
    this.#numbers = larger;
  }
}
