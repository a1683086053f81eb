/** Creates the store on a server, upgrades it, and refuses one of an unknown version. */
import { AppError } from '../model/app-error.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { isMissingTable } from './connection/postgres-fault.ts';
import { bindChunks, fillChecksums } from './fill-checksums.ts';
import { fillTallies } from './fill-tallies.ts';
import { checksumVersion, postgresMigrations, tallyVersion } from './postgres-schema.ts';

/** The lock for creating or upgrading a store ("pmet" in ASCII). */
const migrationLock = 0x70_6d_65_74;

/**
 * Refuses a store of another version.
 * @throws AppError `not_found` if there is none, `invalid` for one of another version.
 */
export async function checkVersion(connection: PostgresConnection, storeName: string): Promise<void> {
  const version = await findVersion(connection, storeName);
  if (version === undefined) throw missingStore(storeName);
  refuseNewer(version, storeName);
  if (version < postgresMigrations.length) {
    throw new AppError(
      'invalid',
      `the store ${storeName} has version ${version}; the next "plugin-metrics import" brings it to ${postgresMigrations.length}, which this one reads`,
    );
  }
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
 * Creates the store, or upgrades it to the newest version, within the open transaction.
 * @returns true for a new store.
 * @throws AppError `invalid` for a store of a newer version.
 */
export async function migratePostgres(connection: PostgresConnection, storeName: string): Promise<boolean> {
  if ((await versionInside(connection)) === postgresMigrations.length) return false;
  await connection.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  // Another process may have created or upgraded it while this one waited for the lock.
  const version = await versionInside(connection);
  if (version !== undefined) refuseNewer(version, storeName);
  else {
    await refuseOtherEncoding(connection, storeName);
    await connection.query('create schema if not exists plugin_metrics');
    await connection.query('create table plugin_metrics.migration (version integer primary key)');
  }
  for (const [index, migration] of postgresMigrations.entries()) {
    if (index < (version ?? 0)) continue;
    await connection.query(migration);
    if (index + 1 === checksumVersion) {
      await fillChecksums(connection);
      await bindChunks(connection);
    }
    if (index + 1 === tallyVersion) await fillTallies(connection);
    await connection.query('insert into plugin_metrics.migration (version) values ($1)', [index + 1]);
  }
  return version === undefined;
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

function refuseNewer(version: number, storeName: string): void {
  if (version <= postgresMigrations.length) return;
  throw new AppError(
    'invalid',
    `the store ${storeName} has version ${version}, written by a newer plugin-metrics; this one knows versions up to ${postgresMigrations.length}`,
  );
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
