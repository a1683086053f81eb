/** Variable-length integers: seven bits per byte, lowest first; the high bit means that more follow. */

/** The most bytes that one integer up to 2^53 takes. */
export const maxVarintBytes = 8;

/** Writes an integer from 0 to 2^53 and returns the offset after it. */
export function writeVarint(target: Uint8Array, offset: number, integer: number): number {
  let at = offset;
  let rest = integer;
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
  }
  target[at++] = rest;
  return at;
}

/** A position in bytes, which reads advance. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads the integer at the cursor; NaN, which fails every comparison with a bound, after the end of the bytes. */
export function readVarint(cursor: Cursor): number {
  let integer = 0;
  for (let scale = 1; scale <= 2 ** 49; scale *= 0x80) {
    const byte = cursor.bytes[cursor.at++] ?? Number.NaN;
    if (!(byte >= 0x80)) return integer + byte * scale;
    integer += (byte - 0x80) * scale;
  }
  return Number.NaN;
}

/** Maps signed integers to unsigned ones that are small for small inputs: 0, -1, 1, -2 … to 0, 1, 2, 3 … */
export function zigzag(integer: number): number {
  return integer < 0 ? -2 * integer - 1 : 2 * integer;
}

/** Undoes {@link zigzag}. */
export function unzigzag(unsigned: number): number {
  return unsigned % 2 === 0 ? unsigned / 2 : -(unsigned + 1) / 2;
}
