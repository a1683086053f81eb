/**
 * A chunk: some of the points of one series as bytes.
 *
 *   form       1 byte    how the values are coded
 *   count      varint    points
 *   times      runs      see timestamps.ts; the first timestamp is the key of the chunk and not part of the bytes
 *   values     by form   see values.ts
 *   checksum   4 bytes   see checksum.ts
 */
import { AppError } from '../model/app-error.ts';
import { concatPoints, type Points, slicePoints } from '../model/points.ts';
import type { MakeRoom } from '../model/room.ts';
import { checksumBytes, withChecksum, withoutChecksum } from './checksum.ts';
import { maxTimesBytes, readTimes, scanTimes, type TimeRuns, writeTimes } from './timestamps.ts';
import {
  appendValue,
  constantForm,
  constantRun,
  type DecimalsReading,
  decodeValues,
  encodeValues,
  maxValueCount,
  maxValuesBytes,
  readDecimals,
  readDecimalsTogether,
} from './values.ts';
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

/** Points of one series; the key of a chunk is its first timestamp in Unix milliseconds. */
export interface Chunk {
  readonly firstTimestamp: number;
  readonly bytes: Uint8Array;
}

/** The most points in a chunk of different values. */
export const maxPointsPerChunk = maxValueCount;

/** The most points in a chunk of one value, which takes a few bytes however long it is. */
export const maxConstantPointsPerChunk = 8192;

/** Encodes points, in strictly ascending order of time, as chunks. */
export function encodeChunks(points: Points): Chunk[] {
  const chunks: Chunk[] = [];
  const pointCount = points.timestamps.length;
  for (let start = 0; start < pointCount; ) {
    const alike = constantRun(points.values, start);
    const end =
      alike >= maxPointsPerChunk
        ? start + Math.min(alike, maxConstantPointsPerChunk)
        : Math.min(start + maxPointsPerChunk, pointCount);
    chunks.push(encodeChunk(slicePoints(points, start, end)));
    start = end;
  }
  return chunks;
}

/** The number of first bytes that contain the point count. */
export const headBytes = 3;

/**
 * Decodes the number of points from the first {@link headBytes} bytes of a chunk, without checking its checksum.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function pointCountOf(chunk: Chunk): number {
  const pointCount = readVarint({ bytes: chunk.bytes, at: 1 });
  if (pointCount >= 1 && pointCount <= maxConstantPointsPerChunk) return pointCount;
  throw damagedChunk(chunk, `it cannot hold ${pointCount} points`);
}

/**
 * Decodes the time of the last point.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function lastTimestampOf(chunk: Chunk): number {
  return refusingDamage(chunk, () => readHeader(chunk).times.lastTimestamp);
}

/**
 * Decodes a chunk.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function decodeChunk(chunk: Chunk): Points {
  return decodeLatest([chunk], maxConstantPointsPerChunk);
}

/**
 * Decodes the last point of a chunk, without decoding most of the values before it.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function lastPointOf(chunk: Chunk): { readonly timestamp: number; readonly value: number } {
  const { timestamps, values } = decodeLatest([chunk], 1);
  return { timestamp: timestamps[0] ?? Number.NaN, value: values[0] ?? Number.NaN };
}

/** Decodes the latest `latestCount` points of chunks in ascending order. */
export function decodeLatest(chunks: readonly Chunk[], latestCount: number, makeRoom?: MakeRoom): Points {
  let stored = 0;
  for (const chunk of chunks) stored += pointCountOf(chunk);
  const pointCount = Math.min(stored, latestCount);
  const points = pointsIn(pointCount, makeRoom);
  let skip = stored - pointCount;
  let offset = 0;
  let before: OpenChunk | undefined;
  for (const chunk of chunks) {
    const held = pointCountOf(chunk);
    if (skip < held) {
      const opened = openChunk(chunk, { points, offset, skip });
      if (before === undefined) before = opened;
      else if (opened !== undefined) {
        readDecimalsTogether(before.decimals, opened.decimals);
        closeChunk(before);
        closeChunk(opened);
        before = undefined;
      }
      offset += held - skip;
      skip = 0;
    } else skip -= held;
  }
  if (before !== undefined) closeChunk(before);
  return points;
}

function pointsIn(count: number, makeRoom: MakeRoom | undefined): Points {
  // Memory of their own costs a few points less than a part of a room.
  if (makeRoom === undefined) return { timestamps: new Float64Array(count), values: new Float64Array(count) };
  const room = makeRoom(2 * count);
  return { timestamps: room.subarray(0, count), values: room.subarray(count) };
}

/** The most points that are decoded at once: some tenths of a millisecond. */
export const maxRunPoints = 8192;

/** Counts the points of chunks, up to the latest `latestCount`. */
export function countLatest(chunks: readonly Chunk[], latestCount: number): number {
  let stored = 0;
  for (const chunk of chunks) stored += pointCountOf(chunk);
  return Math.min(stored, latestCount);
}

/** Decodes the latest `latestCount` points in runs, each when it is taken, in the room that is made then. Most requests get a single run. */
export function decodeRuns(
  chunks: readonly Chunk[],
  latestCount: number,
  makeRoom?: MakeRoom,
): Iterable<Points> {
  const stored = countLatest(chunks, Number.POSITIVE_INFINITY);
  return Math.min(stored, latestCount) <= maxRunPoints
    ? [decodeLatest(chunks, latestCount, makeRoom)]
    : decodeManyRuns(chunks, Math.max(0, stored - latestCount), makeRoom);
}

function* decodeManyRuns(
  chunks: readonly Chunk[],
  skip: number,
  makeRoom: MakeRoom | undefined,
): Generator<Points> {
  let run: Chunk[] = [];
  let runPoints = -skip;
  for (const chunk of chunks) {
    const pointCount = pointCountOf(chunk);
    if (runPoints > 0 && runPoints + pointCount > maxRunPoints) {
      yield decodeLatest(run, runPoints, makeRoom);
      run = [];
      runPoints = 0;
    }
    runPoints += pointCount;
    // Chunks that end before the latest points are not decoded.
    if (runPoints > 0) run.push(chunk);
  }
  yield decodeLatest(run, runPoints, makeRoom);
}

/** The target of decoded points: from `offset` on, without the first `skip` points of the chunk. */
interface DecodeTarget {
  readonly points: Points;
  readonly offset: number;
  readonly skip: number;
}

/** Runs `work` on a chunk. A RangeError means that its bytes are damaged. */
function refusingDamage<T>(chunk: Chunk, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw damagedChunk(chunk, error.message);
  }
}

/** A chunk of which everything but its decimals has been decoded. */
interface OpenChunk {
  readonly chunk: Chunk;
  readonly decimals: DecimalsReading;
}

/** Decodes a chunk except for decimals; returns undefined if it has none. */
function openChunk(chunk: Chunk, { points, offset, skip }: DecodeTarget): OpenChunk | undefined {
  const decimals = refusingDamage(chunk, () => {
    const cursor: Cursor = { bytes: withoutChecksum(chunk.bytes, chunk.firstTimestamp), at: 1 };
    const pointCount = readVarint(cursor);
    readTimes(cursor, chunk.firstTimestamp, { into: points.timestamps, offset, pointCount, skip });
    return decodeValues(chunk.bytes[0], cursor, { values: points.values, offset, pointCount, skip });
  });
  return decimals && { chunk, decimals };
}

function closeChunk({ chunk, decimals }: OpenChunk): void {
  refusingDamage(chunk, () => readDecimals(decimals));
}

function damagedChunk(chunk: Chunk, reason: string): AppError {
  const message = `the chunk from ${chunk.firstTimestamp} on is damaged: ${reason}`;
  return new AppError('unavailable', message, { kind: 'store-unavailable' });
}

/**
 * Appends points to the latest chunk of a series; all of them are later. The first chunk of the result replaces `last`, the
 * others are new.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function extendChunk(last: Chunk, later: Points): Chunk[] {
  if (later.timestamps.length === 1) {
    const [timestamp = 0, value = 0] = [later.timestamps[0], later.values[0]];
    const extended = refusingDamage(last, () => appendPoint(last, timestamp, value));
    if (extended !== undefined) return [extended];
  }
  if (pointCountOf(last) >= maxPointsPerChunk && last.bytes[0] !== constantForm)
    return [last, ...encodeChunks(later)];
  return encodeChunks(concatPoints([decodeChunk(last), later]));
}

/** Appends one point without decoding the others; returns undefined if the chunk has no room or its form does not fit. */
function appendPoint(chunk: Chunk, timestamp: number, value: number): Chunk | undefined {
  const header = readHeader(chunk);
  const isConstant = header.form === constantForm;
  if (header.pointCount >= (isConstant ? maxConstantPointsPerChunk : maxPointsPerChunk)) return undefined;
  const target = new Uint8Array(chunk.bytes.length + maxValuesBytes(1) + 4 * maxVarintBytes);
  target[0] = header.form;
  const offset = writeVarint(target, 1, header.pointCount + 1);
  const timesEnd = appendTime(header, { timestamp, target, offset });
  const values = header.bytes.subarray(header.valuesAt);
  const end = appendValue(header.form, { values, value, target, offset: timesEnd });
  if (end === undefined) return undefined;
  return { firstTimestamp: chunk.firstTimestamp, bytes: withChecksum(target, end, chunk.firstTimestamp) };
}

function appendTime(
  header: Header,
  options: { readonly timestamp: number; readonly target: Uint8Array; readonly offset: number },
): number {
  const { times, timesAt, valuesAt } = header;
  const { target } = options;
  const step = options.timestamp - times.lastTimestamp;
  const continues = times.runCount > 0 && step === times.lastStep;
  let at = writeVarint(target, options.offset, continues ? times.runCount : times.runCount + 1);
  const runs: Cursor = { bytes: header.bytes, at: timesAt };
  readVarint(runs);
  const kept = header.bytes.subarray(runs.at, continues ? times.lastRunAt : valuesAt);
  target.set(kept, at);
  at = writeVarint(target, at + kept.length, step);
  return writeVarint(target, at, continues ? times.lastRunLength + 1 : 1);
}

interface Header {
  /** The bytes of the chunk without its checksum. */
  readonly bytes: Uint8Array;
  readonly form: number;
  readonly pointCount: number;
  readonly timesAt: number;
  readonly times: TimeRuns;
  readonly valuesAt: number;
}

function readHeader(chunk: Chunk): Header {
  const cursor: Cursor = { bytes: withoutChecksum(chunk.bytes, chunk.firstTimestamp), at: 1 };
  const pointCount = readVarint(cursor);
  const timesAt = cursor.at;
  const times = scanTimes(cursor, chunk.firstTimestamp);
  return { bytes: cursor.bytes, form: chunk.bytes[0] ?? 0, pointCount, timesAt, times, valuesAt: cursor.at };
}

function encodeChunk(points: Points): Chunk {
  const { timestamps, values } = points;
  const pointCount = timestamps.length;
  const firstTimestamp = timestamps[0] ?? 0;
  const roomBytes =
    1 + maxVarintBytes + maxTimesBytes(pointCount) + maxValuesBytes(pointCount) + checksumBytes;
  const target = new Uint8Array(roomBytes);
  const offset = writeTimes(timestamps, target, writeVarint(target, 1, pointCount));
  const { form, end } = encodeValues(values, target, offset);
  target[0] = form;
  return { firstTimestamp, bytes: withChecksum(target, end, firstTimestamp) };
}
