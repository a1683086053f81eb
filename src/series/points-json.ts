/** Renders points as JSON text, and parses them from it, in bytes: the innermost loops of this program. */
import { makePages, minPagesBytes } from '../model/own-pages.ts';
import { maxTimestamp, noPoints, type Points } from '../model/points.ts';
import { maxRunPoints } from './chunk.ts';
import { digitCounts, digits, leftDigits, writeInteger, writeNumber } from './number-text.ts';

const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;
const minus = 0x2d;
const zero = 0x30;

// The longest "[timestamp,value],": 16 digits, 24 characters of a double, and 4 around them. Digits are written several at a
// time, so that the last write may reach further.
const maxEntryBytes = 16 + 24 + 4;
const slackBytes = 8;

/** The most bytes that {@link writePointsJson} needs. */
export function maxPointsBytes(points: Points): number {
  return points.timestamps.length * maxEntryBytes + 2 + slackBytes;
}

/**
 * Writes points as `[[timestamp,value],…]`: the same text that `JSON.stringify` gives for the pairs.
 * @param target must have {@link maxPointsBytes} of room after `offset`.
 * @returns the offset after the last byte written.
 */
export function writePointsJson(points: Points, target: Uint8Array, offset: number): number {
  target[offset] = open;
  const at = writeEntries(points, target, offset + 1);
  target[at] = close;
  return at + 1;
}

// The text between two points, "],[", as a little-endian word.
const betweenPoints = close | (comma << 8) | (open << 16);

/** Writes `[timestamp,value],…`, without the outer brackets. */
function writeEntries(points: Points, target: Uint8Array, offset: number): number {
  const { timestamps, values } = points;
  if (timestamps.length === 0) return offset;
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  // Of the 13 digits that a timestamp from 2001 to 2286 has, the first five stay the same for a day.
  let dayFrom = Number.NaN;
  let firstDigit = 0;
  let nextDigits = 0;
  let at = offset;
  target[at++] = open;
  for (let index = 0; index < timestamps.length; index++) {
    const timestamp = timestamps[index] ?? 0;
    if (timestamp >= 1e12 && timestamp < 1e13) {
      let low = timestamp - dayFrom;
      if (!(low >= 0 && low < 1e8)) {
        const high = Math.floor(timestamp / 1e8);
        const highest = Math.floor(high / 10_000);
        dayFrom = high * 1e8;
        low = timestamp - dayFrom;
        firstDigit = zero + highest;
        nextDigits = digits[high - highest * 10_000] ?? 0;
      }
      const middle = (low / 10_000) | 0;
      target[at] = firstDigit;
      view.setUint32(at + 1, nextDigits, true);
      view.setUint32(at + 5, digits[middle] ?? 0, true);
      view.setUint32(at + 9, digits[low - middle * 10_000] ?? 0, true);
      at += 13;
    } else at = writeInteger(timestamp, view, at);
    target[at++] = comma;
    const value = values[index] ?? 0;
    if (value >= 0 && value < 10_000 && value === (value | 0)) {
      view.setUint32(at, leftDigits[value] ?? 0, true);
      at += digitCounts[value] ?? 0;
    } else at = writeNumber(values, index, view, at);
    view.setUint32(at, betweenPoints, true);
    at += 3;
  }
  // After the last point there is only its bracket.
  return at - 2;
}

/** Memory for the longest run of points that stores give at once. Every text is copied out of it before another one is written. */
const sharedTarget = Buffer.allocUnsafeSlow(maxRunPoints * maxEntryBytes + 2 + slackBytes);

/** Renders points that come in runs, a part for each run; no run may be empty unless it is the only one. */
export function* renderRuns(runs: Iterable<Points>): Generator<Uint8Array> {
  const iterator = runs[Symbol.iterator]();
  let target = sharedTarget;
  let before = open;
  for (let run = iterator.next(); ; ) {
    const points = run.value ?? noPoints;
    const roomBytes = maxPointsBytes(points);
    if (target.length < roomBytes) target = Buffer.allocUnsafe(roomBytes);
    target[0] = before;
    const end = writeEntries(points, target, 1);
    // The next run may be decoded over the points of this one, whose text is in the target already.
    run = iterator.next();
    if (run.done === true) {
      target[end] = close;
      yield copyOf(target, end + 1);
      return;
    }
    yield copyOf(target, end);
    before = comma;
  }
}

/** Copies bytes. Small copies share Node's pool of buffers, because an allocation each would cost more than the copy. */
function copyOf(bytes: Uint8Array, length: number): Uint8Array {
  if (length >= minPagesBytes) {
    const pages = makePages(length);
    pages.set(bytes.subarray(0, length));
    return pages;
  }
  // `slice` of a Buffer would not copy.
  if (length > maxPooledBytes) return new Uint8Array(bytes.subarray(0, length));
  const copy = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at++) copy[at] = bytes[at] ?? 0;
  return copy;
}

const maxPooledBytes = 256;

/**
 * Parses `[[timestamp,value],…]` from compact JSON, without sorting the points.
 * @returns undefined for anything else, including timestamps out of range and values that are not finite.
 */
export function parsePoints(bytes: Uint8Array, start: number, end: number): Points | undefined {
  if (bytes[start] !== open || bytes[end - 1] !== close) return undefined;
  if (end - start === 2) return noPoints;
  if (bytes[start + 1] !== open) return undefined;
  const capacity = Math.ceil((end - start) / 6); // no entry is shorter than "[0,0]," and its comma
  const timestamps = new Float64Array(capacity);
  const values = new Float64Array(capacity);
  let at = start + 1;
  let count = 0;
  for (;;) {
    if (bytes[at++] !== open) return undefined;
    const timeStart = at;
    let timestamp = 0;
    for (let digit = (bytes[at] ?? 0) - zero; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - zero) {
      timestamp = timestamp * 10 + digit;
      at++;
    }
    if (bytes[at] !== comma || isBadInteger(bytes, timeStart, at)) {
      at = numberEnd(bytes, timeStart, end);
      timestamp = parseNumber(bytes, timeStart, at);
      if (!Number.isInteger(timestamp) || timestamp < 0) return undefined;
    }
    if (timestamp > maxTimestamp || bytes[at++] !== comma) return undefined;
    const valueStart = at;
    const isNegative = bytes[at] === minus;
    if (isNegative) at++;
    const digitStart = at;
    let value = 0;
    for (let digit = (bytes[at] ?? 0) - zero; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - zero) {
      value = value * 10 + digit;
      at++;
    }
    if (bytes[at] !== close || isBadInteger(bytes, digitStart, at)) {
      at = numberEnd(bytes, valueStart, end);
      value = parseNumber(bytes, valueStart, at);
      if (!Number.isFinite(value)) return undefined;
    } else if (isNegative) value = 0 - value; // not -value: "-0" reads as 0, as JSON.stringify writes it
    if (bytes[at++] !== close) return undefined;
    timestamps[count] = timestamp;
    values[count] = value;
    count++;
    const next = bytes[at++];
    if (next === comma) continue;
    if (next === close && at === end)
      return { timestamps: timestamps.subarray(0, count), values: values.subarray(0, count) };
    return undefined;
  }
}

/** True for no digits, for more than a double keeps, and for a leading zero. */
function isBadInteger(bytes: Uint8Array, start: number, end: number): boolean {
  return end === start || end - start > 15 || (end - start > 1 && bytes[start] === zero);
}

/** Finds the end of the digits, signs, decimal points and letters e from `start` on. */
function numberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (let byte = bytes[at] ?? 0; at < end; byte = bytes[at] ?? 0) {
    if (!(byte >= 0x2b && byte <= 0x39 && byte !== comma) && (byte | 0x20) !== 0x65) break;
    at++;
  }
  return at;
}

/** Parses a JSON number; NaN for anything else. */
function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  const text = decoder.decode(bytes.subarray(start, end));
  return jsonNumber.test(text) ? Number(text) + 0 : Number.NaN;
}

const decoder = new TextDecoder();
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
