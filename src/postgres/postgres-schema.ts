/** The tables of the store on a server: creates them, and refuses those of another version. */
import { AppError } from '../model/app-error.ts';
import { refuseOtherVersion, storeVersion } from '../store/store-version.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { isMissingTable } from './connection/postgres-fault.ts';

/** The lock for creating a store ("pmet" in ASCII). */
const creationLock = 0x70_6d_65_74;

// The large tables are keyed by `chart_uid`, so that a distributed engine can shard them. Text ids are collated bytewise, so that
// their order is the same in every store. The global plugin of a software has no foreign key, because it may be stored after the
// software and not every engine can defer a foreign key: the writer checks it at the end of a source.
const schemaSql = `
  create schema if not exists plugin_metrics;

  create table plugin_metrics.owner (
    id bigint primary key,
    name text not null,
    checksum integer not null
  );

  create table plugin_metrics.software (
    id bigint primary key,
    name text not null,
    url text collate "C" not null unique,
    global_plugin_id bigint,
    checksum integer not null
  );

  create table plugin_metrics.plugin (
    id bigint primary key,
    name text not null,
    owner_id bigint not null references plugin_metrics.owner (id),
    software_id bigint not null references plugin_metrics.software (id),
    is_global boolean not null,
    checksum integer not null
  );

  create table plugin_metrics.old_name (
    plugin_id bigint not null references plugin_metrics.plugin (id),
    name text collate "C" not null,
    checksum integer not null,
    primary key (plugin_id, name)
  );

  create table plugin_metrics.chart (
    uid bigint primary key,
    plugin_id bigint not null references plugin_metrics.plugin (id),
    chart_id text collate "C" not null,
    type text not null,
    position bigint not null,
    title text not null,
    is_default boolean not null,
    settings text not null,
    checksum integer not null,
    unique (plugin_id, chart_id)
  );

  create table plugin_metrics.snapshot (
    chart_uid bigint primary key references plugin_metrics.chart (uid),
    json text not null,
    at bigint,
    checksum integer not null
  );

  create table plugin_metrics.chunk (
    chart_uid bigint not null references plugin_metrics.chart (uid),
    first_timestamp bigint not null,
    bytes bytea not null,
    primary key (chart_uid, first_timestamp)
  );

  -- The bytes of a chunk can hardly be compressed any more.
  alter table plugin_metrics.chunk alter column bytes set storage external;

  create table plugin_metrics.event (
    plugin_id bigint not null references plugin_metrics.plugin (id),
    time bigint not null,
    title text collate "C" not null,
    url text,
    checksum integer not null,
    primary key (plugin_id, time, title)
  );

  create table plugin_metrics.removal (
    plugin_id bigint not null,
    chart_id text collate "C" not null,
    before_timestamp bigint,
    checksum integer not null,
    primary key (plugin_id, chart_id)
  );

  -- Each write has a token of its own; that of the catalogue is the token of the last write that changed it.
  create table plugin_metrics.generation (
    id integer primary key check (id = 1),
    value bigint not null,
    token bigint not null,
    catalogue bigint not null
  );

  insert into plugin_metrics.generation (id, value, token, catalogue) values (1, 0, 0, 0);

  create table plugin_metrics.collection (
    id integer primary key check (id = 1),
    closed_until bigint not null
  );

  insert into plugin_metrics.collection (id, closed_until) values (1, 0);

  create table plugin_metrics.slot (
    start bigint primary key,
    key bytea not null,
    is_frozen boolean not null default false
  );

  create table plugin_metrics.coverage (
    start bigint not null,
    collector text not null,
    from_time bigint not null,
    until bigint not null,
    primary key (start, collector, from_time)
  );

  -- The largest number is the version of the store, to programs of every version.
  create table plugin_metrics.migration (
    version integer primary key
  );

  insert into plugin_metrics.migration (version) values (${storeVersion});
`;

/**
 * Refuses a store of another version.
 * @throws AppError `not_found` if there is none, `invalid` for one of another version.
 */
export async function checkVersion(connection: PostgresConnection, storeName: string): Promise<void> {
  const version = await findVersion(connection, storeName);
  if (version === undefined) throw missingStore(storeName);
  refuseOtherVersion(version, storeName);
}

/** Refuses a missing store, within the open transaction. @throws AppError `not_found`. */
export async function refuseMissing(connection: PostgresConnection, storeName: string): Promise<void> {
  if ((await versionInside(connection)) === undefined) throw missingStore(storeName);
}

/** Refuses a database that has the schema of a store, even an incomplete one. @throws AppError `conflict`. */
export async function refuseExistingSchema(connection: PostgresConnection, storeName: string): Promise<void> {
  const [found] = await connection.query<{ readonly is_there: boolean }>(isAnythingThereSql);
  if (found?.is_there === true) throw existingStore(storeName);
}

/** Makes the error for a new store whose place is taken. */
export function existingStore(storeName: string): AppError {
  return new AppError(
    'conflict',
    `there is a store at ${storeName} already; drop its schema plugin_metrics, or name another database`,
  );
}

function missingStore(storeName: string): AppError {
  return new AppError('not_found', `there is no store at ${storeName}; "plugin-metrics import" makes one`);
}

/**
 * Creates the store if there is none, within the open transaction.
 * @returns true for a new store.
 * @throws AppError `invalid` for a store of another version.
 */
export async function createIfMissing(connection: PostgresConnection, storeName: string): Promise<boolean> {
  let version = await versionInside(connection);
  if (version === undefined) {
    await connection.query('select pg_advisory_xact_lock($1)', [creationLock]);
    // Another process may have created it while this one waited for the lock.
    version = await versionInside(connection);
  }
  if (version !== undefined) {
    refuseOtherVersion(version, storeName);
    return false;
  }
  await refuseOtherEncoding(connection, storeName);
  await connection.query(schemaSql);
  return true;
}

const versionSql = 'select max(version) as version from plugin_metrics.migration';

/** Finds the version of a store; undefined if there is no store. */
export async function findVersion(
  connection: PostgresConnection,
  storeName: string,
): Promise<number | undefined> {
  try {
    return await getVersion(connection);
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    if (error instanceof Error && 'code' in error && error.code === '42501') {
      throw new AppError('unavailable', `the store ${storeName} may not be read: ${error.message}`, {
        kind: 'store-unavailable',
        cause: error,
      });
    }
    throw error;
  }
}

// A query of the catalog, because a cast to regclass uses a cache of the session, which does not know a store that was created
// while this session waited for the lock.
const isThereSql = `
  select exists (
    select from pg_catalog.pg_class
    join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'plugin_metrics' and relname = 'migration'
  ) as is_there`;

const isAnythingThereSql = `
  select exists (
    select from pg_catalog.pg_class
    join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'plugin_metrics'
  ) as is_there`;

/** Finds the version as {@link findVersion} does, without an error that would end the transaction. */
async function versionInside(connection: PostgresConnection): Promise<number | undefined> {
  const [found] = await connection.query<{ readonly is_there: boolean }>(isThereSql);
  if (found?.is_there !== true) return undefined;
  return getVersion(connection);
}

async function getVersion(connection: PostgresConnection): Promise<number> {
  const [row] = await connection.query<{ readonly version: number }>(versionSql);
  return Number(row?.version);
}

async function refuseOtherEncoding(connection: PostgresConnection, storeName: string): Promise<void> {
  const sql = `select current_setting('server_encoding') as encoding`;
  const [row] = await connection.query<{ readonly encoding: string }>(sql);
  if (row?.encoding === 'UTF8') return;
  throw new AppError(
    'invalid',
    `the store ${storeName} needs a database with the encoding UTF8; this one has ${row?.encoding}`,
  );
}
