/** Merges times into the chunks of a chart, and cuts them out: the rows that a store must write, and those that it must remove. */
import { mergeHistories } from '../model/merge-histories.ts';
import { concatPoints, orderPoints, slicePoints } from '../model/points.ts';
import { type ShareHistory, sliceHistory } from '../model/share-history.ts';
import {
  type Chunk,
  chunkLimits,
  decodeChunk,
  encodeChunk,
  historyOf,
  isLine,
  pointsOfLine,
} from './chunk.ts';

/** Changes of the chunks of a chart. The first timestamp is the key of a row. */
export interface ChunkChange {
  /** Rows to remove, without those that a chunk of `written` replaces. */
  readonly removed: readonly number[];
  readonly written: readonly Chunk[];
}

/**
 * Merges the points of a line, or histories, into the chunks that they touch. At a time that several have, the last of them says everything,
 * and all of them more than the chunks. Unchanged chunks are not part of the result.
 * @param touched the chunks in ascending order: the latest that begins at or before the first time (if there is none, the first
 *   of the chart), and all that follow and begin at or before the last time.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function mergeIntoChunks(
  uid: number,
  touched: readonly Chunk[],
  histories: readonly ShareHistory[],
): ChunkChange {
  if (touched.length === 0) return changeOf([], encodeAll(uid, histories));
  const before: Chunk[] = [];
  const after: Chunk[] = [];
  for (const [index, chunk] of touched.entries()) {
    const from = index === 0 ? Number.NEGATIVE_INFINITY : chunk.firstTimestamp;
    const to = touched[index + 1]?.firstTimestamp ?? Number.POSITIVE_INFINITY;
    const slices = histories
      .map((history) => sliceHistory(history, from, to))
      .filter(({ times }) => times.length > 0);
    const changed = slices.length === 0 ? undefined : mergeIntoChunk(chunk, slices);
    if (changed === undefined) continue;
    before.push(chunk);
    after.push(...changed);
  }
  return changeOf(before, after);
}

/** Makes the change that replaces rows by others. */
function changeOf(before: readonly Chunk[], written: readonly Chunk[]): ChunkChange {
  const kept = new Set(written.map(({ firstTimestamp }) => firstTimestamp));
  const starts = before.map(({ firstTimestamp }) => firstTimestamp);
  return { removed: starts.filter((start) => !kept.has(start)), written };
}

/** Makes the chunks that replace one; undefined if it says the same already. */
function mergeIntoChunk(chunk: Chunk, histories: readonly ShareHistory[]): Chunk[] | undefined {
  const before = decodeChunk(chunk);
  const lastTime = before.times.at(-1) ?? 0;
  const isLater = histories.every(({ times }) => (times[0] ?? 0) > lastTime);
  const parts = [before, ...histories];
  const after = encodeAll(chunk.chartUid, parts, isLater ? chunkLimits.maxTimes : evenTimes(parts));
  const isSame =
    after.length === 1 && after[0] !== undefined && Buffer.compare(after[0].bytes, chunk.bytes) === 0;
  return isSame ? undefined : after;
}

/** Encodes histories of one chart. What says the same has the same bytes. */
function encodeAll(
  uid: number,
  histories: readonly ShareHistory[],
  maxTimes = chunkLimits.maxTimes,
): Chunk[] {
  return Array.from(divide(histories, maxTimes), (history) => encodeChunk(uid, history));
}

/** Merges histories of one chart, and divides them into some that fit a chunk. */
function divide(histories: readonly ShareHistory[], maxTimes: number): Iterable<ShareHistory> {
  if (!histories.every(isLine)) return mergeHistories(histories, { ...chunkLimits, maxTimes });
  const points = orderPoints(concatPoints(histories.map(pointsOfLine)));
  const count = Math.ceil(points.timestamps.length / maxTimes);
  return Array.from({ length: count }, (_, index) =>
    historyOf(slicePoints(points, index * maxTimes, (index + 1) * maxTimes)),
  );
}

/**
 * Finds a limit on times that divides histories evenly. With a full chunk and a short rest, each time that is put between others
 * would become a chunk of its own.
 */
function evenTimes(histories: readonly ShareHistory[]): number {
  const timeCount = new Set(histories.flatMap(({ times }) => [...times])).size;
  return Math.ceil(timeCount / Math.ceil(timeCount / chunkLimits.maxTimes));
}

/** The rest of a chunk that was cut. */
export interface CutChunk {
  readonly kept: readonly Chunk[];
  /** Number of times. */
  readonly keptCount: number;
  readonly lostCount: number;
  /** The last time that was cut out; undefined without one. */
  readonly lastLost: number | undefined;
}

/**
 * Cuts a chunk.
 * @param after times after this one are cut out, up to `before`; neither of the two is.
 * @throws AppError `unavailable` for a damaged chunk.
 */
export function cutChunk(
  chunk: Chunk,
  { after, before }: { readonly after: number; readonly before: number },
): CutChunk {
  const history = decodeChunk(chunk);
  const kept = [
    sliceHistory(history, Number.NEGATIVE_INFINITY, after + 1),
    sliceHistory(history, Math.max(before, after + 1), Number.POSITIVE_INFINITY),
  ].filter(({ times }) => times.length > 0);
  const keptCount = kept.reduce((sum, { times }) => sum + times.length, 0);
  return {
    kept: encodeAll(chunk.chartUid, kept),
    keptCount,
    lostCount: history.times.length - keptCount,
    lastLost: history.times.findLast((time) => time > after && time < before),
  };
}
