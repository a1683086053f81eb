/** Counting the points of a store from the heads of its chunks: no value is decoded. */
import { type Chunk, decodeChunk, lastTimestampOf, pointCountOf } from '../../series/chunk.ts';
import { bytes, chunkOf, integer } from '../rows.ts';
import type { Pages } from '../stored-records.ts';

/** What is read of a store. */
export interface SeriesRows {
  /** The columns `first_timestamp` and `head` (the first bytes) of every chunk. */
  readonly heads: Pages;
  /** The last chunk of every chart, or the last that does not begin after a time. */
  readonly lastChunks: (until?: number) => Pages;
}

/** What is known of all series together; timestamps are null where there is no point. */
export interface SeriesCounts {
  readonly pointCount: number;
  readonly oldestTimestamp: number | null;
  readonly newestTimestamp: number | null;
  readonly newestPastTimestamp: number | null;
}

/**
 * Counts.
 * @param nowMs what is later lies in the future, in Unix milliseconds.
 * @throws AppError `unavailable` where a head, or a chunk that is last, is damaged.
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

async function newestOf(chunks: Pages, timestampOf: (chunk: Chunk) => number): Promise<number | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const page of chunks)
    for (const row of page) newest = Math.max(newest, timestampOf(chunkOf(row)));
  return Number.isFinite(newest) ? newest : null;
}

/** The timestamp of the last point that is not after a time; the chunk begins no later. */
function lastUntil(chunk: Chunk, until: number): number {
  const last = lastTimestampOf(chunk);
  return last <= until
    ? last
    : (decodeChunk(chunk).timestamps.findLast((time) => time <= until) ?? Number.NaN);
}
