/**
 * The values of a chunk, in one of three forms:
 *
 *   constant   the value, 8 bytes
 *   doubles    every value, 8 bytes each
 *   decimals   1 byte: exponent | unused bits of the last byte << 4; then as varints the first integer
 *              (zigzag), the last one (zigzag) and the running mean; then the Rice bits. A value is its
 *              integer / 10^exponent, so integers are the decimals of exponent 0.
 */
import { checksumBytes } from './checksum.ts';
import {
  maxRiceBytes,
  maxRiceInteger,
  type RiceReading,
  type RiceState,
  readRice,
  readRiceTogether,
  startRice,
  writeRice,
} from './rice.ts';
import { type Cursor, maxVarintBytes, readVarint, unzigzag, writeVarint, zigzag } from './varint.ts';

/** The form for points that all have one value. */
export const constantForm = 1;
const doublesForm = 2;
const decimalsForm = 3;
const maxExponent = 4;
const powersOfTen = [1, 10, 100, 1000, 10_000];

/** The most values in a chunk, unless all are the same. */
export const maxValueCount = 512;

/** The most bytes that {@link encodeValues} needs. */
export function maxValuesBytes(count: number): number {
  return 4 * maxVarintBytes + maxRiceBytes(count);
}

/** Counts equal values from `start` on. */
export function constantRun(values: Float64Array, start: number): number {
  const first = values[start];
  let end = start + 1;
  while (end < values.length && values[end] === first) end++;
  return end - start;
}

/** Writes values in the smallest form that keeps them exact; returns the form and the offset after them. */
export function encodeValues(
  values: Float64Array,
  target: Uint8Array,
  offset: number,
): { readonly form: number; readonly end: number } {
  const view = new DataView(target.buffer);
  if (constantRun(values, 0) === values.length) {
    view.setFloat64(offset, values[0] ?? 0);
    return { form: constantForm, end: offset + 8 };
  }
  for (let exponent = 0; exponent <= maxExponent; exponent++) {
    const integers = scaledAll(values, exponent);
    if (integers === undefined) continue;
    const first = integers[0] ?? 0;
    const state = startRice(first);
    const bits = zeroBits(integers.length);
    for (let index = 1; index < integers.length; index++) writeRice(integers[index] ?? 0, bits, state);
    const end = writeDecimals({ exponent, first: zigzag(first), state, bits }, target, offset);
    bits.fill(0, 0, Math.ceil(state.bit / 8));
    return { form: decimalsForm, end };
  }
  for (const [index, value] of values.entries()) view.setFloat64(offset + 8 * index, value);
  return { form: doublesForm, end: offset + 8 * values.length };
}

/** Room for the bits of a column, which is used again: allocating it would take as long as writing a few values. */
let bitsRoom = new Uint8Array(maxRiceBytes(maxValueCount));

/** Returns room for bits, all of them 0; they must be 0 again after use. */
function zeroBits(count: number): Uint8Array {
  if (bitsRoom.length < maxRiceBytes(count)) bitsRoom = new Uint8Array(maxRiceBytes(count));
  return bitsRoom;
}

/** The target of decoded values: from `offset` on, without the first `skip`. */
interface ValuesTarget {
  readonly values: Float64Array;
  readonly offset: number;
  readonly pointCount: number;
  readonly skip: number;
}

/** A read of decimals that is not finished. */
export interface DecimalsReading extends RiceReading {
  /** Index of the first integer. */
  readonly start: number;
  /** The last integer, which the chunk stores apart. */
  readonly end: number;
  /** The power of ten by which the integers are divided when all of them are read. */
  readonly divisor: number;
}

/**
 * Decodes the values at the cursor, except for decimals, which take longest: it returns a read for {@link readDecimals}.
 * @throws RangeError for damaged bytes.
 */
export function decodeValues(
  form: number | undefined,
  cursor: Cursor,
  target: ValuesTarget,
): DecimalsReading | undefined {
  const { bytes } = cursor;
  const { values, offset, pointCount, skip } = target;
  const kept = pointCount - skip;
  switch (form) {
    case constantForm:
      values.fill(viewOf(bytes).getFloat64(cursor.at), offset, offset + kept);
      return;
    case doublesForm: {
      const view = viewOf(bytes);
      for (let index = 0; index < kept; index++)
        values[offset + index] = view.getFloat64(cursor.at + 8 * (skip + index));
      return;
    }
    case decimalsForm: {
      const divisor = powersOfTen[(bytes[cursor.at++] ?? 0) & 0xf] ?? Number.NaN;
      const first = unzigzag(readVarint(cursor));
      const end = unzigzag(readVarint(cursor));
      // The last value is stored in front, for appending, so that reading it alone needs no decoding.
      if (kept === 1 && pointCount > 1) {
        values[offset] = end / divisor;
        return;
      }
      readVarint(cursor);
      // Skipped values have to be decoded too.
      const into = skip === 0 ? values : new Float64Array(pointCount);
      const at = skip === 0 ? offset : 0;
      into[at] = first;
      const bits = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength + checksumBytes);
      const { last, mean16 } = startRice(first);
      const reading: DecimalsReading = {
        last,
        mean16,
        bit: cursor.at * 8,
        bits,
        left: pointCount - 1,
        into,
        offset: at + 1,
        start: at,
        end,
        divisor,
      };
      if (skip === 0) return reading;
      readDecimals(reading);
      values.set(into.subarray(skip), offset);
      return;
    }
    default:
      throw new RangeError(`it has the unknown form ${form}`);
  }
}

/**
 * Reads the rest of the decimals.
 * @throws RangeError for damaged bits.
 */
export function readDecimals(reading: DecimalsReading): void {
  readRice(reading);
  const { into, start, offset, end, divisor } = reading;
  if (reading.last !== end) throw new RangeError('its values do not end where they should');
  // Most values are integers: dividing them too would take a fifth more.
  if (divisor !== 1) for (let at = start; at < offset; at++) into[at] = (into[at] ?? 0) / divisor;
}

/** Reads most of both in turn. {@link readDecimals} then reads the rest of each, and throws for the one that is damaged. */
export function readDecimalsTogether(a: DecimalsReading, b: DecimalsReading): void {
  try {
    readRiceTogether(a, b);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/**
 * Writes the encoded values and one more, without decoding them.
 * @returns the offset after them; undefined if the value does not fit the form.
 */
export function appendValue(
  form: number,
  options: {
    readonly values: Uint8Array;
    readonly value: number;
    readonly target: Uint8Array;
    readonly offset: number;
  },
): number | undefined {
  const { values, value, target, offset } = options;
  const view = viewOf(values);
  switch (form) {
    case constantForm:
      if (view.getFloat64(0) !== value) return undefined;
      target.set(values, offset);
      return offset + values.length;
    case doublesForm:
      target.set(values, offset);
      new DataView(target.buffer).setFloat64(offset + values.length, value);
      return offset + values.length + 8;
    case decimalsForm: {
      const cursor: Cursor = { bytes: values, at: 1 };
      const exponent = (values[0] ?? 0) & 0xf;
      const integer = scaled(value, exponent);
      if (integer === undefined) return undefined;
      const first = readVarint(cursor);
      const last = unzigzag(readVarint(cursor));
      const mean16 = readVarint(cursor);
      const unusedBits = (values[0] ?? 0) >> 4;
      const old = values.subarray(cursor.at);
      const bits = new Uint8Array(old.length + maxRiceBytes(1));
      bits.set(old);
      const state: RiceState = { last, mean16, bit: old.length * 8 - unusedBits };
      writeRice(integer, bits, state);
      return writeDecimals({ exponent, first, state, bits }, target, offset);
    }
    default:
      throw new RangeError(`it has the unknown form ${form}`);
  }
}

function writeDecimals(
  coded: {
    readonly exponent: number;
    readonly first: number;
    readonly state: RiceState;
    readonly bits: Uint8Array;
  },
  target: Uint8Array,
  offset: number,
): number {
  const byteCount = Math.ceil(coded.state.bit / 8);
  target[offset] = coded.exponent | ((byteCount * 8 - coded.state.bit) << 4);
  let at = writeVarint(target, offset + 1, coded.first);
  at = writeVarint(target, at, zigzag(coded.state.last));
  at = writeVarint(target, at, coded.state.mean16);
  target.set(coded.bits.subarray(0, byteCount), at);
  return at + byteCount;
}

/** Finds the integer that divided by 10^exponent gives exactly this value. */
function scaled(value: number, exponent: number): number | undefined {
  const power = powersOfTen[exponent] ?? 1;
  const integer = Math.round(value * power);
  return integer / power === value && Math.abs(integer) <= maxRiceInteger ? integer : undefined;
}

function scaledAll(values: Float64Array, exponent: number): Float64Array | undefined {
  const integers = new Float64Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const integer = scaled(values[index] ?? 0, exponent);
    if (integer === undefined) return undefined;
    integers[index] = integer;
  }
  return integers;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
