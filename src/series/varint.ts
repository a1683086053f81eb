/** Variable-length integers: seven bits a byte, lowest first, the high bit saying that more follow. */

/** The most bytes that one integer up to 2^53 takes. */
export const maxVarintBytes = 8;

/** Writes an integer from 0 to 2^53 and returns the offset behind it. */
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

/** A place in bytes that reading moves forward. */
export interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads the integer at the cursor. Past the end of the bytes it gives NaN, which no bound lets through. */
export function readVarint(cursor: Cursor): number {
  let integer = 0;
  for (let scale = 1; scale <= 2 ** 49; scale *= 0x80) {
    const byte = cursor.bytes[cursor.at++] ?? Number.NaN;
    if (!(byte >= 0x80)) return integer + byte * scale;
    integer += (byte - 0x80) * scale;
  }
  return Number.NaN;
}

/** Signed integers as unsigned ones, small ones staying small: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
export function zigzag(integer: number): number {
  return integer < 0 ? -2 * integer - 1 : 2 * integer;
}

/** Undoes {@link zigzag}. */
export function unzigzag(unsigned: number): number {
  return unsigned % 2 === 0 ? unsigned / 2 : -(unsigned + 1) / 2;
}
