/**
 * A block of sums: one line by day and by week as bytes, so that a long window is read without its points. It is about one range of 52 weeks,
 * whose beginning is its key.
 *
 *   form       1 byte    6; chunks and blocks of histories have other forms
 *   days       varint    the number of days with points; as varint the first of them, counted from the beginning of the range; then runs as
 *                        in a chunk (timestamps.ts)
 *   by day     two columns (columns.ts): number of points, sum of the values
 *   by week    two columns: lowest and highest value of each week with points
 *   checksum   4 bytes   see checksum.ts
 */
import { AppError } from '../model/app-error.ts';
import type { LineSums, SumStep } from '../model/line-sums.ts';
import type { TimeWindow } from '../model/metrics-reader.ts';
import { columnsIn, type MakeRoom, newRoom } from '../model/room.ts';
import { checksumBytes, withChecksum, withoutChecksum } from './checksum.ts';
import type { Chunk } from './chunk.ts';
import { decodeColumns, maxColumnBytes, writeColumns } from './columns.ts';
import { NumberList } from './number-list.ts';
import { stepAt } from './steps.ts';
import { maxTimesBytes, readTimes, writeTimes } from './timestamps.ts';
import { type Cursor, maxVarintBytes, readVarint, writeVarint } from './varint.ts';

const dayMs = 24 * 60 * 60 * 1000;
const weekMs = 7 * dayMs;
const rangeWeeks = 52;

/** Length of the range of a block in milliseconds. */
export const sumRangeMs = rangeWeeks * weekMs;

/**
 * Finds the beginning of the range with a time. Ranges begin on Mondays, in another week for each chart, so that not all lines of a store
 * complete one at the same time.
 */
export function sumRangeAt(uid: number, time: number): number {
  const offset = stepAt(0, weekMs) + (uid % rangeWeeks) * weekMs;
  return Math.floor((time - offset) / sumRangeMs) * sumRangeMs + offset;
}

/** The sums of one range. */
export interface RangeSums {
  /** Beginning of the range. */
  readonly start: number;
  /** By day: beginnings of those with points, numbers of points, sums. */
  readonly days: Float64Array;
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** By week: beginnings of those with points, lowest and highest values. */
  readonly weeks: Float64Array;
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

const sumsForm = 6;

/** Encodes the sums of a range. */
export function encodeSums({ start, days, counts, sums, lowest, highest }: RangeSums): Chunk {
  const dayCount = days.length;
  const roomBytes = 1 + 2 * maxVarintBytes + maxTimesBytes(dayCount) + 4 * maxColumnBytes(dayCount);
  const target = new Uint8Array(roomBytes + checksumBytes);
  target[0] = sumsForm;
  let at = writeVarint(target, 1, dayCount);
  at = writeVarint(target, at, ((days[0] ?? start) - start) / dayMs);
  at = writeTimes(days, target, at);
  at = writeColumns([counts, sums], target, at);
  at = writeColumns([lowest, highest], target, at);
  return { firstTimestamp: start, bytes: withChecksum(target, at, start) };
}

/**
 * Decodes the sums of a range.
 * @throws AppError `unavailable` for a damaged block.
 */
export function decodeSums(block: Chunk, makeRoom = newRoom): RangeSums {
  return refusingDamage(block, () => {
    const { cursor, days, counts, sums } = readDays(block, makeRoom);
    const weeks = weeksOf(days);
    const [lowest = noValues, highest = noValues] = columnsIn(new Float64Array(2 * weeks.length), 2);
    decodeColumns(cursor, [lowest, highest]);
    if (cursor.at !== cursor.bytes.length) throw new RangeError('there are bytes after its values');
    return { start: block.firstTimestamp, days, counts, sums, weeks, lowest, highest };
  });
}

/** The steps of a block to read, and the room for them. */
interface BlockRead extends TimeWindow {
  readonly makeRoom?: MakeRoom | undefined;
}

/**
 * Decodes the sums of the steps that begin in a window.
 * @throws AppError `unavailable` for a damaged block.
 */
export function readBlockSums(block: Chunk, step: SumStep, { from, to, makeRoom }: BlockRead): LineSums {
  if (step === 'week') return sliceSums(sumsByWeek(decodeSums(block, makeRoom)), from, to);
  return refusingDamage(block, () => {
    const { days, counts, sums } = readDays(block, makeRoom);
    return sliceSums({ times: days, counts, sums }, from, to);
  });
}

const noValues = new Float64Array(0);

/** Decodes what is known by day. */
function readDays({ firstTimestamp, bytes }: Chunk, makeRoom = newRoom) {
  const cursor: Cursor = { bytes: withoutChecksum(bytes, firstTimestamp), at: 1 };
  if (bytes[0] !== sumsForm) throw new RangeError(`it has the unknown form ${bytes[0]}`);
  const dayCount = readVarint(cursor);
  if (!(dayCount >= 1 && dayCount <= sumRangeMs / dayMs))
    throw new RangeError(`it cannot hold ${dayCount} days`);
  const first = firstTimestamp + readVarint(cursor) * dayMs;
  const [days = noValues, counts = noValues, sums = noValues] = columnsIn(makeRoom(3 * dayCount), 3);
  readTimes(cursor, first, { into: days, offset: 0, pointCount: dayCount, skip: 0 });
  decodeColumns(cursor, [counts, sums]);
  return { cursor, days, counts, sums };
}

/** Lists the weeks of days, each once. */
function weeksOf(days: Float64Array): Float64Array {
  const weeks = new NumberList();
  let weekEnd = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < days.length; index++) {
    const day = days[index] ?? 0;
    if (day < weekEnd) continue;
    weekEnd = stepAt(day, weekMs) + weekMs;
    weeks.push(weekEnd - weekMs);
  }
  return weeks.take();
}

function sumsByWeek({ days, counts, sums, weeks, lowest, highest }: RangeSums): LineSums {
  const byWeek = { counts: new Float64Array(weeks.length), sums: new Float64Array(weeks.length) };
  let week = 0;
  for (let index = 0; index < days.length; index++) {
    if ((days[index] ?? 0) >= (weeks[week] ?? 0) + weekMs) week++;
    byWeek.counts[week] = (byWeek.counts[week] ?? 0) + (counts[index] ?? 0);
    byWeek.sums[week] = (byWeek.sums[week] ?? 0) + (sums[index] ?? 0);
  }
  return { times: weeks, ...byWeek, extremes: { lowest, highest } };
}

function sliceSums(all: LineSums, from: number, to: number): LineSums {
  const { times, counts, sums, extremes } = all;
  const start = times.findIndex((time) => time >= from);
  const end = times.findLastIndex((time) => time < to) + 1;
  if (start === 0 && end === times.length) return all;
  const slice = (column: Float64Array) =>
    start === -1 ? noValues : column.subarray(start, Math.max(start, end));
  return {
    times: slice(times),
    counts: slice(counts),
    sums: slice(sums),
    ...(extremes && { extremes: { lowest: slice(extremes.lowest), highest: slice(extremes.highest) } }),
  };
}

/** Runs `work` on a block. A RangeError means that its bytes are damaged. */
function refusingDamage<T>({ firstTimestamp }: Chunk, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = `the sums from ${firstTimestamp} on are damaged: ${error.message}; "plugin-metrics compact" makes them again`;
    throw new AppError('unavailable', message, { kind: 'store-unavailable' });
  }
}
