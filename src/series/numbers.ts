/**
 * Encodes a column of values as bytes, in one of three forms:
 *
 *   plain        form 0, exponent, bits, the lowest integer as a varint, and each integer minus the lowest
 *   differences  form 1, exponent, bits, the first integer as a varint, and each minus the one before
 *   doubles      form 2, and each value in 8 bytes
 *
 * The form and the exponent share one byte: form + 4 * exponent. The number of bits per integer is one byte.
 * A value is its integer divided by 10 to the power of the exponent. Integers that may be negative are in
 * zigzag form. The first difference is 0. Bits are packed from the lowest on.
 */
import { type Cursor, readVarint, unzigzag, writeVarint, zigzag } from './times.ts';

const forms = { plain: 0, differences: 1, doubles: 2 };
const powersOfTen = [1, 10, 100, 1000, 10_000];

/**
 * Maximum number of bits per packed integer: together with up to seven bits left over from the previous one
 * they fit into 32.
 */
const maxBits = 25;

/** Largest integer whose zigzag form is exact. */
const maxInteger = 2 ** 52;

/** Returns the maximum number of bytes that {@link writeNumbers} needs. */
export function maxNumbersBytes(count: number): number {
  return 10 + 8 * count;
}

/** Buffer for the integers of the column being written. */
let integers = new Float64Array(512);

/**
 * Writes one or more values, which read back exactly except that -0 becomes 0; returns the offset after them.
 */
export function writeNumbers(values: Float64Array, target: Uint8Array, offset: number): number {
  if (values.length > integers.length) integers = new Float64Array(values.length);
  for (let exponent = 0; exponent < powersOfTen.length; exponent++) {
    if (!scaleAll(values, powersOfTen[exponent] ?? 1)) continue;
    const end = writeIntegers(values.length, exponent, target, offset);
    if (end !== undefined) return end;
    break;
  }
  target[offset] = forms.doubles;
  const view = new DataView(target.buffer, target.byteOffset + offset + 1);
  for (let index = 0; index < values.length; index++) view.setFloat64(8 * index, values[index] ?? 0, true);
  return offset + 1 + 8 * values.length;
}

/**
 * Multiplies the values by a power of ten into `integers`; returns false if the results are not integers that
 * divide back exactly.
 */
function scaleAll(values: Float64Array, power: number): boolean {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    const integer = Math.round(value * power);
    if (integer / power !== value || Math.abs(integer) > maxInteger) return false;
    integers[index] = integer;
  }
  return true;
}

/** Writes the integers in the form that takes fewer bits; undefined if both forms take too many. */
function writeIntegers(
  count: number,
  exponent: number,
  target: Uint8Array,
  offset: number,
): number | undefined {
  const first = integers[0] ?? 0;
  let [lowest, highest, widest, before] = [first, first, 0, first];
  for (let index = 0; index < count; index++) {
    const integer = integers[index] ?? 0;
    if (integer < lowest) lowest = integer;
    if (integer > highest) highest = integer;
    const difference = zigzag(integer - before);
    if (difference > widest) widest = difference;
    before = integer;
  }
  const isPlain = highest - lowest <= widest;
  const largest = isPlain ? highest - lowest : widest;
  if (largest >= 2 ** maxBits) return undefined;
  const bits = 32 - Math.clz32(largest);
  target[offset] = (isPlain ? forms.plain : forms.differences) | (exponent << 2);
  target[offset + 1] = bits;
  let at = writeVarint(target, offset + 2, zigzag(isPlain ? lowest : first));
  let pending = 0;
  let pendingBits = 0;
  before = first;
  for (let index = 0; index < count; index++) {
    const integer = integers[index] ?? 0;
    pending |= (isPlain ? integer - lowest : zigzag(integer - before)) << pendingBits;
    before = integer;
    for (pendingBits += bits; pendingBits >= 8; pendingBits -= 8) {
      target[at++] = pending;
      pending >>>= 8;
    }
  }
  if (pendingBits > 0) target[at++] = pending;
  return at;
}

/**
 * Reads values at the cursor until the array is full.
 * @throws RangeError if the bytes are damaged.
 */
export function readNumbers(cursor: Cursor, values: Float64Array): void {
  const { bytes } = cursor;
  const head = bytes[cursor.at++] ?? 0;
  const form = head & 3;
  if (form === forms.doubles) {
    const from = skip(cursor, 8 * values.length);
    const view = new DataView(bytes.buffer, bytes.byteOffset + from);
    for (let index = 0; index < values.length; index++) values[index] = view.getFloat64(8 * index, true);
    return;
  }
  const divisor = powersOfTen[head >> 2];
  const bits = bytes[cursor.at++] ?? 0;
  if (form > forms.doubles || divisor === undefined || bits > maxBits)
    throw new RangeError(`its values have the unknown form ${head}`);
  let integer = unzigzag(readVarint(cursor));
  let at = skip(cursor, Math.ceil((bits * values.length) / 8));
  const mask = 2 ** bits - 1;
  let pending = 0;
  let pendingBits = 0;
  for (let index = 0; index < values.length; index++) {
    for (; pendingBits < bits; pendingBits += 8) pending |= (bytes[at++] ?? 0) << pendingBits;
    const packed = pending & mask;
    pending >>>= bits;
    pendingBits -= bits;
    if (form === forms.plain) values[index] = integer + packed;
    else {
      integer += (packed >>> 1) ^ -(packed & 1);
      values[index] = integer;
    }
  }
  if (divisor !== 1)
    for (let index = 0; index < values.length; index++) values[index] = (values[index] ?? 0) / divisor;
}

/** Advances the cursor; returns its offset before. */
function skip(cursor: Cursor, sizeBytes: number): number {
  const { at } = cursor;
  cursor.at += sizeBytes;
  if (cursor.at <= cursor.bytes.length) return at;
  throw new RangeError('its values are cut');
}
