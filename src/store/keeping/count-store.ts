/** Counts a store: points and times of histories from the heads of its chunks, without decoding values. */

import { maxTimestamp } from '../../model/points.ts';
import type { StoreStats } from '../../model/store.ts';
import { type Chunk, decodeChunk, headBytes, isOfLine, timeCountOf } from '../../series/chunk.ts';
import { bytes, chunkOf, integer, type Row } from '../rows.ts';
import {
  keysetPages,
  lineTypesSql,
  type PagedSql,
  type Pages,
  paged,
  type Sql,
  smallestKey,
} from '../sql.ts';

const countsSql = `
  select
    (select count(*) from software) as software_count,
    (select count(*) from plugin) as plugin_count,
    (select count(*) from chart) as chart_count,
    (select count(*) from event) as event_count`;

const headsSql = paged(
  `select chart_uid, first_timestamp, substr(bytes, 1, ${headBytes}) as head from chunk
  where (chart_uid, first_timestamp) > (?1, ?2)
  order by chart_uid, first_timestamp`,
  4096,
);

// A row for each line, with its last chunk that begins at a time or before.
const lastChunksSql: PagedSql = {
  limit: 512,
  text: `
    select chart.uid, chunk.chart_uid, chunk.first_timestamp, chunk.bytes
    from (select uid from chart where uid > ?1 and type in (${lineTypesSql}) order by uid limit 512) as chart
    left join chunk on chunk.chart_uid = chart.uid and chunk.first_timestamp =
      (select max(first_timestamp) from chunk where chart_uid = chart.uid and first_timestamp <= ?2)
    order by chart.uid`,
};

/** Lists the lines with the last chunk of each that begins at a time or before; its columns are null where there is none. */
export function lastChunkPages(sql: Sql, until: number): Pages {
  return keysetPages(sql, lastChunksSql, { uid: smallestKey }, until);
}

/**
 * Counts what a store holds.
 * @param nowMs points after this time, in Unix milliseconds, lie in the future.
 * @throws AppError `unavailable` for a damaged head, or a damaged last chunk.
 */
export async function countStore(sql: Sql, nowMs: number): Promise<Omit<StoreStats, 'sizeBytes'>> {
  const [counts] = await sql.all(countsSql);
  return {
    softwareCount: integer(counts?.['software_count']),
    pluginCount: integer(counts?.['plugin_count']),
    chartCount: integer(counts?.['chart_count']),
    eventCount: integer(counts?.['event_count']),
    ...(await countSeries(sql, nowMs)),
  };
}

async function countSeries(sql: Sql, nowMs: number) {
  let pointCount = 0;
  let snapshotCount = 0;
  let oldest = Number.POSITIVE_INFINITY;
  const start = { chart_uid: smallestKey, first_timestamp: smallestKey };
  for await (const page of keysetPages(sql, headsSql, start)) {
    for (const row of page) {
      const head = { firstTimestamp: integer(row['first_timestamp']), bytes: bytes(row['head']) };
      const timeCount = timeCountOf(head);
      if (isOfLine(head)) {
        pointCount += timeCount;
        oldest = Math.min(oldest, head.firstTimestamp);
      } else snapshotCount += timeCount;
    }
  }
  const newest = await newestOf(sql, maxTimestamp);
  return {
    pointCount,
    snapshotCount,
    oldestTimestamp: Number.isFinite(oldest) ? oldest : null,
    newestTimestamp: newest,
    newestPastTimestamp: newest === null || newest <= nowMs ? newest : await newestOf(sql, nowMs),
  };
}

async function newestOf(sql: Sql, until: number): Promise<number | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const page of lastChunkPages(sql, until))
    newest = Math.max(newest, newestTimeOf(page, until) ?? newest);
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
