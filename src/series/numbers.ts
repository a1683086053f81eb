/**
 * A column of values as bytes. Its first byte has the form of the values in three bits, and the bits of a difference in the other five:
 *
 *   0 to 4   integers, divided by this power of ten: the first one as a varint, then the differences between them, each in as many bits;
 *            both are zigzag, and the lowest bits come first
 *   7        doubles, 8 bytes each
 */
import { type Cursor, readVarint, unzigzag, writeVarint, zigzag } from './varint.ts';

const powersOfTen = [1, 10, 100, 1000, 10_000];
const doublesForm = 7;

/** The most bits of a difference: with the seven that may be left of the one before, they fit 32. */
const maxBits = 25;

/** The largest integer whose zigzag is exact. */
const maxInteger = 2 ** 52;

/** The most bytes that {@link writeNumbers} needs. */
export function maxNumbersBytes(count: number): number {
  return 9 + 8 * count;
}

/** The differences of the column that is written. */
let differences = new Uint32Array(512);

/** Writes values, at least one, so that they read back exactly (-0 as 0); returns the offset after them. */
export function writeNumbers(values: Float64Array, target: Uint8Array, offset: number): number {
  if (values.length > differences.length) differences = new Uint32Array(values.length);
  for (let form = 0; form < powersOfTen.length; form++) {
    const power = powersOfTen[form] ?? 1;
    const bits = findDifferences(values, power);
    if (bits === undefined) continue;
    target[offset] = form | (bits << 3);
    const at = writeVarint(target, offset + 1, zigzag(Math.round((values[0] ?? 0) * power)));
    return writeBits(bits, values.length - 1, target, at);
  }
  target[offset] = doublesForm;
  const view = new DataView(target.buffer, target.byteOffset + offset + 1);
  for (let index = 0; index < values.length; index++) view.setFloat64(8 * index, values[index] ?? 0, true);
  return offset + 1 + 8 * values.length;
}

/** Finds the differences between integers, and the bits of the largest; undefined if a value is no such integer, or one of them is too large. */
function findDifferences(values: Float64Array, power: number): number | undefined {
  let before = Math.round((values[0] ?? 0) * power);
  let all = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0;
    const integer = Math.round(value * power);
    const difference = zigzag(integer - before);
    if (integer / power !== value || Math.abs(integer) > maxInteger || difference >= 2 ** maxBits)
      return undefined;
    before = integer;
    if (index > 0) differences[index - 1] = difference;
    all |= difference;
  }
  return 32 - Math.clz32(all);
}

function writeBits(bits: number, count: number, target: Uint8Array, offset: number): number {
  let at = offset;
  let pending = 0;
  let pendingBits = 0;
  for (let index = 0; index < count; index++) {
    pending |= (differences[index] ?? 0) << pendingBits;
    pendingBits += bits;
    for (; pendingBits >= 8; pendingBits -= 8) {
      target[at++] = pending;
      pending >>>= 8;
    }
  }
  if (pendingBits > 0) target[at++] = pending;
  return at;
}

/**
 * Reads the values at the cursor, as many as there is room for.
 * @throws RangeError for damaged bytes.
 */
export function readNumbers(cursor: Cursor, values: Float64Array): void {
  const { bytes } = cursor;
  const head = bytes[cursor.at++] ?? 0;
  const [form, bits] = [head & 7, head >> 3];
  const divisor = powersOfTen[form];
  if (divisor === undefined) {
    if (form !== doublesForm) throw new RangeError(`its values have the unknown form ${form}`);
    const end = endOf(cursor, 8 * values.length);
    const view = new DataView(bytes.buffer, bytes.byteOffset + cursor.at);
    for (let index = 0; index < values.length; index++) values[index] = view.getFloat64(8 * index, true);
    cursor.at = end;
    return;
  }
  let integer = unzigzag(readVarint(cursor));
  const end = endOf(cursor, Math.ceil((bits * (values.length - 1)) / 8));
  const mask = 2 ** bits - 1;
  let at = cursor.at;
  let pending = 0;
  let pendingBits = 0;
  values[0] = integer;
  for (let index = 1; index < values.length; index++) {
    for (; pendingBits < bits; pendingBits += 8) pending |= (bytes[at++] ?? 0) << pendingBits;
    const difference = pending & mask;
    pending >>>= bits;
    pendingBits -= bits;
    integer += (difference >>> 1) ^ -(difference & 1);
    values[index] = integer;
  }
  cursor.at = end;
  if (divisor !== 1)
    for (let index = 0; index < values.length; index++) values[index] = (values[index] ?? 0) / divisor;
}

function endOf({ bytes, at }: Cursor, sizeBytes: number): number {
  if (at + sizeBytes <= bytes.length) return at + sizeBytes;
  throw new RangeError('its values are cut');
}
