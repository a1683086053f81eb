/**
 * A chunk: up to a few hundred points of one line as bytes.
 *
 *   form       1 byte    how the values are coded
 *   count      varint    points
 *   times      runs      see times.ts; the first timestamp is the chunk's key and stands outside
 *   values     by form:
 *     constant   the value, 8 bytes
 *     doubles    every value, 8 bytes each
 *     decimals   1 byte: exponent | unused bits of the last byte << 4; then as varints the first integer
 *                (zigzag), the last one (zigzag) and the running mean; then the Rice bits. A value is its
 *                integer / 10^exponent, so integers are the decimals of exponent 0.
 */
import { AppError } from '../model/app-error.ts';
import { concatPoints, type Points, slicePoints } from '../model/points.ts';
import { maxRiceBytes, maxRiceInteger, type RiceState, readRice, startRice, writeRice } from './rice.ts';
import { maxTimesBytes, readTimes, scanTimes, type TimeRuns, writeTimes } from './times.ts';
import { type Cursor, maxVarintBytes, readVarint, unzigzag, writeVarint, zigzag } from './varint.ts';

/** Points of one line; the key of a chunk is its first timestamp in Unix milliseconds. */
export interface Chunk {
  readonly firstTimestamp: number;
  readonly bytes: Uint8Array;
}

/** A full chunk whose values differ. */
export const maxPointCount = 512;

/** A full chunk of one value: it costs a few bytes however long it is. */
export const maxConstantPointCount = 8192;

const constantForm = 1;
const doublesForm = 2;
const decimalsForm = 3;
const maxExponent = 4;
const powersOfTen = [1, 10, 100, 1000, 10_000];

// Bits are read four bytes at a time, so what is read is first laid where four more bytes always follow.
const scratch = new Uint8Array(maxRiceBytes(maxPointCount) + 8);
const scratchView = new DataView(scratch.buffer);

/** Cuts points, in strictly ascending order of time, into chunks. */
export function encodeChunks(points: Points): Chunk[] {
  const chunks: Chunk[] = [];
  const pointCount = points.timestamps.length;
  for (let start = 0; start < pointCount; ) {
    const alike = constantRun(points.values, start);
    const end =
      alike >= maxPointCount
        ? start + Math.min(alike, maxConstantPointCount)
        : Math.min(start + maxPointCount, pointCount);
    chunks.push(encodeChunk(slicePoints(points, start, end)));
    start = end;
  }
  return chunks;
}

/**
 * How many points a chunk holds.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function pointCountOf(chunk: Chunk): number {
  const pointCount = readVarint({ bytes: chunk.bytes, at: 1 });
  if (pointCount >= 1 && pointCount <= maxConstantPointCount) return pointCount;
  throw damagedChunk(chunk, `it cannot hold ${pointCount} points`);
}

/**
 * The timestamp of the last point.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function lastTimestampOf(chunk: Chunk): number {
  return refusingDamage(chunk, () => readHeader(chunk).times.lastTimestamp);
}

/**
 * The points of a chunk.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function decodeChunk(chunk: Chunk): Points {
  const pointCount = pointCountOf(chunk);
  const points = { timestamps: new Float64Array(pointCount), values: new Float64Array(pointCount) };
  refusingDamage(chunk, () => decodeBytes(chunk, { points, offset: 0, skip: 0 }));
  return points;
}

/** The latest `latestCount` points of chunks that are given in ascending order. */
export function decodeLatest(chunks: readonly Chunk[], latestCount: number): Points {
  let stored = 0;
  for (const chunk of chunks) stored += pointCountOf(chunk);
  const pointCount = Math.min(stored, latestCount);
  const points = { timestamps: new Float64Array(pointCount), values: new Float64Array(pointCount) };
  let skip = stored - pointCount;
  let offset = 0;
  for (const chunk of chunks) {
    const held = pointCountOf(chunk);
    if (skip < held) {
      const target = { points, offset, skip };
      refusingDamage(chunk, () => decodeBytes(chunk, target));
      offset += held - skip;
      skip = 0;
    } else skip -= held;
  }
  return points;
}

/** Where decoded points go: behind `offset`, without the first `skip` of the chunk. */
interface DecodeTarget {
  readonly points: Points;
  readonly offset: number;
  readonly skip: number;
}

/** Runs `work` on a chunk; a RangeError means that its bytes are not what they should be. */
function refusingDamage<T>(chunk: Chunk, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw damagedChunk(chunk, error.message);
  }
}

function decodeBytes(chunk: Chunk, target: DecodeTarget): void {
  const { bytes, firstTimestamp } = chunk;
  const { points, offset, skip } = target;
  const cursor: Cursor = { bytes, at: 1 };
  const pointCount = readVarint(cursor);
  readTimes(cursor, firstTimestamp, { into: points.timestamps, offset, pointCount, skip });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = pointCount - skip;
  switch (bytes[0]) {
    case constantForm:
      points.values.fill(view.getFloat64(cursor.at), offset, offset + kept);
      return;
    case doublesForm:
      for (let index = 0; index < kept; index++) {
        points.values[offset + index] = view.getFloat64(cursor.at + 8 * (skip + index));
      }
      return;
    case decimalsForm: {
      const divisor = powersOfTen[(bytes[cursor.at++] ?? 0) & 0xf] ?? Number.NaN;
      const first = unzigzag(readVarint(cursor));
      const last = unzigzag(readVarint(cursor));
      readVarint(cursor);
      scratch.set(bytes.subarray(cursor.at), 0);
      if (skip === 0) points.values[offset] = first / divisor;
      const end = readRice(scratchView, first, {
        into: points.values,
        offset: skip === 0 ? offset + 1 : offset,
        count: pointCount - 1,
        skip: Math.max(0, skip - 1),
        divisor,
      });
      if (end.last !== last) throw new RangeError('its values do not end where they should');
      return;
    }
    default:
      throw new RangeError(`it has the unknown form ${bytes[0]}`);
  }
}

function damagedChunk(chunk: Chunk, reason: string): AppError {
  const message = `the chunk from ${chunk.firstTimestamp} on is damaged: ${reason}`;
  return new AppError('unavailable', message, { kind: 'store-unavailable' });
}

/**
 * The chunks that come of `last`, the latest chunk of a line, and points that are all later than it: the
 * first of them takes the place of `last`, the others are new.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function extendChunk(last: Chunk, later: Points): Chunk[] {
  if (later.timestamps.length === 1) {
    const [timestamp = 0, value = 0] = [later.timestamps[0], later.values[0]];
    const extended = refusingDamage(last, () => appendPoint(last, timestamp, value));
    if (extended !== undefined) return [extended];
  }
  if (pointCountOf(last) >= maxPointCount && last.bytes[0] !== constantForm)
    return [last, ...encodeChunks(later)];
  return encodeChunks(concatPoints([decodeChunk(last), later]));
}

/** The chunk with one point more, without decoding what it holds; undefined where that cannot be. */
function appendPoint(chunk: Chunk, timestamp: number, value: number): Chunk | undefined {
  const header = readHeader(chunk);
  const isConstant = header.form === constantForm;
  if (header.pointCount >= (isConstant ? maxConstantPointCount : maxPointCount)) return undefined;
  const values = chunk.bytes.subarray(header.valuesAt);
  const extended = new Uint8Array(chunk.bytes.length + 5 * maxVarintBytes + maxRiceBytes(1));
  extended[0] = header.form;
  const at = appendTime(chunk, header, {
    timestamp,
    target: extended,
    offset: writeVarint(extended, 1, header.pointCount + 1),
  });
  const end = appendValue(header.form, { values, value, target: extended, offset: at });
  return end === undefined
    ? undefined
    : { firstTimestamp: chunk.firstTimestamp, bytes: extended.slice(0, end) };
}

function appendTime(
  chunk: Chunk,
  header: Header,
  options: { readonly timestamp: number; readonly target: Uint8Array; readonly offset: number },
): number {
  const { times, timesAt, valuesAt } = header;
  const { target } = options;
  const step = options.timestamp - times.lastTimestamp;
  const continues = times.runCount > 0 && step === times.lastStep;
  let at = writeVarint(target, options.offset, continues ? times.runCount : times.runCount + 1);
  const runs: Cursor = { bytes: chunk.bytes, at: timesAt };
  readVarint(runs);
  const kept = chunk.bytes.subarray(runs.at, continues ? times.lastRunAt : valuesAt);
  target.set(kept, at);
  at = writeVarint(target, at + kept.length, step);
  return writeVarint(target, at, continues ? times.lastRunLength + 1 : 1);
}

function appendValue(
  form: number,
  options: {
    readonly values: Uint8Array;
    readonly value: number;
    readonly target: Uint8Array;
    readonly offset: number;
  },
): number | undefined {
  const { values, value, target, offset } = options;
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  switch (form) {
    case constantForm:
      if (view.getFloat64(0) !== value) return undefined;
      target.set(values, offset);
      return offset + values.length;
    case doublesForm:
      target.set(values, offset);
      new DataView(target.buffer).setFloat64(offset + values.length, value);
      return offset + values.length + 8;
    default: {
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
  }
}

interface Header {
  readonly form: number;
  readonly pointCount: number;
  readonly timesAt: number;
  readonly times: TimeRuns;
  readonly valuesAt: number;
}

function readHeader(chunk: Chunk): Header {
  const cursor: Cursor = { bytes: chunk.bytes, at: 1 };
  const pointCount = readVarint(cursor);
  const timesAt = cursor.at;
  const times = scanTimes(cursor, chunk.firstTimestamp);
  return { form: chunk.bytes[0] ?? 0, pointCount, timesAt, times, valuesAt: cursor.at };
}

function encodeChunk(points: Points): Chunk {
  const { timestamps, values } = points;
  const pointCount = timestamps.length;
  const target = new Uint8Array(
    1 + maxVarintBytes + maxTimesBytes(pointCount) + 4 * maxVarintBytes + maxRiceBytes(pointCount),
  );
  const at = writeTimes(timestamps, target, writeVarint(target, 1, pointCount));
  const end = encodeValues(values, target, at);
  return { firstTimestamp: timestamps[0] ?? 0, bytes: target.slice(0, end) };
}

function encodeValues(values: Float64Array, target: Uint8Array, offset: number): number {
  const view = new DataView(target.buffer);
  if (constantRun(values, 0) === values.length) {
    target[0] = constantForm;
    view.setFloat64(offset, values[0] ?? 0);
    return offset + 8;
  }
  for (let exponent = 0; exponent <= maxExponent; exponent++) {
    const integers = scaledAll(values, exponent);
    if (integers === undefined) continue;
    target[0] = decimalsForm;
    const first = integers[0] ?? 0;
    const state = startRice(first);
    const bits = new Uint8Array(maxRiceBytes(integers.length));
    for (let index = 1; index < integers.length; index++) writeRice(integers[index] ?? 0, bits, state);
    return writeDecimals({ exponent, first: zigzag(first), state, bits }, target, offset);
  }
  target[0] = doublesForm;
  for (const [index, value] of values.entries()) view.setFloat64(offset + 8 * index, value);
  return offset + 8 * values.length;
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

/** The integer that divided by 10^exponent gives exactly this value. */
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

/** How many values from `start` on are the same. */
function constantRun(values: Float64Array, start: number): number {
  const first = values[start];
  let end = start + 1;
  while (end < values.length && values[end] === first) end++;
  return end - start;
}
