/** Merges points into the chunks of a series: the rows that a store must write, and those that it must remove. */
import { equalPoints, mergePoints, type Points, slicePoints } from '../model/points.ts';
import { type Chunk, decodeChunk, encodeChunks, extendChunk, lastTimestampOf } from './chunk.ts';

/** Changes of the chunks of a series. The first timestamp is the key of a row. */
export interface ChunkChange {
  /** Rows to remove, without those that a chunk of `written` replaces. */
  readonly removed: readonly number[];
  readonly written: readonly Chunk[];
}

/**
 * Merges points, in strictly ascending order of time, into the chunks that they touch; a point replaces a stored one with
 * the same time. Unchanged chunks are not part of the result.
 * @param touched the chunks in ascending order: the latest that begins at or before the first point (if there is none, the
 *   first of the series), and all that follow and begin at or before the last point.
 */
export function mergeIntoChunks(touched: readonly Chunk[], points: Points): ChunkChange {
  if (touched.length === 0) return { removed: [], written: encodeChunks(points) };
  const moved: number[] = [];
  const written: Chunk[] = [];
  let start = 0;
  for (const [index, chunk] of touched.entries()) {
    const end = indexFrom(points, start, touched[index + 1]?.firstTimestamp ?? Number.POSITIVE_INFINITY);
    if (end === start) continue;
    const changed = mergeIntoChunk(chunk, slicePoints(points, start, end));
    start = end;
    if (changed.length > 0 && changed[0]?.firstTimestamp !== chunk.firstTimestamp)
      moved.push(chunk.firstTimestamp);
    written.push(...changed.filter((one) => one !== chunk));
  }
  // Earlier points that fill whole chunks may end just where the moved chunk began.
  const kept = new Set(written.map((chunk) => chunk.firstTimestamp));
  const removed = moved.filter((firstTimestamp) => !kept.has(firstTimestamp));
  return { removed, written };
}

/** Makes the chunks that replace one; none if it has the points already. */
function mergeIntoChunk(chunk: Chunk, points: Points): Chunk[] {
  if ((points.timestamps[0] ?? 0) > lastTimestampOf(chunk)) return extendChunk(chunk, points);
  const before = decodeChunk(chunk);
  const after = mergePoints(before, points);
  return equalPoints(before, after) ? [] : encodeEvenly(after);
}

/**
 * Encodes points as {@link encodeChunks} does, but makes two chunks of half the size from one that overflows: with a full
 * chunk and a short rest, each later point would become a chunk of its own.
 */
function encodeEvenly(points: Points): Chunk[] {
  const chunks = encodeChunks(points);
  if (chunks.length !== 2) return chunks;
  const half = points.timestamps.length >> 1;
  return [...encodeChunks(slicePoints(points, 0, half)), ...encodeChunks(slicePoints(points, half))];
}

/** Finds the index of the first point from `start` on that is not before `timestamp`. */
function indexFrom(points: Points, start: number, timestamp: number): number {
  let index = start;
  while ((points.timestamps[index] ?? Number.POSITIVE_INFINITY) < timestamp) index++;
  return index;
}
