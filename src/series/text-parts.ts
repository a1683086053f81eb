/**
 * Writes text with many numbers as bytes, in parts of bounded size; this creates less garbage than strings.
 */
import { release } from '../runtime/releasable-memory.ts';
import { maxNumberBytes, writeNumber } from './number-text.ts';

const comma = 0x2c;

/** Size at which a part is full: numbers take some tenths of a millisecond. */
const partBytes = 64 * 1024;

/** Maximum number of bytes for a number or null with its comma. */
const entryBytes = maxNumberBytes + 1;

/** The text "null" as a little-endian word. */
const nullWord = 0x6c6c756e;

const nothing = Buffer.alloc(0);

/** Builds text in parts. */
export class TextParts {
  /** Allocated at the first write. */
  #target = nothing;
  #view = viewOf(nothing);
  #at = 0;

  /** Writes text. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#at += this.#target.write(text, this.#at);
  }

  /** Writes encoded text, or a range of it. */
  bytes(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.#reserve(end - start);
    const target = this.#target;
    let at = this.#at;
    for (let index = start; index < end; index++) target[at++] = bytes[index] ?? 0;
    this.#at = at;
  }

  /** Writes one of the numbers, which must be finite. */
  number(numbers: Float64Array, index: number): void {
    this.#reserve(entryBytes);
    this.#at = writeNumber(numbers, index, this.#view, this.#at);
  }

  /** True if the part is full. */
  get isFull(): boolean {
    return this.#at >= partBytes;
  }

  /**
   * Writes a JSON array of numbers; yields full parts. NaN, which means no value, becomes null; so does a sum
   * that exceeds the largest double, because JSON has no infinity.
   */
  *numbers(numbers: Float64Array): Generator<Uint8Array> {
    this.text('[');
    for (let index = 0; index < numbers.length; ) {
      index = this.#fill(numbers, index);
      if (this.isFull) yield this.take();
    }
    this.text(']');
  }

  /**
   * Returns everything written since the last part. The part owns its whole buffer, so it can be freed once
   * sent.
   */
  take(): Uint8Array {
    const part = this.#at === 0 ? nothing : Buffer.from(this.#target.buffer.transfer(this.#at));
    this.#target = nothing;
    this.#at = 0;
    return part;
  }

  /** Writes numbers until the part is full; returns the index of the next number. */
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

  /** Reserves room for a full part after the next write. */
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
