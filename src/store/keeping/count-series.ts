/** Counts the points and the times of histories of a store from the heads of its chunks, without decoding values. */
import { type Chunk, decodeChunk, isOfLine, timeCountOf } from '../../series/chunk.ts';
import { bytes, chunkOf, integer, type Row } from '../rows.ts';
import type { Pages } from '../stored-records.ts';

/** The rows of a store that are counted. */
interface SeriesRows {
  /** The columns `first_timestamp` and `head` (the first bytes) of every chunk. */
  readonly heads: Pages;
  /** Yields the last chunk of every line, or the last that begins at or before a time. */
  readonly lastChunks: (until?: number) => Pages;
}

/** The count and the times of all points; the times are null if there are none. */
interface SeriesCounts {
  readonly pointCount: number;
  /** The number of times of histories. */
  readonly snapshotCount: number;
  readonly oldestTimestamp: number | null;
  readonly newestTimestamp: number | null;
  readonly newestPastTimestamp: number | null;
}

/**
 * Counts points and times.
 * @param nowMs points after this time, in Unix milliseconds, lie in the future.
 * @throws AppError `unavailable` for a damaged head, or a damaged last chunk.
 */
export async function countSeries({ heads, lastChunks }: SeriesRows, nowMs: number): Promise<SeriesCounts> {
  let pointCount = 0;
  let snapshotCount = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for await (const page of heads) {
    for (const row of page) {
      const head = { firstTimestamp: integer(row['first_timestamp']), bytes: bytes(row['head']) };
      const timeCount = timeCountOf(head);
      if (isOfLine(head)) {
        pointCount += timeCount;
        oldest = Math.min(oldest, head.firstTimestamp);
      } else snapshotCount += timeCount;
    }
  }
  const newest = await newestOf(lastChunks(), Number.POSITIVE_INFINITY);
  return {
    pointCount,
    snapshotCount,
    oldestTimestamp: Number.isFinite(oldest) ? oldest : null,
    newestTimestamp: newest,
    newestPastTimestamp:
      newest === null || newest <= nowMs ? newest : await newestOf(lastChunks(nowMs), nowMs),
  };
}

async function newestOf(chunks: Pages, until: number): Promise<number | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const page of chunks) newest = Math.max(newest, newestTimeOf(page, until) ?? newest);
  return Number.isFinite(newest) ? newest : null;
}

/** Finds the newest time at or before `until` in rows of chunks that begin by then, one of each line; a line without has a row of nulls. */
export function newestTimeOf(rows: readonly Row[], until: number): number | undefined {
  const times = rows.filter((row) => row['bytes'] !== null).map((row) => lastUntil(chunkOf(row), until));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Finds the time of the last point at or before `until`; the chunk begins at or before it. */
function lastUntil(chunk: Chunk, until: number): number {
  return decodeChunk(chunk).times.findLast((time) => time <= until) ?? Number.NaN;
}
