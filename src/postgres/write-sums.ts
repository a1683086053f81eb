/** Keeps the sums of lines in the store on a server, with few statements. */
import type { Points } from '../model/points.ts';
import type { Chunk } from '../series/chunk.ts';
import { sumRangeMs } from '../series/sum-block.ts';
import type { ChartChunk } from '../store/keeping/removal.ts';
import {
  allRanges,
  appendedIn,
  type ChangedRanges,
  maxChunksPerRange,
  rangesToSum,
  sumBlockOf,
  sumBlockOfChunks,
} from '../store/line-sums.ts';
import { chunkOf, integer } from '../store/rows.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';
import { smallestKey } from './keyset-pages.ts';
import { putRows } from './put-rows.ts';

const removeSql: Statement = {
  name: 'remove-sums',
  text: `
    delete from plugin_metrics.line_sum as stored
    using unnest($1::bigint[], $2::bigint[]) as changed (uid, start)
    where chart_uid = changed.uid and first_timestamp = changed.start
    returning chart_uid, first_timestamp`,
};

const chunksSql: Statement = {
  name: 'chunks-of-ranges',
  text: `
    select asked.start, stored.*
    from unnest($1::bigint[], $2::bigint[]) as asked (uid, start)
    cross join lateral (
      select chart_uid, first_timestamp, bytes from plugin_metrics.chunk
      where chart_uid = asked.uid and first_timestamp < asked.start + ${sumRangeMs} and first_timestamp >= coalesce(
        (select max(first_timestamp) from plugin_metrics.chunk
          where chart_uid = asked.uid and first_timestamp <= asked.start), asked.start)
      order by first_timestamp
      limit ${maxChunksPerRange + 1}
    ) as stored`,
};

/** Ranges whose chunks are loaded with one statement. Most have about 20 KB of them, but some have megabytes. */
const rangesPerPage = 8;

/** A range of a line. */
interface SumRange {
  readonly uid: number;
  readonly start: number;
  /** Its points, if they need not be loaded. */
  readonly runs: Iterable<Points> | undefined;
}

/** Sums up the ranges that changes have touched. */
export async function renewSums(
  connection: PostgresConnection,
  changes: readonly ChangedRanges[],
): Promise<void> {
  if (changes.length === 0) return;
  const removed = new Map<number, number[]>();
  for (const row of await connection.query(removeSql, [
    changes.flatMap(({ uid, starts }) => starts.map(() => uid)),
    changes.flatMap(({ starts }) => starts),
  ])) {
    const uid = integer(row['chart_uid']);
    removed.set(uid, [...(removed.get(uid) ?? []), integer(row['first_timestamp'])]);
  }
  const ranges = changes.flatMap((changed): SumRange[] =>
    rangesToSum(changed, removed.get(changed.uid) ?? []).map((start) => ({
      uid: changed.uid,
      start,
      runs: appendedIn(changed, start),
    })),
  );
  for (let start = 0; start < ranges.length; start += rangesPerPage)
    await sumUp(connection, ranges.slice(start, start + rangesPerPage));
}

const pageSql: Statement = {
  name: 'page-of-charts',
  text: 'select uid from plugin_metrics.chart where uid > $1 order by uid limit 512',
};

const removeAllSql: Statement = {
  name: 'remove-all-sums',
  text: 'delete from plugin_metrics.line_sum where chart_uid = any ($1)',
};

const chunkStartsSql: Statement = {
  name: 'chunk-starts',
  text: `
    select chart_uid, first_timestamp from plugin_metrics.chunk
    where chart_uid = any ($1) order by chart_uid, first_timestamp`,
};

const lastChunksSql: Statement = {
  name: 'last-chunks',
  text: `
    select last.* from unnest($1::bigint[]) as asked (uid)
    cross join lateral (
      select chart_uid, first_timestamp, bytes from plugin_metrics.chunk
      where chart_uid = asked.uid order by first_timestamp desc limit 1
    ) as last`,
};

/**
 * Sums up all complete ranges of some lines again.
 * @param after the last uid of the charts before.
 * @returns the last uid of these; undefined if there are none.
 */
export async function renewAllSums(
  connection: PostgresConnection,
  after: number = smallestKey,
): Promise<number | undefined> {
  const uids = (await connection.query(pageSql, [after])).map((row) => integer(row['uid']));
  await connection.query(removeAllSql, [uids]);
  const rows = await connection.query(chunkStartsSql, [uids]);
  const starts = Map.groupBy(rows, (row) => integer(row['chart_uid']));
  const changes = (await connection.query(lastChunksSql, [uids])).map((row) => {
    const last = chunkOf(row);
    const ofLine = starts.get(last.uid) ?? [];
    return allRanges(
      last.uid,
      ofLine.map((one) => integer(one['first_timestamp'])),
      last,
    );
  });
  await renewSums(connection, changes);
  return uids.at(-1);
}

async function sumUp(connection: PostgresConnection, ranges: readonly SumRange[]): Promise<void> {
  const chunks = await loadChunks(
    connection,
    ranges.filter(({ runs }) => runs === undefined),
  );
  const blocks = ranges.flatMap(({ uid, start, runs }): ChartChunk[] => {
    const block =
      runs === undefined
        ? sumBlockOfChunks(start, chunks.get(keyOf(uid, start)) ?? [])
        : sumBlockOf(start, runs);
    return block === undefined ? [] : [{ uid, ...block }];
  });
  await putRows(connection, 'line_sum', blocks);
}

async function loadChunks(
  connection: PostgresConnection,
  ranges: readonly SumRange[],
): Promise<ReadonlyMap<string, readonly Chunk[]>> {
  if (ranges.length === 0) return new Map();
  const values = [ranges.map(({ uid }) => uid), ranges.map(({ start }) => start)];
  const found = new Map<string, Chunk[]>();
  for (const row of await connection.query(chunksSql, values)) {
    const chunk = chunkOf(row);
    const key = keyOf(chunk.uid, integer(row['start']));
    const chunks = found.get(key);
    if (chunks === undefined) found.set(key, [chunk]);
    else chunks.push(chunk);
  }
  return found;
}

function keyOf(uid: number, start: number): string {
  return `${uid} ${start}`;
}
