/** Writes numbers as bytes of JSON text, the same text that `String` returns. */

const minus = 0x2d;
const point = 0x2e;

/**
 * Maximum number of bytes that {@link writeNumber} touches: 24 characters of a double, and 3 that it may
 * overwrite after them.
 */
export const maxNumberBytes = 24 + 3;

/**
 * Four digits as one little-endian word, so that four digits are written at once. {@link digits} keeps
 * leading zeros; {@link leftDigits} does not, so 12 is "12" and two bytes that the next write overwrites.
 */
export const digits: Uint32Array = new Uint32Array(10_000);
export const leftDigits: Uint32Array = new Uint32Array(10_000);
export const digitCounts: Uint8Array = new Uint8Array(10_000);
// Computed without strings, which would add several milliseconds to each start.
for (let integer = 0; integer < 10_000; integer++) {
  const count = integer < 10 ? 1 : integer < 100 ? 2 : integer < 1000 ? 3 : 4;
  let word = 0;
  for (let left = integer, place = 3; place >= 0; place--, left = Math.floor(left / 10))
    word |= (0x30 + (left % 10)) << (8 * place);
  digits[integer] = word;
  leftDigits[integer] = word >>> (8 * (4 - count));
  digitCounts[integer] = count;
}

/**
 * Writes one of the numbers, which must be finite; returns the offset after it. The parameters are an array
 * and an index because a number passed to a function would be allocated as an object.
 */
export function writeNumber(numbers: Float64Array, index: number, view: DataView, offset: number): number {
  const number = numbers[index] ?? 0;
  if (number >= 0 && number < 10_000 && number === (number | 0)) {
    view.setUint32(offset, leftDigits[number] ?? 0, true);
    return offset + (digitCounts[number] ?? 0);
  }
  if (Number.isSafeInteger(number)) return writeInteger(number, view, offset);
  const magnitude = Math.abs(number);
  const scaled = Math.round(magnitude * 10_000);
  // Division rounds like parsing, so these are all the digits of a number with up to four decimals.
  return scaled / 10_000 === magnitude && magnitude < endOfDecimals
    ? writeDecimals(scaled, number < 0, view, offset)
    : writeText(String(number), view, offset);
}

/** Above this limit, the spacing of doubles is too wide for this method of writing four decimals. */
const endOfDecimals = 2 ** 39;

/**
 * Rounds a mean to four decimals, or below 0.1 to four significant digits. NaN, which means no value, stays
 * NaN.
 */
export function roundMean(mean: number): number {
  const magnitude = Math.abs(mean);
  if (!(magnitude > 0 && magnitude < endOfDecimals)) return mean;
  if (magnitude < 0.1) return Number(mean.toPrecision(4));
  return (Math.sign(mean) * Math.round(magnitude * 10_000)) / 10_000;
}

/** Writes a number given in ten-thousandths, without trailing zeros. */
function writeDecimals(scaled: number, isNegative: boolean, view: DataView, offset: number): number {
  let at = offset;
  if (isNegative) view.setUint8(at++, minus);
  const whole = Math.floor(scaled / 10_000);
  at = writeInteger(whole, view, at);
  view.setUint8(at++, point);
  const decimals = scaled - whole * 10_000;
  view.setUint32(at, digits[decimals] ?? 0, true);
  return at + (decimals % 10 > 0 ? 4 : decimals % 100 > 0 ? 3 : decimals % 1000 > 0 ? 2 : 1);
}

function writeText(text: string, view: DataView, offset: number): number {
  for (let index = 0; index < text.length; index++) view.setUint8(offset + index, text.charCodeAt(index));
  return offset + text.length;
}

/** Writes a safe integer and returns the offset after it; up to 3 bytes beyond may be overwritten. */
export function writeInteger(integer: number, view: DataView, offset: number): number {
  let at = offset;
  if (integer < 0) view.setUint8(at++, minus);
  const magnitude = Math.abs(integer);
  if (magnitude < eightDigits) return writeShort(magnitude, view, at);
  const high = Math.floor(magnitude / eightDigits);
  at = high < eightDigits ? writeShort(high, view, at) : writeInteger(high, view, at);
  const low = magnitude - high * eightDigits;
  const upper = (low / 10_000) | 0;
  view.setUint32(at, digits[upper] ?? 0, true);
  view.setUint32(at + 4, digits[low - upper * 10_000] ?? 0, true);
  return at + 8;
}

const eightDigits = 100_000_000;

/** Writes an integer of at most eight digits and returns the offset after it. */
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
