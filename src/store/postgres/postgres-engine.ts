/** The engine of a store on a PostgreSQL server. */
import { AppError, throwUnexpected } from '../../model/app-error.ts';
import type { Compacted, Unused } from '../../model/store.ts';
import { checkState } from '../check/check-state.ts';
import type { Engine, Sql } from '../sql.ts';
import { column, integer, orNull, readRow, statement, text } from '../statement.ts';
import { allTables, reportTables } from '../tables.ts';
import { endClient, isNotAllowed, openClient, runStatement, unavailableStore } from './postgres-client.ts';
import { openPostgresConnections } from './postgres-connections.ts';
import { openPostgresReports } from './postgres-reports.ts';
import { checkVersion } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { PostgresSql } from './postgres-sql.ts';
import { beginPostgresRead, beginPostgresWrite } from './postgres-transaction.ts';

/** Makes the engine of a store on a server. */
export function postgresEngine(settings: PostgresSettings): Engine {
  const beginRead = () => explained(settings, 'select', () => beginPostgresRead(settings));
  return {
    connect: () => explained(settings, 'select', () => openPostgresConnections(settings)),
    async probe() {
      await using _ = await beginRead();
    },
    beginRead,
    beginWrite: (wanted, onWait) =>
      explained(settings, rightsToWrite, () => beginPostgresWrite(settings, wanted, onWait)),
    upgrade: (options) =>
      explained(settings, rightsToWrite, async () =>
        (await import('./postgres-upgrade.ts')).upgradePostgresStore(settings, options),
      ),
    openReports: () => explained(settings, rightsToWrite, () => openPostgresReports(settings)),
    check: (...options) => check(beginRead, ...options),
    sizeBytes,
    compact: () => compact(settings),
    measure: () => measure(settings),
  };
}

const sizeSql = statement`
  select sum(pg_total_relation_size(pg_class.oid)) as ${column('bytes', orNull(integer))}
  from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'plugin_metrics' and relkind = 'r'`;

const unusedSql = statement`
  select coalesce(sum(pg_table_size(relid) * n_dead_tup / greatest(n_live_tup + n_dead_tup, 1)), 0)::bigint
    as ${column('bytes', integer)}
  from pg_catalog.pg_stat_user_tables where schemaname = 'plugin_metrics'`;

const rightsToWrite = 'select, insert, update, delete';

async function explained<T>(settings: PostgresSettings, rights: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await explainRights(error, settings, rights);
  }
}

async function* check(
  beginRead: Engine['beginRead'],
  ...options: Parameters<Engine['check']>
): AsyncGenerator<string> {
  await using transaction = await beginRead();
  try {
    yield* checkState(transaction.sql, ...options);
  } catch (error) {
    // A table has been changed by hand.
    throwUnexpected(error);
    yield error.message;
  }
}

/** Gets the size of all tables and their indexes on disk. */
async function sizeBytes(sql: Sql): Promise<number> {
  const [row] = await sql.read(sizeSql);
  return row?.bytes ?? 0;
}

/**
 * Makes the space of dead rows reusable, and releases free space at the end of tables. Readers and writers
 * are not blocked.
 */
function compact(settings: PostgresSettings): Promise<Compacted> {
  return onStore(settings, async (sql) => {
    const names = [...allTables, ...Object.values(reportTables)].map(({ name }) => `plugin_metrics.${name}`);
    const beforeBytes = await sizeBytes(sql);
    await sql.runAll(`vacuum (analyze) ${names.join(', ')}`);
    return { beforeBytes, afterBytes: await sizeBytes(sql), isBlocked: false };
  });
}

/**
 * Measures the space that {@link compact} would make reusable: an estimate, which takes dead rows to be as
 * large as live ones.
 */
function measure(settings: PostgresSettings): Promise<Unused> {
  return onStore(settings, async (sql) => {
    const [row] = await sql.read(unusedSql);
    return { sizeBytes: await sizeBytes(sql), unusedBytes: row?.bytes ?? 0 };
  });
}

/**
 * Runs statements outside a transaction. The timeout is long enough to vacuum a large table, and ends the
 * wait for a server that hangs.
 */
async function onStore<T>(settings: PostgresSettings, work: (sql: PostgresSql) => Promise<T>): Promise<T> {
  const client = await openClient(settings, { queryTimeoutMs: 24 * 60 * 60 * 1000 });
  try {
    const sql = new PostgresSql(client, settings.name);
    await explained(settings, 'select', () => checkVersion(sql));
    return await work(sql);
  } finally {
    await endClient(client);
  }
}

const rolesSql = statement`
  select quote_ident(current_user) as ${column('role', text)}, quote_ident(current_database()) as ${column('database', text)},
    (select quote_ident(pg_get_userbyid(relowner)) from pg_catalog.pg_class
     join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
     where nspname = 'plugin_metrics' and relname = 'migration') as ${column('storeOwner', orNull(text))},
    (select quote_ident(pg_get_userbyid(datdba)) from pg_catalog.pg_database
     where datname = current_database()) as ${column('databaseOwner', orNull(text))}`;

/**
 * Replaces an error about a missing right by one that names the role with the right; returns any other error
 * unchanged.
 * @param rights the rights to the tables that the role needs.
 */
async function explainRights(error: unknown, settings: PostgresSettings, rights: string): Promise<unknown> {
  const cause = error instanceof AppError ? error.cause : error;
  if (!(cause instanceof Error) || !isNotAllowed(cause)) return error;
  const client = await openClient(settings, { queryTimeoutMs: 5000 });
  try {
    const [row = []] = await runStatement(client, rolesSql.text);
    const { role, database, storeOwner, databaseOwner } = readRow(rolesSql, row);
    const wayOut =
      storeOwner === null
        ? `the role ${databaseOwner} can run "grant create on database ${database} to ${role}"`
        : `the role ${storeOwner} has the rights, and can run "grant usage on schema plugin_metrics to ${role}; ` +
          `grant ${rights} on all tables in schema plugin_metrics to ${role}"`;
    return unavailableStore(
      settings.name,
      `cannot be used by the role ${role}: ${cause.message}: ${wayOut}`,
      cause,
    );
  } finally {
    await endClient(client);
  }
}
