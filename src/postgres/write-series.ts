/** Writes points and histories of many charts into their chunks and blocks, with few statements. */
import type { ChartName } from '../model/chart.ts';
import type { Points } from '../model/points.ts';
import { type ShareHistory, spanOf } from '../model/share-history.ts';
import { bindChecksum } from '../series/checksum.ts';
import type { Chunk } from '../series/chunk.ts';
import { isBlock } from '../series/history-block.ts';
import { mergeIntoBlocks } from '../series/merge-blocks.ts';
import { mergeIntoChunks } from '../series/merge-chunks.ts';
import { mergeSeries, type SeriesTables } from '../store/damaged-chart.ts';
import type { ChartChunk } from '../store/keeping/removal.ts';
import { chunkOf, integer, text } from '../store/rows.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';

/** The tables whose rows are the chunks of lines, and the blocks of histories. */
export type SeriesTable = 'chunk' | 'history';

const statementsFor = (table: SeriesTable) =>
  ({
    // The order by makes the lateral query one index lookup for each series, even if the planner estimates otherwise.
    touched: {
      name: `touched-in-${table}`,
      text: `
        select asked.uid as chart_uid, stored.first_timestamp, stored.bytes
        from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as asked (uid, first, last)
        cross join lateral (
          select coalesce(
            (select max(first_timestamp) from plugin_metrics.${table}
              where chart_uid = asked.uid and first_timestamp <= asked.first),
            (select min(first_timestamp) from plugin_metrics.${table} where chart_uid = asked.uid)) as first_timestamp
          offset 0
        ) as touched
        cross join lateral (
          select first_timestamp, bytes from plugin_metrics.${table}
          where chart_uid = asked.uid
            and first_timestamp >= touched.first_timestamp
            and first_timestamp <= greatest(touched.first_timestamp, asked.last)
          order by first_timestamp
        ) as stored`,
    },
    remove: {
      name: `remove-from-${table}`,
      text: `
        delete from plugin_metrics.${table} as stored
        using unnest($1::bigint[], $2::bigint[]) as gone (uid, first_timestamp)
        where stored.chart_uid = gone.uid and stored.first_timestamp = gone.first_timestamp`,
    },
    // All bytes are one value, which is sent in binary: in an array they would be sent in hex.
    put: {
      name: `put-in-${table}`,
      text: `
        insert into plugin_metrics.${table} (chart_uid, first_timestamp, bytes)
        select uid, first_timestamp, substring($5::bytea from start for length)
        from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[])
          as put (uid, first_timestamp, start, length)
        on conflict (chart_uid, first_timestamp) do update set bytes = excluded.bytes`,
    },
  }) satisfies Readonly<Record<string, Statement>>;

const statements = { chunk: statementsFor('chunk'), history: statementsFor('history') };

/** A merge into the rows of a chart between two times. */
interface SeriesMerge {
  readonly uid: number;
  readonly first: number;
  readonly last: number;
  readonly merge: Parameters<typeof mergeSeries>[2];
}

/** Charts whose histories are merged together: their blocks, of some KB each, are in memory. */
const historiesPerMerge = 256;

/** Merges points into the chunks of their series, by chart uid. */
export async function writePoints(
  connection: PostgresConnection,
  series: ReadonlyMap<number, Points>,
  tables: SeriesTables,
): Promise<void> {
  const merges = Array.from(series, ([uid, points]) => ({
    uid,
    first: points.timestamps[0] ?? 0,
    last: points.timestamps.at(-1) ?? 0,
    merge: (touched: readonly Chunk[]) => mergeIntoChunks(touched, points),
  }));
  await mergeRows({ connection, table: 'chunk', tables }, merges);
}

/** Merges histories into the blocks of their charts, by uid. */
export async function writeHistories(
  connection: PostgresConnection,
  series: ReadonlyMap<number, readonly ShareHistory[]>,
  tables: SeriesTables,
): Promise<void> {
  const merges = Array.from(series, ([uid, histories]) => ({
    uid,
    ...spanOf(histories),
    merge: (touched: readonly Chunk[]) => mergeIntoBlocks(touched, histories),
  }));
  for (let start = 0; start < merges.length; start += historiesPerMerge) {
    const some = merges.slice(start, start + historiesPerMerge);
    await mergeRows({ connection, table: 'history', tables }, some);
  }
}

/** The rows that are merged into. */
interface MergedTable {
  readonly connection: PostgresConnection;
  readonly table: SeriesTable;
  readonly tables: SeriesTables;
}

/** Loads the rows that some merges touch, and writes those that they change. */
async function mergeRows(into: MergedTable, merges: readonly SeriesMerge[]): Promise<void> {
  if (merges.length === 0) return;
  const { connection, table, tables } = into;
  const touched = await loadTouched(into, merges);
  const removed: { readonly uid: number; readonly firstTimestamp: number }[] = [];
  const written: ChartChunk[] = [];
  for (const { uid, merge } of merges) {
    const change = await mergeSeries(tables, touched.get(uid) ?? [], merge);
    for (const firstTimestamp of change.removed) removed.push({ uid, firstTimestamp });
    for (const chunk of change.written) written.push({ uid, ...chunk });
  }
  if (removed.length > 0) {
    const values = [removed.map((one) => one.uid), removed.map((one) => one.firstTimestamp)];
    await connection.query(statements[table].remove, values);
  }
  await putRows(connection, table, written);
}

async function loadTouched(
  { connection, table }: MergedTable,
  merges: readonly SeriesMerge[],
): Promise<Map<number, ChartChunk[]>> {
  const rows = await connection.query(statements[table].touched, [
    merges.map(({ uid }) => uid),
    merges.map(({ first }) => first),
    merges.map(({ last }) => last),
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

/** Writes chunks and blocks, and replaces those with the same keys. */
export async function putChunks(
  connection: PostgresConnection,
  chunks: readonly ChartChunk[],
): Promise<void> {
  const [lines, blocks] = [chunks.filter((chunk) => !isBlock(chunk)), chunks.filter(isBlock)];
  await putRows(connection, 'chunk', lines);
  await putRows(connection, 'history', blocks);
}

/** Writes rows of one table, with their checksums. */
async function putRows(
  connection: PostgresConnection,
  table: SeriesTable,
  chunks: readonly ChartChunk[],
): Promise<void> {
  if (chunks.length === 0) return;
  const starts: number[] = [];
  let start = 1;
  for (const { bytes } of chunks) {
    starts.push(start);
    start += bytes.length;
  }
  await connection.query(statements[table].put, [
    chunks.map((chunk) => chunk.uid),
    chunks.map((chunk) => chunk.firstTimestamp),
    starts,
    chunks.map((chunk) => chunk.bytes.length),
    Buffer.concat(chunks.map(({ uid, firstTimestamp, bytes }) => bindChecksum(bytes, uid, firstTimestamp))),
  ]);
}
