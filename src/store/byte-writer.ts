/** Bytes that grow as they are written. */
import { maxVarintBytes, writeVarint } from '../series/varint.ts';

const doubleBytes = 8;

/** A writer. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  varint(integer: number): void {
    this.#reserve(maxVarintBytes);
    this.#length = writeVarint(this.#bytes, this.#length, integer);
  }

  double(value: number): void {
    this.#reserve(doubleBytes);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value);
    this.#length += doubleBytes;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Copies what was written. */
  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(byteCount: number): void {
    const neededBytes = this.#length + byteCount;
    if (neededBytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(neededBytes, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
