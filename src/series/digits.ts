/** Writes the digits of integers, in bytes. */

const minus = 0x2d;

/**
 * Four digits as one little-endian word, so that digits are written four at a time: 1234 as "1234", and in
 * {@link leftDigits} without leading zeros, 12 as "12" and two bytes that the next write covers.
 */
export const digits: Uint32Array = new Uint32Array(10_000);
export const leftDigits: Uint32Array = new Uint32Array(10_000);
export const digitCounts: Uint8Array = new Uint8Array(10_000);
// Not as text, which would take several milliseconds of each start.
for (let integer = 0; integer < 10_000; integer++) {
  const count = integer < 10 ? 1 : integer < 100 ? 2 : integer < 1000 ? 3 : 4;
  let word = 0;
  for (let left = integer, place = 3; place >= 0; place--, left = Math.floor(left / 10))
    word |= (0x30 + (left % 10)) << (8 * place);
  digits[integer] = word;
  leftDigits[integer] = word >>> (8 * (4 - count));
  digitCounts[integer] = count;
}

/** Writes any safe integer, and returns the offset after it; up to 3 bytes behind it are written too. */
export function writeInteger(integer: number, view: DataView, offset: number): number {
  let at = offset;
  if (integer < 0) view.setUint8(at++, minus);
  const magnitude = Math.abs(integer);
  if (magnitude < eightDigits) return writeShort(magnitude, view, at);
  const high = Math.floor(magnitude / eightDigits);
  at = high < eightDigits ? writeShort(high, view, at) : writeInteger(high, view, at);
  writeEight(magnitude - high * eightDigits, view, at);
  return at + 8;
}

const eightDigits = 100_000_000;

/** Writes an integer of at most eight digits, and returns the offset after it. */
function writeShort(integer: number, view: DataView, offset: number): number {
  if (integer < 10_000) {
    view.setUint32(offset, leftDigits[integer] ?? 0, true);
    return offset + (digitCounts[integer] ?? 0);
  }
  const upper = (integer / 10_000) | 0;
  view.setUint32(offset, leftDigits[upper] ?? 0, true);
  const at = offset + (digitCounts[upper] ?? 0);
  view.setUint32(at, digits[integer - upper * 10_000] ?? 0, true);
  return at + 4;
}

/** Writes eight digits, with zeros in front. */
export function writeEight(integer: number, view: DataView, offset: number): void {
  const upper = (integer / 10_000) | 0;
  view.setUint32(offset, digits[upper] ?? 0, true);
  view.setUint32(offset + 4, digits[integer - upper * 10_000] ?? 0, true);
}
