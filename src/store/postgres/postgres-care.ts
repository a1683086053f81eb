/** The care of a store on a server: checking, measuring, compacting. */
import { AppError } from '../../model/app-error.ts';
import type { CheckRecord, Compacted, Unused } from '../../model/store.ts';
import { checkState } from '../check/check-state.ts';
import type { Sql } from '../sql.ts';
import { tables } from '../tables.ts';
import { endClient, openClient } from './postgres-client.ts';
import { checkVersion } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { PostgresSql } from './postgres-sql.ts';
import { beginPostgresRead } from './postgres-transaction.ts';

/** Yields one line for each fault: first those that the tables do not exclude, then those of every row. */
export async function* checkPostgresStore(
  settings: PostgresSettings,
  checkRecord: CheckRecord,
): AsyncGenerator<string> {
  await using transaction = await beginPostgresRead(settings);
  const { sql } = transaction;
  try {
    const open = await sql.all(`
      select software.id, global_plugin_id from software left join plugin on plugin.id = global_plugin_id
      where global_plugin_id is not null and plugin.id is null
      order by software.id`);
    for (const row of open)
      yield `software ${row['id']}: its global plugin ${row['global_plugin_id']} does not exist`;
    if ((await sql.all('select id from generation')).length !== 1)
      yield 'the table generation has not one row';
    yield* checkState(sql, checkRecord);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield error.message;
  }
}

/** Gets the size of all tables and their indexes on disk. */
export async function getPostgresSize(sql: Sql): Promise<number> {
  const [row] = await sql.all(`
    select sum(pg_total_relation_size(pg_class.oid)) as size_bytes
    from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'plugin_metrics' and relkind = 'r'`);
  return Number(row?.['size_bytes']);
}

/** Makes the space of dead rows usable again, and gives back free space at the end of tables. Readers and writers go on. */
export function compactPostgresStore(settings: PostgresSettings): Promise<Compacted> {
  return onStore(settings, async (sql) => {
    const names = [...Object.keys(tables), 'slot', 'coverage'].map((name) => `plugin_metrics.${name}`);
    const beforeBytes = await getPostgresSize(sql);
    await sql.run(`vacuum (analyze) ${names.join(', ')}`);
    return { beforeBytes, afterBytes: await getPostgresSize(sql), isBlocked: false };
  });
}

/** Measures how much {@link compactPostgresStore} would make usable: an estimate, because dead rows are about as large as live ones. */
export function measurePostgresStore(settings: PostgresSettings): Promise<Unused> {
  return onStore(settings, async (sql) => {
    const [row] = await sql.all(`
      select coalesce(sum(pg_table_size(relid) * n_dead_tup / greatest(n_live_tup + n_dead_tup, 1)), 0)::bigint as bytes
      from pg_catalog.pg_stat_user_tables where schemaname = 'plugin_metrics'`);
    return { sizeBytes: await getPostgresSize(sql), unusedBytes: Number(row?.['bytes']) };
  });
}

/** Runs statements outside a transaction, with time for the vacuum of a large table, but not for a server that hangs. */
async function onStore<T>(settings: PostgresSettings, work: (sql: PostgresSql) => Promise<T>): Promise<T> {
  const client = await openClient(settings, { queryTimeoutMs: 24 * 60 * 60 * 1000 });
  try {
    const sql = new PostgresSql(client, settings.name);
    await checkVersion(sql);
    return await work(sql);
  } finally {
    await endClient(client);
  }
}
