/** Counts and sizes of the store on a server. */
import { maxTimestamp } from '../../model/points.ts';
import type { StoreStats } from '../../model/store.ts';
import { headBytes } from '../../series/chunk.ts';
import { countSeries } from '../../store/keeping/count-series.ts';
import { lineTypesSql } from '../../store/stored-columns.ts';
import { batchOptions, connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { keysetPages, smallestKey } from '../keyset-pages.ts';
import { beginReading } from '../postgres-state.ts';

const countsSql = `
  select
    (select count(*) from plugin_metrics.software) as software_count,
    (select count(*) from plugin_metrics.plugin) as plugin_count,
    (select count(*) from plugin_metrics.chart) as chart_count,
    (select count(*) from plugin_metrics.event) as event_count`;

const sizeSql = `
  select sum(pg_total_relation_size(pg_class.oid))::bigint as size_bytes
  from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'plugin_metrics' and relkind = 'r'`;

const headsSql = `
  select chart_uid, first_timestamp, substring(bytes for ${headBytes}) as head from plugin_metrics.chunk
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit 16384`;

const lastChunksSql = `
  select uid, last.* from plugin_metrics.chart
  cross join lateral (
    select chart_uid, first_timestamp, bytes from plugin_metrics.chunk
    where chart_uid = uid and first_timestamp <= $2 order by first_timestamp desc limit 1
  ) as last
  where uid > $1 and type in (${lineTypesSql})
  order by uid
  limit 4096`;

/**
 * Counts what a store holds.
 * @param nowMs points after this time lie in the future.
 * @throws AppError as `connect` and `checkVersion`; `unavailable` for a damaged store.
 */
export async function loadPostgresStats(settings: PostgresSettings, nowMs = Date.now()): Promise<StoreStats> {
  const connection = await connect(settings, batchOptions);
  try {
    await beginReading(connection, settings.name);
    const [counts] = await connection.query(countsSql);
    const start = { chart_uid: smallestKey, first_timestamp: smallestKey };
    const series = await countSeries(
      {
        heads: keysetPages(connection, headsSql, start),
        lastChunks: (until = maxTimestamp) =>
          keysetPages(connection, lastChunksSql, { uid: smallestKey }, [until]),
      },
      nowMs,
    );
    return {
      softwareCount: Number(counts?.['software_count']),
      pluginCount: Number(counts?.['plugin_count']),
      chartCount: Number(counts?.['chart_count']),
      ...series,
      eventCount: Number(counts?.['event_count']),
      sizeBytes: await getSizeBytes(connection),
    };
  } catch (error) {
    throw postgresFault(error, settings.name);
  } finally {
    await connection.end();
  }
}

/** Gets the size of all tables and their indexes on disk. */
export async function getSizeBytes(connection: PostgresConnection): Promise<number> {
  const [row] = await connection.query(sizeSql);
  return Number(row?.['size_bytes']);
}
