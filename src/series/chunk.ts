/**
 * Encodes the values of a chart at some times as a chunk of bytes:
 *
 *   form       1 byte    1 for a line, 2 for shares, 3 for shares in groups
 *   count      varint    number of times
 *   shares     varint    number of shares; this field and the next two are missing for a line
 *   size       varint    number of bytes of the names
 *   names      text      JSON array in UTF-8
 *   times      runs      see times.ts; the first time is the key of the chunk, not part of its bytes
 *   values     columns   one per share, or one for a line; see numbers.ts
 *   checksum   4 bytes   CRC-32 of the row key and all bytes before; detects a chunk of another chart too
 */
import { crc32 } from 'node:zlib';
import { AppError } from '../model/app-error.ts';
import { type Columns, lineOf, type Series, unnamed, valuesOf } from '../model/columns.ts';
import { wellFormedJson } from '../model/json-text.ts';
import type { PartRules } from '../model/merge-columns.ts';
import { maxTimestamp } from '../model/window.ts';
import { maxNumbersBytes, readNumbers, writeNumbers } from './numbers.ts';
import {
  type Cursor,
  maxTimesBytes,
  maxVarintBytes,
  readTimes,
  readVarint,
  writeTimes,
  writeVarint,
} from './times.ts';

/** A row of the store. */
export interface Chunk {
  /** Uid of the chart. */
  readonly chartUid: number;
  /** Unix milliseconds. */
  readonly firstTimestamp: number;
  readonly bytes: Uint8Array;
}

/**
 * Limits of a chunk: about three weeks of hours, in a row that is still cheap to rewrite for each new time.
 */
export const chunkLimits: Omit<PartRules, 'isLine'> = {
  maxTimes: 512,
  maxShares: Number.POSITIVE_INFINITY,
  maxCells: 65_536,
  maxNames: 1_000_000,
};

const forms = { line: 1, shares: 2, groups: 3 };
const checksumBytes = 4;

/** Number of leading bytes that contain the form and the number of times. */
export const headBytes = 3;

/** True for a chunk of a line; its first bytes are enough. */
export function isOfLine({ bytes }: Pick<Chunk, 'bytes'>): boolean {
  return bytes[0] === forms.line;
}

/**
 * Reads the number of times from the first {@link headBytes} bytes of a chunk, without verifying the
 * checksum.
 * @throws AppError `unavailable` if the chunk is damaged.
 */
export function timeCountOf(chunk: Pick<Chunk, 'firstTimestamp' | 'bytes'>): number {
  const timeCount = readVarint({ bytes: chunk.bytes, at: 1 });
  if (timeCount >= 1 && timeCount <= chunkLimits.maxTimes) return timeCount;
  throw damagedChunk(chunk, `it cannot hold ${timeCount} times`);
}

/** Buffer for encoding, reused for each chunk: most chunks need far less than the upper bound. */
let scratch = new Uint8Array(65_536);

/** A chart with chunks. */
export interface ChartOfChunks {
  readonly uid: number;
  readonly isLine: boolean;
}

/** Encodes columns, which must keep within {@link chunkLimits}. */
export function encodeChunk({ uid, isLine }: ChartOfChunks, { times, series }: Columns): Chunk {
  const isGrouped = series.some(({ group }) => group !== null);
  const names = isLine
    ? undefined
    : Buffer.from(JSON.stringify(series.flatMap(({ group, name }) => (isGrouped ? [group, name] : name))));
  const sizeBytes = 1 + 3 * maxVarintBytes + maxTimesBytes(times.length) + (names?.length ?? 0);
  const roomBytes = sizeBytes + maxNumbersBytes(times.length) * series.length + checksumBytes;
  if (roomBytes > scratch.length) scratch = new Uint8Array(roomBytes);
  const target = scratch;
  target[0] = names === undefined ? forms.line : isGrouped ? forms.groups : forms.shares;
  let at = writeVarint(target, 1, times.length);
  if (names !== undefined) {
    at = writeVarint(target, writeVarint(target, at, series.length), names.length);
    target.set(names, at);
    at += names.length;
  }
  at = writeTimes(times, target, at);
  for (const { values } of series) at = writeNumbers(values, target, at);
  const bytes = target.slice(0, at + checksumBytes);
  const firstTimestamp = times[0] ?? 0;
  viewOf(bytes).setUint32(at, checksumOf(uid, firstTimestamp, bytes.subarray(0, at)));
  return { chartUid: uid, firstTimestamp, bytes };
}

const key = new DataView(new ArrayBuffer(16));

function checksumOf(uid: number, firstTimestamp: number, content: Uint8Array): number {
  key.setFloat64(0, uid);
  key.setFloat64(8, firstTimestamp);
  return crc32(content, crc32(key));
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/**
 * Decodes a chunk.
 * @throws AppError `unavailable` if the chunk is damaged.
 */
export function decodeChunk(chunk: Chunk): Columns {
  return readAll(chunk, ({ cursor, timeCount, names, groups }) => {
    // All columns share one buffer, which starts with the times.
    const numbers = new Float64Array((1 + names.length) * timeCount);
    const times = numbers.subarray(0, timeCount);
    readTimes(cursor, chunk.firstTimestamp, times);
    const series = names.map((name, rank): Series => {
      const values = numbers.subarray((rank + 1) * timeCount, (rank + 2) * timeCount);
      readNumbers(cursor, values);
      return { ...unnamed, group: groups?.[rank] ?? null, name, values };
    });
    return { times, series };
  });
}

/**
 * Decodes only the names in a chunk, without the values; for grouped shares, the names of the groups, which
 * may repeat.
 * @throws AppError `unavailable` if the chunk is damaged.
 */
export function decodeOuterNames(chunk: Chunk): readonly string[] {
  try {
    const { names, groups } = openChunk(chunk);
    return groups ?? names;
  } catch (error) {
    throw error instanceof RangeError ? damagedChunk(chunk, error.message) : error;
  }
}

/** Decodes a line into arrays whose length is its number of points. */
function decodeLine(chunk: Chunk, times: Float64Array, values: Float64Array): void {
  readAll(chunk, ({ cursor }) => {
    readTimes(cursor, chunk.firstTimestamp, times);
    readNumbers(cursor, values);
  });
}

/** Opens a chunk and reads it to its end. @throws AppError `unavailable` if the chunk is damaged. */
function readAll<Content>(chunk: Chunk, read: (open: OpenChunk) => Content): Content {
  try {
    const open = openChunk(chunk);
    const content = read(open);
    if (open.cursor.at !== open.cursor.bytes.length) throw new RangeError('there are bytes after its values');
    return content;
  } catch (error) {
    throw error instanceof RangeError ? damagedChunk(chunk, error.message) : error;
  }
}

/** Counts the times of chunks. @throws AppError `unavailable` if a chunk is damaged. */
export function countTimes(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + timeCountOf(chunk), 0);
}

/** Maximum number of points that are decoded at once: some microseconds of work and 32 KB. */
export const maxRunPoints = 2048;

/**
 * Buffer left by the last finished read, for reuse: allocating one would take a tenth of the time of reading
 * a month.
 */
let spare: Columns | undefined;

/**
 * Decodes the latest `latestCount` points of a line in runs, each on demand. All runs share one buffer: a run
 * is valid until the next one is requested. Most requests need a single run.
 */
export function* decodeLatest(chunks: readonly Chunk[], latestCount: number): Generator<Columns> {
  let skip = Math.max(0, countTimes(chunks) - latestCount);
  let count = 0;
  const room = spare ?? lineOf(new Float64Array(maxRunPoints), new Float64Array(maxRunPoints));
  const [times, values] = [room.times, valuesOf(room)];
  spare = undefined;
  for (const chunk of chunks) {
    const timeCount = timeCountOf(chunk);
    if (count === 0 && skip >= timeCount) {
      skip -= timeCount;
      continue;
    }
    if (count + timeCount > maxRunPoints) {
      yield lineOf(times.subarray(skip, count), values.subarray(skip, count));
      skip = 0;
      count = 0;
    }
    const end = count + timeCount;
    decodeLine(chunk, times.subarray(count, end), values.subarray(count, end));
    count = end;
  }
  if (count > 0) yield lineOf(times.subarray(skip, count), values.subarray(skip, count));
  spare = room;
}

/**
 * Decodes the last time of a chunk, with the value of a line at that time; null for shares.
 * @throws AppError `unavailable` if the chunk is damaged.
 */
export function lastOf(chunk: Chunk): { readonly time: number; readonly value: number | null } {
  const columns = decodeChunk(chunk);
  return {
    time: columns.times.at(-1) ?? Number.NaN,
    value: isOfLine(chunk) ? (valuesOf(columns).at(-1) ?? null) : null,
  };
}

/** The parts of a chunk before its times; the cursor is at the times. */
interface OpenChunk {
  readonly cursor: Cursor;
  readonly timeCount: number;
  /** Names of the series; a line has one empty name. */
  readonly names: readonly string[];
  readonly groups?: readonly string[];
}

/** @throws RangeError if the bytes are damaged. */
function openChunk({ chartUid, firstTimestamp, bytes }: Chunk): OpenChunk {
  const end = bytes.length - checksumBytes;
  const content = bytes.subarray(0, Math.max(0, end));
  if (end < 0 || viewOf(bytes).getUint32(end) !== checksumOf(chartUid, firstTimestamp, content))
    throw new RangeError('its checksum is wrong');
  const cursor: Cursor = { bytes: content, at: 1 };
  const timeCount = readVarint(cursor);
  if (!(timeCount >= 1 && timeCount <= chunkLimits.maxTimes))
    throw new RangeError(`it cannot hold ${timeCount} times`);
  return { cursor, timeCount, ...(content[0] === forms.line ? ofLine : readNames(cursor)) };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const ofLine = { names: [unnamed.name] };

function readNames(cursor: Cursor): Pick<OpenChunk, 'names' | 'groups'> {
  const form = cursor.bytes[0];
  const shareCount = readVarint(cursor);
  const end = readVarint(cursor) + cursor.at;
  const names = parseNames(cursor.bytes.subarray(cursor.at, end));
  cursor.at = end;
  if (form === forms.shares && names.length === shareCount) return { names };
  if (form !== forms.groups || names.length !== 2 * shareCount)
    throw new RangeError(`it has the unknown form ${form}`);
  const isGroup = (_: string, index: number) => index % 2 === 0;
  return {
    groups: names.filter(isGroup),
    names: names.filter((name, index) => !isGroup(name, index)),
  };
}

/**
 * Minimum number of bytes that are parsed at once. Node keeps a text of a megabyte outside the heap, where it
 * is freed late.
 */
const pieceBytes = 128 * 1024;

/** Parses an array of texts, piece by piece. */
function parseNames(json: Uint8Array): string[] {
  const names: string[] = [];
  for (let start = 0; start < json.length; ) {
    let end = start + pieceBytes;
    while (end < json.length && !isBetweenTexts(json, end)) end++;
    const piece = wellFormedJson(decoder.decode(json.subarray(start, end)));
    for (const name of JSON.parse(`${start === 0 ? '' : '['}${piece}${end < json.length ? ']' : ''}`))
      names.push(name);
    start = end + 1;
  }
  return names;
}

const [quote, comma, backslash, bracket] = [0x22, 0x2c, 0x5c, 0x5b];

/**
 * True only for the comma of `","` between two texts; may miss the comma after a text that ends with `,`, `[`
 * or a backslash.
 */
function isBetweenTexts(json: Uint8Array, at: number): boolean {
  const last = json[at - 2];
  const isEnd = last !== comma && last !== bracket && last !== backslash;
  return json[at] === comma && json[at - 1] === quote && json[at + 1] === quote && isEnd;
}

function damagedChunk({ firstTimestamp }: Pick<Chunk, 'firstTimestamp'>, reason: string): AppError {
  const message = `the chunk from ${firstTimestamp} on is damaged: ${reason}`;
  return new AppError('store-unavailable', message);
}

/**
 * Describes the fault of a stored chunk; undefined if it is intact.
 * @param nextTimestamp first timestamp of the next chunk of the chart.
 */
export function verifyChunk(chunk: Chunk, nextTimestamp = Number.POSITIVE_INFINITY): string | undefined {
  let columns: Columns;
  try {
    columns = decodeChunk(chunk);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  const { times, series } = columns;
  const last = times.at(-1) ?? Number.NaN;
  const name = `the chunk from ${chunk.firstTimestamp} on`;
  // Times ascend, because a decoded step is never 0.
  if (!times.every((time) => Number.isInteger(time) && time >= 0 && time <= maxTimestamp))
    return `${name} holds a timestamp out of range`;
  if (!series.every(({ values }) => values.every(Number.isFinite)))
    return `${name} holds a value that is no finite number`;
  if (last >= nextTimestamp) return `${name} reaches to ${last}, into the one from ${nextTimestamp} on`;
  return undefined;
}
