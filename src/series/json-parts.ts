/** Writes JSON text in bytes, in parts of bounded size. */
import { maxNumberBytes, writeNumber } from './number-text.ts';

const comma = 0x2c;

/** Size from which a part is full: some tenths of a millisecond of numbers. */
const partBytes = 64 * 1024;

/** The most bytes of a number with its comma, or of a null. */
const entryBytes = maxNumberBytes + 1;

/** The text "null" as a little-endian word. */
const nullWord = 0x6c6c756e;

const nothing = Buffer.alloc(0);

/** JSON text that is being written. */
export class JsonParts {
  /** Made when there is something to write. */
  #target = nothing;
  #view = viewOf(nothing);
  #at = 0;

  /** Writes some text as it is. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#at += this.#target.write(text, this.#at);
  }

  /**
   * Writes an array of numbers; yields parts that are full. NaN, a value that is not there, is null, and so is a sum too large for a double: JSON has
   * no infinity.
   */
  *numbers(numbers: Float64Array): Generator<Uint8Array> {
    this.text('[');
    for (let index = 0; index < numbers.length; ) {
      index = this.#fill(numbers, index);
      if (this.#at >= partBytes) yield this.take();
    }
    this.text(']');
  }

  /** Returns what was written since the last part. */
  take(): Uint8Array {
    const part = this.#target.subarray(0, this.#at);
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
    this.#target = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
