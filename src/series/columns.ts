/** Columns of values in a block: for each of them a byte for the form, a varint for the size, and the values as in a chunk (values.ts). */
import { checksumBytes } from './checksum.ts';
import {
  appendValue,
  type DecimalsReading,
  decodeValues,
  encodeValues,
  maxValuesBytes,
  readDecimals,
  readDecimalsTogether,
} from './values.ts';
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

/** A column as it is stored. */
export interface StoredColumn {
  readonly form: number;
  readonly bytes: Uint8Array;
}

/** The most bytes that {@link writeColumns} needs for a column. */
export function maxColumnBytes(valueCount: number): number {
  return 1 + maxVarintBytes + maxValuesBytes(valueCount);
}

/** Writes columns of the same length and returns the offset after them. */
export function writeColumns(columns: readonly Float64Array[], target: Uint8Array, offset: number): number {
  const scratch = new Uint8Array(maxColumnBytes(columns[0]?.length ?? 0));
  let at = offset;
  for (const column of columns) {
    const { form, end } = encodeValues(column, scratch, 0);
    at = writeColumn({ form, bytes: scratch.subarray(0, end) }, target, at);
    scratch.fill(0, 0, end);
  }
  return at;
}

/** Writes a column that is encoded already, and returns the offset after it. */
export function writeColumn({ form, bytes }: StoredColumn, target: Uint8Array, offset: number): number {
  target[offset] = form;
  const at = writeVarint(target, offset + 1, bytes.length);
  target.set(bytes, at);
  return at + bytes.length;
}

/**
 * Reads the column at the cursor without decoding it.
 * @throws RangeError if it is cut.
 */
export function readColumn(cursor: Cursor): StoredColumn {
  const form = cursor.bytes[cursor.at++] ?? 0;
  const sizeBytes = readVarint(cursor);
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + sizeBytes);
  if (bytes.length !== sizeBytes) throw new RangeError('its values are cut');
  cursor.at += sizeBytes;
  return { form, bytes };
}

/**
 * Decodes columns at the cursor into others. The bytes of a checksum must follow the last one.
 * @throws RangeError for damaged bytes.
 */
export function decodeColumns(cursor: Cursor, columns: readonly Float64Array[]): void {
  let before: DecimalsReading | undefined;
  for (const column of columns) {
    const reading = openColumn(cursor, column);
    if (reading === undefined) continue;
    if (before === undefined) before = reading;
    else {
      readDecimalsTogether(before, reading);
      readDecimals(before);
      readDecimals(reading);
      before = undefined;
    }
  }
  if (before !== undefined) readDecimals(before);
}

function openColumn(cursor: Cursor, values: Float64Array): DecimalsReading | undefined {
  const form = cursor.bytes[cursor.at++];
  const sizeBytes = readVarint(cursor);
  const end = cursor.at + sizeBytes;
  if (!(end <= cursor.bytes.length)) throw new RangeError('its values are cut');
  const from = { bytes: cursor.bytes, at: cursor.at };
  cursor.at = end;
  return decodeValues(form, from, { values, offset: 0, pointCount: values.length, skip: 0 });
}

/** Appends a value to a column of `valueCount` others, in its form, or in another one if it does not fit. */
export function appendToColumn(column: StoredColumn, value: number, valueCount: number): StoredColumn {
  const { form, bytes } = column;
  const target = new Uint8Array(bytes.length + maxValuesBytes(1));
  const end = appendValue(form, { values: bytes, value, target, offset: 0 });
  if (end !== undefined) return { form, bytes: target.subarray(0, end) };
  const values = new Float64Array(valueCount + 1);
  const cursor = { bytes: withSlack(bytes), at: 0 };
  const reading = decodeValues(form, cursor, { values, offset: 0, pointCount: valueCount, skip: 0 });
  if (reading !== undefined) readDecimals(reading);
  values[valueCount] = value;
  const encoded = new Uint8Array(maxValuesBytes(values.length));
  const { form: newForm, end: newEnd } = encodeValues(values, encoded, 0);
  return { form: newForm, bytes: encoded.subarray(0, newEnd) };
}

/** Copies bytes, with room after them for what a read of decimals may look at. */
function withSlack(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes.length + checksumBytes);
  copy.set(bytes);
  return copy.subarray(0, bytes.length);
}
