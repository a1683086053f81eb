/** Counts the points of a store from the heads of its chunks, without decoding values. */
import { type Chunk, decodeChunk, lastTimestampOf, pointCountOf } from '../../series/chunk.ts';
import { bytes, chunkOf, integer, type Row } from '../rows.ts';
import type { Pages } from '../stored-records.ts';

/** The rows of a store that are counted. */
interface SeriesRows {
  /** The columns `first_timestamp` and `head` (the first bytes) of every chunk. */
  readonly heads: Pages;
  /** Yields the last chunk of every chart, or the last that begins at or before a time. */
  readonly lastChunks: (until?: number) => Pages;
}

/** The count and the times of all points; the times are null if there are none. */
interface SeriesCounts {
  readonly pointCount: number;
  readonly oldestTimestamp: number | null;
  readonly newestTimestamp: number | null;
  readonly newestPastTimestamp: number | null;
}

/**
 * Counts points.
 * @param nowMs points after this time, in Unix milliseconds, lie in the future.
 * @throws AppError `unavailable` for a damaged head, or a damaged last chunk.
 */
export async function countSeries({ heads, lastChunks }: SeriesRows, nowMs: number): Promise<SeriesCounts> {
  let pointCount = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for await (const page of heads) {
    for (const row of page) {
      const firstTimestamp = integer(row['first_timestamp']);
      pointCount += pointCountOf({ firstTimestamp, bytes: bytes(row['head']) });
      oldest = Math.min(oldest, firstTimestamp);
    }
  }
  const newest = await newestOf(lastChunks(), lastTimestampOf);
  return {
    pointCount,
    oldestTimestamp: Number.isFinite(oldest) ? oldest : null,
    newestTimestamp: newest,
    newestPastTimestamp:
      newest === null || newest <= nowMs
        ? newest
        : await newestOf(lastChunks(nowMs), (chunk) => lastUntil(chunk, nowMs)),
  };
}

/** Counts the times of blocks from their heads. @throws AppError `unavailable` for a damaged head. */
export async function countTimes(heads: Pages): Promise<number> {
  let timeCount = 0;
  for await (const page of heads)
    for (const row of page)
      timeCount += pointCountOf({
        firstTimestamp: integer(row['first_timestamp']),
        bytes: bytes(row['head']),
      });
  return timeCount;
}

async function newestOf(chunks: Pages, timestampOf: (chunk: Chunk) => number): Promise<number | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const page of chunks)
    for (const row of page) newest = Math.max(newest, timestampOf(chunkOf(row)));
  return Number.isFinite(newest) ? newest : null;
}

/** Finds the newest time at or before `until` in rows of chunks that begin by then, one of each line; a line without has a row of nulls. */
export function newestTimeOf(rows: readonly Row[], until: number): number | undefined {
  const times = rows.filter((row) => row['bytes'] !== null).map((row) => lastUntil(chunkOf(row), until));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Finds the time of the last point at or before `until`; the chunk begins at or before it. */
function lastUntil(chunk: Chunk, until: number): number {
  const last = lastTimestampOf(chunk);
  return last <= until
    ? last
    : (decodeChunk(chunk).timestamps.findLast((time) => time <= until) ?? Number.NaN);
}
