/** Writes points of many series into their chunks, with few statements. */
import type { ChartName } from '../model/chart.ts';
import type { Points } from '../model/points.ts';
import { bindChecksum } from '../series/checksum.ts';
import type { Chunk } from '../series/chunk.ts';
import { mergeSeries, type SeriesTables } from '../store/damaged-chunk.ts';
import type { ChartChunk } from '../store/keeping/removal.ts';
import { chunkOf, integer, text } from '../store/rows.ts';
import { tallyChange, tallyRange } from '../store/tally.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';

// The order by makes the lateral query one index lookup for each series, even if the planner estimates otherwise.
const touchedSql = `
  select asked.uid as chart_uid, chunk.first_timestamp, chunk.bytes
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as asked (uid, first, last)
  cross join lateral (
    select coalesce(
      (select max(first_timestamp) from plugin_metrics.chunk where chart_uid = asked.uid and first_timestamp <= asked.first),
      (select min(first_timestamp) from plugin_metrics.chunk where chart_uid = asked.uid)) as first_timestamp
    offset 0
  ) as touched
  cross join lateral (
    select first_timestamp, bytes from plugin_metrics.chunk
    where chart_uid = asked.uid
      and first_timestamp >= touched.first_timestamp
      and first_timestamp <= greatest(touched.first_timestamp, asked.last)
    order by first_timestamp
  ) as chunk`;

const removeSql = `
  delete from plugin_metrics.chunk
  using unnest($1::bigint[], $2::bigint[]) as gone (uid, first_timestamp)
  where chunk.chart_uid = gone.uid and chunk.first_timestamp = gone.first_timestamp`;

// All bytes are one value, which is sent in binary: in an array they would be sent in hex.
const putSql = `
  insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes)
  select uid, first_timestamp, substring($5::bytea from start for length)
  from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
    as put (uid, first_timestamp, start, length)
  on conflict (chart_uid, first_timestamp) do update set bytes = excluded.bytes`;

/** Merges points into the chunks of their series, by chart uid. */
export async function writePoints(
  connection: PostgresConnection,
  series: ReadonlyMap<number, Points>,
  tables: SeriesTables,
): Promise<void> {
  if (series.size === 0) return;
  const touched = await loadTouched(connection, series);
  const removed: { readonly uid: number; readonly firstTimestamp: number }[] = [];
  const written: (Chunk & { readonly uid: number })[] = [];
  const tallies = new Map<number, number>();
  for (const [uid, points] of series) {
    const change = await mergeSeries(tables, touched.get(uid) ?? [], points);
    const tally = tallyChange(change.added, change.removed);
    if (tally !== 0) tallies.set(uid, tally);
    for (const firstTimestamp of change.removed) removed.push({ uid, firstTimestamp });
    for (const chunk of change.written) written.push({ uid, ...chunk });
  }
  if (removed.length > 0) {
    const values = [removed.map((one) => one.uid), removed.map((one) => one.firstTimestamp)];
    await connection.query({ name: 'remove-chunks', text: removeSql }, values);
  }
  if (written.length > 0) await putChunks(connection, written);
  await changeTallies(connection, tallies);
}

const changeTalliesSql = `
  update plugin_metrics.chart set tally = (chart.tally % ${tallyRange} + changed.tally) % ${tallyRange}
  from unnest($1::bigint[], $2::bigint[]) as changed (uid, tally) where chart.uid = changed.uid`;

/** Adds to the tallies of charts, by uid, even if a stored one is damaged. */
export async function changeTallies(
  connection: PostgresConnection,
  changes: ReadonlyMap<number, number>,
): Promise<void> {
  if (changes.size === 0) return;
  const values = [[...changes.keys()], [...changes.values()]];
  await connection.query({ name: 'change-tallies', text: changeTalliesSql }, values);
}

async function loadTouched(
  connection: PostgresConnection,
  series: ReadonlyMap<number, Points>,
): Promise<Map<number, ChartChunk[]>> {
  const all = [...series.values()];
  const rows = await connection.query({ name: 'touched-chunks', text: touchedSql }, [
    [...series.keys()],
    all.map((points) => points.timestamps[0]),
    all.map((points) => points.timestamps.at(-1)),
  ]);
  const touched = new Map<number, ChartChunk[]>();
  for (const chunk of rows.map(chunkOf)) {
    const chunks = touched.get(chunk.uid);
    if (chunks === undefined) touched.set(chunk.uid, [chunk]);
    else chunks.push(chunk);
  }
  return touched;
}

/** Finds the name of a chart, for messages. */
export async function findPostgresChartName(
  connection: PostgresConnection,
  uid: number,
): Promise<ChartName | undefined> {
  const sql = 'select plugin_id, chart_id from plugin_metrics.chart where uid = $1';
  const [row] = await connection.query(sql, [uid]);
  return row && { pluginId: integer(row['plugin_id']), chartId: text(row['chart_id']) };
}

/** Finds the first timestamp of the next chunk of a chart after a time, for messages. */
export async function findPostgresChunkAfter(
  connection: PostgresConnection,
  uid: number,
  timestamp: number,
): Promise<number | undefined> {
  const sql = `select min(first_timestamp) as next from plugin_metrics.chunk
    where chart_uid = $1 and first_timestamp > $2`;
  const [row] = await connection.query(sql, [uid, timestamp]);
  const next = row?.['next'] ?? null;
  return next === null ? undefined : integer(next);
}

/** Writes chunks, with the checksums of their rows. */
export async function putChunks(
  connection: PostgresConnection,
  chunks: readonly (Chunk & { readonly uid: number })[],
): Promise<void> {
  const starts: number[] = [];
  let start = 1;
  for (const { bytes } of chunks) {
    starts.push(start);
    start += bytes.length;
  }
  await connection.query({ name: 'put-chunks', text: putSql }, [
    chunks.map((chunk) => chunk.uid),
    chunks.map((chunk) => chunk.firstTimestamp),
    starts,
    chunks.map((chunk) => chunk.bytes.length),
    Buffer.concat(chunks.map(({ uid, firstTimestamp, bytes }) => bindChecksum(bytes, uid, firstTimestamp))),
  ]);
}
