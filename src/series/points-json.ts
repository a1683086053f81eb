/** Renders points as bytes of JSON text: the innermost loop of this program. */

import { type Columns, noPoints, valuesOf } from '../model/columns.ts';
import { makePages, minPagesBytes } from '../runtime/releasable-memory.ts';
import { maxRunPoints } from './chunk.ts';
import { digitCounts, digits, leftDigits, writeInteger, writeNumber } from './number-text.ts';

const comma = 0x2c;
const open = 0x5b;
const close = 0x5d;
const zero = 0x30;

// The longest "[timestamp,value],": 16 digits, 24 characters of a double, and 4 others. Several digits are
// written at a time, so the last write may reach beyond.
const maxEntryBytes = 16 + 24 + 4;
const slackBytes = 8;

// The text "],[" between two points, as a little-endian word.
const betweenPoints = close | (comma << 8) | (open << 16);

/** Writes `[timestamp,value],…`, without the outer brackets. */
function writeEntries(points: Columns, target: Uint8Array, offset: number): number {
  const [times, values] = [points.times, valuesOf(points)];
  if (times.length === 0) return offset;
  const view = new DataView(target.buffer, target.byteOffset, target.byteLength);
  // A timestamp from 2001 to 2286 has 13 digits; the first five stay the same for a day.
  let dayFrom = Number.NaN;
  let firstDigit = 0;
  let nextDigits = 0;
  let at = offset;
  target[at++] = open;
  for (let index = 0; index < times.length; index++) {
    const timestamp = times[index] ?? 0;
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
  // Removes the comma and bracket after the last point.
  return at - 2;
}

/**
 * Buffer for the longest run of points that stores return. Each text is copied out before the next one is
 * written.
 */
const sharedTarget = Buffer.allocUnsafeSlow(maxRunPoints * maxEntryBytes + 2 + slackBytes);

/** Renders runs of points, one part per run; a run may be empty only if it is the only one. */
export function* renderRuns(runs: Iterable<Columns>): Generator<Uint8Array> {
  const iterator = runs[Symbol.iterator]();
  let target = sharedTarget;
  let before = open;
  for (let run = iterator.next(); ; ) {
    const points = run.value ?? noPoints;
    const roomBytes = points.times.length * maxEntryBytes + 2 + slackBytes;
    if (target.length < roomBytes) target = Buffer.allocUnsafe(roomBytes);
    target[0] = before;
    const end = writeEntries(points, target, 1);
    // The next run may be decoded into the buffer of this one, whose text has already been written to the
    // target.
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

/**
 * Copies bytes. Small copies use the buffer pool of Node, because separate allocations would cost more than
 * the copy.
 */
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
