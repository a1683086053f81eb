/**
 * Counts a store. It reads the numbers of points and times from the heads of chunks, without decoding values.
 */

import type { StoreStats } from '../../model/store.ts';
import { maxTimestamp } from '../../model/window.ts';
import { headBytes, isOfLine, timeCountOf } from '../../series/chunk.ts';
import { newestTimes } from '../reading/newest-times.ts';
import { keysetPages, paged, type Sql, smallestKey } from '../sql.ts';
import { bytes, column, integer, statement } from '../statement.ts';
import { tables } from '../tables.ts';

const countsSql = statement`
  select
    (select count(*) from software) as ${column('softwareCount', integer)},
    (select count(*) from plugin) as ${column('pluginCount', integer)},
    (select count(*) from chart) as ${column('chartCount', integer)},
    (select count(*) from event) as ${column('eventCount', integer)}`;

const noCounts = { softwareCount: 0, pluginCount: 0, chartCount: 0, eventCount: 0 };

const headsSql = paged(
  statement`
  select ${tables.chunk.pick('chartUid', 'firstTimestamp')}, substr(bytes, 1, ${headBytes}) as ${column('head', bytes)}
  from chunk
  where (chart_uid, first_timestamp) > (?1, ?2)
  order by chart_uid, first_timestamp`,
  4096,
);

/**
 * Counts the contents of a store.
 * @param nowMs later points, in Unix milliseconds, are in the future.
 * @throws AppError `unavailable` for a damaged head, or a damaged last chunk.
 */
export async function countStore(sql: Sql, nowMs: number): Promise<Omit<StoreStats, 'sizeBytes'>> {
  const [counts = noCounts] = await sql.read(countsSql);
  return { ...counts, ...(await countSeries(sql, nowMs)) };
}

async function countSeries(sql: Sql, nowMs: number) {
  let pointCount = 0;
  let historyTimeCount = 0;
  let oldest = Number.POSITIVE_INFINITY;
  const start = { chartUid: smallestKey, firstTimestamp: smallestKey };
  for await (const page of keysetPages(sql, headsSql, start)) {
    for (const { firstTimestamp, head: headOfChunk } of page) {
      const head = { firstTimestamp, bytes: headOfChunk };
      const timeCount = timeCountOf(head);
      if (isOfLine(head)) {
        pointCount += timeCount;
        oldest = Math.min(oldest, head.firstTimestamp);
      } else historyTimeCount += timeCount;
    }
  }
  const newest = await newestOf(sql, maxTimestamp);
  return {
    pointCount,
    historyTimeCount,
    oldestTimestamp: Number.isFinite(oldest) ? oldest : null,
    newestTimestamp: newest,
    newestPastTimestamp: newest === null || newest <= nowMs ? newest : await newestOf(sql, nowMs),
  };
}

async function newestOf(sql: Sql, until: number): Promise<number | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const time of newestTimes(sql, until)) newest = Math.max(newest, time);
  return Number.isFinite(newest) ? newest : null;
}
