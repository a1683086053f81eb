/** Counting the points of a store from the heads of its chunks: no value is decoded. */
import { lastTimestampOf, pointCountOf } from '../series/chunk.ts';
import { bytes, chunkOf, integer } from './rows.ts';
import type { Pages } from './stored-records.ts';

/** What is read of a store. */
export interface SeriesRows {
  /** The columns `first_timestamp` and `head` (the first bytes) of every chunk. */
  readonly heads: Pages;
  /** The last chunk of every chart. */
  readonly lastChunks: Pages;
}

/** What is known of all series together; timestamps are null where there is no point. */
export interface SeriesCounts {
  readonly pointCount: number;
  readonly oldestTimestamp: number | null;
  readonly newestTimestamp: number | null;
}

/** @throws AppError `unavailable` where a head, or a chunk that is last, is damaged. */
export async function countSeries({ heads, lastChunks }: SeriesRows): Promise<SeriesCounts> {
  let pointCount = 0;
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for await (const page of heads) {
    for (const row of page) {
      const firstTimestamp = integer(row['first_timestamp']);
      pointCount += pointCountOf({ firstTimestamp, bytes: bytes(row['head']) });
      oldest = Math.min(oldest, firstTimestamp);
    }
  }
  for await (const page of lastChunks)
    for (const row of page) newest = Math.max(newest, lastTimestampOf(chunkOf(row)));
  return {
    pointCount,
    oldestTimestamp: Number.isFinite(oldest) ? oldest : null,
    newestTimestamp: Number.isFinite(newest) ? newest : null,
  };
}
