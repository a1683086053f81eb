/** Writes histories of many charts, lines among them, into their chunks, with few statements. */
import type { ChartName } from '../model/chart.ts';
import { type ShareHistory, spanOf } from '../model/share-history.ts';
import type { Chunk } from '../series/chunk.ts';
import { mergeSeries, type SeriesTables } from '../store/damaged-chart.ts';
import { chunkOf, integer, text } from '../store/rows.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';

// The order by makes the lateral query one index lookup for each chart, even if the planner estimates otherwise.
const touchedSql: Statement = {
  name: 'touched-chunks',
  text: `
    select asked.uid as chart_uid, stored.first_timestamp, stored.bytes
    from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as asked (uid, first, last)
    cross join lateral (
      select coalesce(
        (select max(first_timestamp) from plugin_metrics.chunk
          where chart_uid = asked.uid and first_timestamp <= asked.first),
        (select min(first_timestamp) from plugin_metrics.chunk where chart_uid = asked.uid)) as first_timestamp
      offset 0
    ) as touched
    cross join lateral (
      select first_timestamp, bytes from plugin_metrics.chunk
      where chart_uid = asked.uid
        and first_timestamp >= touched.first_timestamp
        and first_timestamp <= greatest(touched.first_timestamp, asked.last)
      order by first_timestamp
    ) as stored`,
};

const removeSql: Statement = {
  name: 'remove-chunks',
  text: `
    delete from plugin_metrics.chunk as stored
    using unnest($1::bigint[], $2::bigint[]) as gone (uid, first_timestamp)
    where stored.chart_uid = gone.uid and stored.first_timestamp = gone.first_timestamp`,
};

// All bytes are one value, which is sent in binary: in an array they would be sent in hex.
const putSql: Statement = {
  name: 'put-chunks',
  text: `
    insert into plugin_metrics.chunk (chart_uid, first_timestamp, bytes)
    select uid, first_timestamp, substring($5::bytea from start for length)
    from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
      as put (uid, first_timestamp, start, length)
    on conflict (chart_uid, first_timestamp) do update set bytes = excluded.bytes`,
};

/** Charts that are merged together: the chunks of a chart of shares, of some KB each, are in memory. */
const chartsPerMerge = 256;

/** Merges histories into the chunks of their charts, by uid. */
export async function writeHistories(
  connection: PostgresConnection,
  histories: ReadonlyMap<number, readonly ShareHistory[]>,
  tables: SeriesTables,
): Promise<void> {
  const merges = [...histories];
  for (let start = 0; start < merges.length; start += chartsPerMerge)
    await mergeRows(connection, merges.slice(start, start + chartsPerMerge), tables);
}

/** Loads the rows that some histories touch, and writes those that they change. */
async function mergeRows(
  connection: PostgresConnection,
  merges: ReadonlyArray<readonly [uid: number, histories: readonly ShareHistory[]]>,
  tables: SeriesTables,
): Promise<void> {
  const spans = merges.map(([, histories]) => spanOf(histories));
  const rows = await connection.query(touchedSql, [
    merges.map(([uid]) => uid),
    spans.map(({ first }) => first),
    spans.map(({ last }) => last),
  ]);
  const touched = Map.groupBy(rows.map(chunkOf), ({ uid }) => uid);
  const removed: { readonly uid: number; readonly firstTimestamp: number }[] = [];
  const written: Chunk[] = [];
  for (const [uid, histories] of merges) {
    const change = await mergeSeries(tables, uid, touched.get(uid) ?? [], histories);
    for (const firstTimestamp of change.removed) removed.push({ uid, firstTimestamp });
    written.push(...change.written);
  }
  if (removed.length > 0) {
    const values = [removed.map((one) => one.uid), removed.map((one) => one.firstTimestamp)];
    await connection.query(removeSql, values);
  }
  await putChunks(connection, written);
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

/** Writes chunks, and replaces those with the same keys. */
export async function putChunks(connection: PostgresConnection, chunks: readonly Chunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const starts: number[] = [];
  let start = 1;
  for (const { bytes } of chunks) {
    starts.push(start);
    start += bytes.length;
  }
  await connection.query(putSql, [
    chunks.map((chunk) => chunk.uid),
    chunks.map((chunk) => chunk.firstTimestamp),
    starts,
    chunks.map((chunk) => chunk.bytes.length),
    Buffer.concat(chunks.map(({ bytes }) => bytes)),
  ]);
}
