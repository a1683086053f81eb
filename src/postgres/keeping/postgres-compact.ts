/** Compacts the store on a server, as far as the server can do it without blocking readers and writers. */
import type { Compacted, Unused } from '../../model/store.ts';
import { connect } from '../connection/connect.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection } from '../connection/postgres-connection.ts';
import { postgresFault } from '../connection/postgres-fault.ts';
import { checkVersion } from '../postgres-schema.ts';
import { getSizeBytes } from './postgres-stats.ts';

/** Timeouts that leave time for the vacuum of a large table, but not for a server that hangs. */
const vacuumOptions = { statementTimeoutMs: 0, queryTimeoutMs: 24 * 60 * 60 * 1000 };

const vacuumSql = `
  vacuum (analyze) plugin_metrics.software, plugin_metrics.owner, plugin_metrics.plugin, plugin_metrics.chart,
    plugin_metrics.snapshot, plugin_metrics.chunk, plugin_metrics.event,
    plugin_metrics.old_name, plugin_metrics.generation, plugin_metrics.removal`;

// An estimate: dead rows are about as large as live ones.
const deadPartSql = `
  select coalesce(sum(pg_table_size(relid) * n_dead_tup / greatest(n_live_tup + n_dead_tup, 1)), 0)::bigint as bytes
  from pg_catalog.pg_stat_user_tables where schemaname = 'plugin_metrics'`;

/**
 * Makes the space of dead rows usable again, and gives back free space at the end of tables. Readers and writers go on.
 * @throws AppError as `connect` and `checkVersion`.
 */
export function compactPostgresStore(settings: PostgresSettings): Promise<Compacted> {
  return withStore(settings, 'read-write', async (connection) => {
    const beforeBytes = await getSizeBytes(connection);
    await connection.query(vacuumSql);
    return { beforeBytes, afterBytes: await getSizeBytes(connection), isBlocked: false };
  });
}

/** Measures how much {@link compactPostgresStore} would make usable, from the server's counts of dead rows. */
export function measurePostgresStore(settings: PostgresSettings): Promise<Unused> {
  return withStore(settings, settings.sessionKind, async (connection) => {
    const sizeBytes = await getSizeBytes(connection);
    const [row] = await connection.query(deadPartSql);
    return { sizeBytes, unusedBytes: Number(row?.['bytes']) };
  });
}

async function withStore<T>(
  settings: PostgresSettings,
  sessionKind: PostgresSettings['sessionKind'],
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = await connect(settings, { ...vacuumOptions, sessionKind });
  try {
    await checkVersion(connection, settings.name);
    return await work(connection);
  } catch (error) {
    throw postgresFault(error, settings.name);
  } finally {
    await connection.end();
  }
}
