/** Writes numbers as JSON text, in bytes: the same text that `String` gives. */
import { digitCounts, digits, leftDigits, writeInteger } from './digits.ts';
import { writeShortest } from './shortest-decimals.ts';

const minus = 0x2d;
const point = 0x2e;

/** The most bytes that {@link writeNumber} needs: 24 characters of a double, and 8 that it may write after them. */
export const maxNumberBytes = 24 + 8;

/** Number of the four digits that are left without zeros at the end. */
const decimalCounts = Uint8Array.from({ length: 10_000 }, (_, integer) =>
  integer % 10 > 0 ? 4 : integer % 100 > 0 ? 3 : integer % 1000 > 0 ? 2 : integer > 0 ? 1 : 0,
);

/** Writes a finite one of some numbers, and returns the offset after it. A number by itself would be an object for each call. */
export function writeNumber(numbers: Float64Array, index: number, view: DataView, offset: number): number {
  const number = numbers[index] ?? 0;
  if (number >= 0 && number < 10_000 && number === (number | 0)) {
    view.setUint32(offset, leftDigits[number] ?? 0, true);
    return offset + (digitCounts[number] ?? 0);
  }
  if (Number.isSafeInteger(number)) return writeInteger(number, view, offset);
  return writeDecimals(numbers, index, view, offset) ?? writeText(String(number), view, offset);
}

/** The largest number whose decimals are written here. */
const largest = 2 ** 31;

/** Writes a number that is no integer; undefined for one that `String` must write. */
function writeDecimals(
  numbers: Float64Array,
  index: number,
  view: DataView,
  offset: number,
): number | undefined {
  const number = numbers[index] ?? 0;
  const magnitude = Math.abs(number);
  if (!(magnitude < largest)) return undefined;
  const whole = Math.floor(magnitude);
  const scaled = Math.round(magnitude * 10_000);
  let at = offset;
  if (number < 0) view.setUint8(at++, minus);
  at = writeInteger(whole, view, at);
  // Division rounds as reading does, so that these are the digits of the number.
  if (scaled / 10_000 !== magnitude) return writeShortest(magnitude, view, at);
  view.setUint8(at++, point);
  const decimals = scaled - whole * 10_000;
  view.setUint32(at, digits[decimals] ?? 0, true);
  return at + (decimalCounts[decimals] ?? 0);
}

function writeText(text: string, view: DataView, offset: number): number {
  for (let index = 0; index < text.length; index++) view.setUint8(offset + index, text.charCodeAt(index));
  return offset + text.length;
}
