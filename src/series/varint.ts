/** Variable-length integers: seven bits per byte, lowest first; the high bit marks a following byte. */

/** Maximum number of bytes for an integer up to 2^53. */
export const maxVarintBytes = 8;

/** Writes an integer from 0 to 2^53; returns the offset after it. */
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

/** Reads the integer at the cursor; NaN beyond the end of the bytes, which fails every comparison with a bound. */
export function readVarint(cursor: Cursor): number {
  let integer = 0;
  for (let scale = 1; scale <= 2 ** 49; scale *= 0x80) {
    const byte = cursor.bytes[cursor.at++] ?? Number.NaN;
    if (!(byte >= 0x80)) return integer + byte * scale;
    integer += (byte - 0x80) * scale;
  }
  return Number.NaN;
}

/** Maps signed integers to unsigned ones, small to small: 0, -1, 1, -2 … to 0, 1, 2, 3 … */
export function zigzag(integer: number): number {
  return integer < 0 ? -2 * integer - 1 : 2 * integer;
}

/** Reverses {@link zigzag}. */
export function unzigzag(unsigned: number): number {
  return unsigned % 2 === 0 ? unsigned / 2 : -(unsigned + 1) / 2;
}
