/**
 * A block: the shares of a chart at some times as bytes.
 *
 *   form       1 byte    4 for names alone, 5 for groups and names; a chunk has other forms
 *   times      varint    their count, then runs as in a chunk (timestamps.ts); the first time is the key of the block
 *   shares     varint    their count, then as varint the size of the names, and the names: an array of JSON in UTF-8
 *   values     a column for each share (columns.ts)
 *   checksum   4 bytes   see checksum.ts
 */
import { AppError } from '../model/app-error.ts';
import type { HistoryLimits } from '../model/merge-histories.ts';
import { columnsIn, newRoom } from '../model/room.ts';
import type { ShareHistory, ShareName } from '../model/share-history.ts';
import { checksumBytes, withChecksum, withoutChecksum } from './checksum.ts';
import type { Chunk } from './chunk.ts';
import {
  appendToColumn,
  decodeColumns,
  maxColumnBytes,
  readColumn,
  writeColumn,
  writeColumns,
} from './columns.ts';
import { maxTimesBytes, readTimes, scanTimes, writeTimes } from './timestamps.ts';
import { maxValueCount } from './values.ts';
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

/**
 * The shares of a chart at some times as bytes; the key of a block is its first time in Unix milliseconds. It begins as a chunk does, so
 * that `pointCountOf` and `lastTimestampOf` count its times and find the last one.
 */
export type HistoryBlock = Chunk;

/** Limits of a block: about three weeks of hours, in a row that is still cheap to write again for each new time. */
export const blockLimits: HistoryLimits = {
  maxTimes: maxValueCount,
  maxShares: Number.POSITIVE_INFINITY,
  maxCells: 65_536,
  maxNameLength: 65_536,
};

const namesForm = 4;
const groupsForm = 5;

/** True for a block; a chunk of points has another form. */
export function isBlock({ bytes }: Chunk): boolean {
  return bytes[0] === namesForm || bytes[0] === groupsForm;
}

/** Encodes a history that keeps within the {@link blockLimits}. */
export function encodeBlock({ times, shares, columns }: ShareHistory): HistoryBlock {
  const firstTimestamp = times[0] ?? 0;
  const isGrouped = shares.some(({ group }) => group !== null);
  const names = new TextEncoder().encode(
    JSON.stringify(isGrouped ? shares.flatMap(pairOf) : shares.map(nameOf)),
  );
  const headBytes = 1 + 3 * maxVarintBytes + maxTimesBytes(times.length) + names.length;
  const target = roomFor(headBytes + maxColumnBytes(times.length) * shares.length + checksumBytes);
  target[0] = isGrouped ? groupsForm : namesForm;
  let at = writeTimes(times, target, writeVarint(target, 1, times.length));
  at = writeVarint(target, writeVarint(target, at, shares.length), names.length);
  target.set(names, at);
  at = writeColumns(columns, target, at + names.length);
  return { firstTimestamp, bytes: withChecksum(target, at, firstTimestamp) };
}

/** Room for a block that is being encoded, used again for the next one: it is much larger than most blocks become. */
let blockRoom = new Uint8Array(0);

/** The largest room that is kept. */
const maxKeptBytes = 1024 * 1024;

function roomFor(sizeBytes: number): Uint8Array {
  if (sizeBytes <= blockRoom.length) return blockRoom;
  const room = new Uint8Array(sizeBytes);
  if (sizeBytes <= maxKeptBytes) blockRoom = room;
  return room;
}

/**
 * Decodes a block, its values into the room that is made for them.
 * @throws AppError `unavailable` for a damaged block.
 */
export function decodeBlock(block: HistoryBlock, makeRoom = newRoom): ShareHistory {
  return refusingDamage(block, () => {
    const { cursor, timeCount, timesAt, shares } = readHead(block);
    const times = new Float64Array(timeCount);
    const from = { bytes: cursor.bytes, at: timesAt };
    readTimes(from, block.firstTimestamp, { into: times, offset: 0, pointCount: timeCount, skip: 0 });
    const columns = columnsIn(makeRoom(shares.length * timeCount), shares.length);
    decodeColumns(cursor, columns);
    if (cursor.at !== cursor.bytes.length) throw new RangeError('there are bytes after its values');
    return { times, shares, columns };
  });
}

/**
 * Appends one later moment to a block, without decoding the values before it.
 * @returns undefined if the block has no room or does not have all the shares.
 * @throws AppError `unavailable` for a damaged block.
 */
export function appendMoment(block: HistoryBlock, moment: ShareHistory): HistoryBlock | undefined {
  return refusingDamage(block, () => {
    const { cursor, timeCount, timesAt, lastTime, shares, sharesAt, columnsAt } = readHead(block);
    const { maxTimes, maxCells } = blockLimits;
    if (timeCount + 1 > maxTimes || (timeCount + 1) * shares.length > maxCells) return undefined;
    const values = valuesFor(shares, moment);
    if (values === undefined) return undefined;
    const times = new Float64Array(timeCount + 1);
    const from = { bytes: cursor.bytes, at: timesAt };
    readTimes(from, block.firstTimestamp, { into: times, offset: 0, pointCount: timeCount, skip: 0 });
    const time = moment.times[0] ?? 0;
    if (!(time > lastTime)) throw new RangeError(`it ends at ${lastTime}, after ${time}`);
    times[timeCount] = time;
    const columns = Array.from(values, (value) => appendToColumn(readColumn(cursor), value, timeCount));
    const headBytes = 1 + maxVarintBytes + maxTimesBytes(times.length) + columnsAt - sharesAt;
    const valuesBytes = columns.reduce((sum, { bytes }) => sum + 1 + maxVarintBytes + bytes.length, 0);
    const target = new Uint8Array(headBytes + valuesBytes + checksumBytes);
    target[0] = cursor.bytes[0] ?? 0;
    let at = writeTimes(times, target, writeVarint(target, 1, times.length));
    target.set(cursor.bytes.subarray(sharesAt, columnsAt), at);
    at += columnsAt - sharesAt;
    for (const column of columns) at = writeColumn(column, target, at);
    const { firstTimestamp } = block;
    return { firstTimestamp, bytes: withChecksum(target, at, firstTimestamp) };
  });
}

/** Lists the value of each share of a block at a moment; undefined if the moment has another share. */
function valuesFor(shares: readonly ShareName[], moment: ShareHistory): Float64Array | undefined {
  const values = new Float64Array(shares.length);
  let rank = 0;
  // Both are in the same order.
  for (const [index, share] of moment.shares.entries()) {
    while (rank < shares.length && !isSameShare(shares[rank], share)) rank++;
    if (rank === shares.length) return undefined;
    values[rank++] = moment.columns[index]?.[0] ?? 0;
  }
  return values;
}

function isSameShare(a: ShareName | undefined, b: ShareName): boolean {
  return a !== undefined && a.name === b.name && a.group === b.group;
}

/** The parts of a block before its values. */
interface Head {
  /** At the first column; the bytes are those of the block without the checksum. */
  readonly cursor: Cursor;
  readonly timeCount: number;
  readonly timesAt: number;
  readonly lastTime: number;
  readonly shares: readonly ShareName[];
  readonly sharesAt: number;
  readonly columnsAt: number;
}

function readHead({ firstTimestamp, bytes }: HistoryBlock): Head {
  const cursor: Cursor = { bytes: withoutChecksum(bytes, firstTimestamp), at: 1 };
  const timeCount = readVarint(cursor);
  if (!(timeCount >= 1 && timeCount <= blockLimits.maxTimes))
    throw new RangeError(`it cannot hold ${timeCount} times`);
  const timesAt = cursor.at;
  const { lastTimestamp: lastTime } = scanTimes(cursor, firstTimestamp);
  const sharesAt = cursor.at;
  const shareCount = readVarint(cursor);
  const namesBytes = readVarint(cursor);
  const names = cursor.bytes.subarray(cursor.at, cursor.at + namesBytes);
  if (names.length !== namesBytes) throw new RangeError('its names are cut');
  cursor.at += namesBytes;
  const shares = parseNames(names, cursor.bytes[0]);
  if (shares.length !== shareCount) throw new RangeError('its names do not belong to its values');
  return { cursor, timeCount, timesAt, lastTime, shares, sharesAt, columnsAt: cursor.at };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseNames(bytes: Uint8Array, form: number | undefined): readonly ShareName[] {
  if (form !== namesForm && form !== groupsForm) throw new RangeError(`it has the unknown form ${form}`);
  const names = parseTexts(bytes);
  if (form === namesForm) return names.map((name) => ({ group: null, name }));
  return Array.from({ length: names.length / 2 }, (_, index) => ({
    group: names[2 * index] ?? '',
    name: names[2 * index + 1] ?? '',
  }));
}

function parseTexts(bytes: Uint8Array): readonly string[] {
  try {
    const texts: unknown = JSON.parse(decoder.decode(bytes));
    if (Array.isArray(texts) && texts.every((text) => typeof text === 'string')) return texts;
  } catch {
    // The error below says more.
  }
  throw new RangeError('its names are no texts');
}

function nameOf({ name }: ShareName): string {
  return name;
}

function pairOf({ group, name }: ShareName): [string, string] {
  return [group ?? '', name];
}

/** Runs `work` on a block. A RangeError means that its bytes are damaged. */
function refusingDamage<T>({ firstTimestamp }: HistoryBlock, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `the history from ${firstTimestamp} on is damaged: ${error.message}`;
    throw new AppError('unavailable', message, { kind: 'store-unavailable' });
  }
}
