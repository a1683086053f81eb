/** Writes text with many numbers in bytes, in parts of bounded size: it leaves less garbage than strings. */
import { release } from '../model/own-pages.ts';
import { maxNumberBytes, writeNumber } from './number-text.ts';

const comma = 0x2c;

/** Size from which a part is full: some tenths of a millisecond of numbers. */
const partBytes = 64 * 1024;

/** The most bytes of a number with its comma, or of a null. */
const entryBytes = maxNumberBytes + 1;

/** The text "null" as a little-endian word. */
const nullWord = 0x6c6c756e;

const nothing = Buffer.alloc(0);

/** Text that is being written. */
export class TextParts {
  /** Made when there is something to write. */
  #target = nothing;
  #view = viewOf(nothing);
  #at = 0;

  /** Writes some text as it is. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#at += this.#target.write(text, this.#at);
  }

  /** Writes text that is encoded already, or a piece of it. */
  bytes(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    const target = this.#target;
    let at = this.#at;
    for (let index = start; index < end; index++) target[at++] = bytes[index] ?? 0;
    this.#at = at;
  }

  /** Writes a finite one of some numbers. */
  number(numbers: Float64Array, index: number): void {
    this.#reserve(entryBytes);
    this.#at = writeNumber(numbers, index, this.#view, this.#at);
  }

  /** True if the part is full. */
  get isFull(): boolean {
    return this.#at >= partBytes;
  }

  /**
   * Writes a JSON array of numbers; yields parts that are full. NaN, a value that is not there, is null, and so is a sum too large for a double: JSON has
   * no infinity.
   */
  *numbers(numbers: Float64Array): Generator<Uint8Array> {
    this.text('[');
    for (let index = 0; index < numbers.length; ) {
      index = this.#fill(numbers, index);
      if (this.isFull) yield this.take();
    }
    this.text(']');
  }

  /** Returns what was written since the last part, the whole of its memory, so that it can be freed when it is sent. */
  take(): Uint8Array {
    const part = this.#at === 0 ? nothing : Buffer.from(this.#target.buffer.transfer(this.#at));
    this.#target = nothing;
    this.#at = 0;
    return part;
  }

  /** Writes numbers until the part is full; returns the index of the next one. */
  #fill(numbers: Float64Array, start: number): number {
    this.#reserve(2 * entryBytes);
    const [target, view] = [this.#target, this.#view];
    let at = this.#at;
    let index = start;
    for (; index < numbers.length && at < partBytes; index++) {
      if (index > 0) target[at++] = comma;
      if (Number.isFinite(numbers[index])) at = writeNumber(numbers, index, view, at);
      else {
        view.setUint32(at, nullWord, true);
        at += 4;
      }
    }
    this.#at = at;
    return index;
  }

  /** Makes room for a part, and behind a text that is longer. */
  #reserve(sizeBytes: number): void {
    if (this.#at + sizeBytes <= this.#target.length) return;
    const larger = Buffer.allocUnsafe(this.#at + sizeBytes + partBytes + 2 * entryBytes);
    this.#target.copy(larger, 0, 0, this.#at);
    release(this.#target);
    this.#target = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
