/**
 * Codes what a report adds to charts, for the time until its slot is closed. Ids of charts and names of shares are numbers of the slot's names: a
 * usual report of twelve charts has about 40 bytes.
 */
import type { ChartValue, ReportedShare, ReportedValue } from '../../model/reported-value.ts';
import { type Cursor, readVarint } from '../../series/varint.ts';
import { ByteWriter } from '../byte-writer.ts';

/** The forms of a value. */
const forms = {
  wholeNumber: 0,
  otherNumber: 1,
  /** A share with the number 1. */
  oneName: 2,
  oneInGroup: 3,
  /** Shares with one number each. */
  names: 4,
  inGroups: 5,
  /** Shares with several numbers. */
  rows: 6,
} as const;

const formCount = 8;
const doubleBytes = 8;

/** Adds the texts in values that are coded as numbers to a set. */
export function collectNames(values: readonly ChartValue[], names: Set<string>): void {
  for (const [chartId, value] of values) {
    names.add(chartId);
    if (typeof value === 'number') continue;
    for (const { group, name } of value) {
      if (group !== null) names.add(group);
      names.add(name);
    }
  }
}

/** Encodes values. @param numberOf gives the number of each text of {@link collectNames}. */
export function encodeReport(values: readonly ChartValue[], numberOf: (text: string) => number): Uint8Array {
  const writer = new ByteWriter();
  for (const [chartId, value] of values) {
    const form = formOf(value);
    writer.varint(numberOf(chartId) * formCount + form);
    if (typeof value === 'number') {
      if (form === forms.wholeNumber) writer.varint(value);
      else writer.double(value);
      continue;
    }
    if (form >= forms.names) writer.varint(value.length);
    for (const { group, name, values: numbers } of value) {
      if (group !== null) writer.varint(numberOf(group));
      writer.varint(numberOf(name));
      if (form === forms.rows) writer.varint(numbers.length);
      if (form >= forms.names) for (const number of numbers) writer.varint(number);
    }
  }
  return writer.take();
}

/** The most values that a decoder knows. */
const maxKnownValues = 50_000;

/** Groups with smaller numbers have values that are known: so a key is exact. */
const maxKnownGroup = 2 ** 20;

/** Decodes values. Most reports say the same as others, such as one of ten versions: such a value is made once. */
export class ReportDecoder {
  readonly #nameOf: (number: number) => string | undefined;
  readonly #known = new Map<number, readonly ReportedShare[]>();

  /** @param nameOf gives the text of a number. Where it gives undefined, the text is empty, and the report must be decoded again. */
  constructor(nameOf: (number: number) => string | undefined) {
    this.#nameOf = nameOf;
  }

  /** Decodes a report. @throws RangeError for bytes that were not encoded so. */
  decode(bytes: Uint8Array): ChartValue[] {
    const cursor: Cursor = { bytes, at: 0 };
    const values: ChartValue[] = [];
    while (cursor.at < bytes.length) {
      const head = readVarint(cursor);
      const chartId = this.#nameOf(Math.floor(head / formCount)) ?? '';
      values.push([chartId, this.#decodeValue(cursor, head % formCount)]);
      if (!(cursor.at <= bytes.length)) throw tooShort();
    }
    return values;
  }

  #decodeValue(cursor: Cursor, form: number): ReportedValue {
    if (form === forms.wholeNumber) return readVarint(cursor);
    if (form === forms.otherNumber) {
      const { buffer, byteOffset } = cursor.bytes;
      cursor.at += doubleBytes;
      if (cursor.at > cursor.bytes.length) throw tooShort();
      return new DataView(buffer, byteOffset, cursor.bytes.length).getFloat64(cursor.at - doubleBytes);
    }
    if (form === forms.oneName) return this.#oneShare(null, readVarint(cursor));
    if (form === forms.oneInGroup) return this.#oneShare(readVarint(cursor), readVarint(cursor));
    const isGrouped = form === forms.inGroups;
    const count = readVarint(cursor);
    const shares: ReportedShare[] = [];
    while (shares.length < count) {
      const group = isGrouped ? (this.#nameOf(readVarint(cursor)) ?? '') : null;
      const name = this.#nameOf(readVarint(cursor)) ?? '';
      const valueCount = form === forms.rows ? readVarint(cursor) : 1;
      const values: number[] = [];
      while (values.length < valueCount) values.push(readVarint(cursor));
      if (cursor.at > cursor.bytes.length) throw tooShort();
      shares.push({ group, name, values });
    }
    return shares;
  }

  #oneShare(groupNumber: number | null, number: number): readonly ReportedShare[] {
    const key = groupNumber === null ? number : (groupNumber + 1) * 2 ** 32 + number;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const group = groupNumber === null ? null : this.#nameOf(groupNumber);
    const name = this.#nameOf(number);
    const share = [{ group: group ?? (groupNumber === null ? null : ''), name: name ?? '', values: [1] }];
    const isExact = number < 2 ** 32 && (groupNumber ?? 0) < maxKnownGroup;
    if (name === undefined || group === undefined || !isExact) return share;
    if (this.#known.size >= maxKnownValues) this.#known.clear();
    this.#known.set(key, share);
    return share;
  }
}

function tooShort(): RangeError {
  return new RangeError('a report ends too early');
}

function formOf(value: ReportedValue): number {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
      ? forms.wholeNumber
      : forms.otherNumber;
  const [first] = value;
  if (first === undefined) return forms.names;
  const isGrouped = first.group !== null;
  if (value.length === 1 && first.values.length === 1 && first.values[0] === 1)
    return isGrouped ? forms.oneInGroup : forms.oneName;
  if (isGrouped) return forms.inGroups;
  return value.every(({ values }) => values.length === 1) ? forms.names : forms.rows;
}
