/** Is there a store on the server, is it of a version that we know; and making one. */
import type pg from 'pg';
import { AppError } from '../model/app-error.ts';
import { isMissingTable } from './connection/postgres-fault.ts';
import { migrations } from './postgres-schema.ts';

/** Names the lock under which a store is made or brought to a new version ("pmet" in ASCII). */
const migrationLock = 0x70_6d_65_74;

/**
 * Refuses a store that cannot be read as it is.
 * @throws AppError `not_found` where there is none, `invalid` for one of another version.
 */
export async function checkVersion(client: pg.Client, storeName: string): Promise<void> {
  const version = await findVersion(client, storeName);
  if (version === undefined) {
    throw new AppError('not_found', `there is no store at ${storeName}; "plugin-metrics import" makes one`);
  }
  refuseNewer(version, storeName);
  if (version < migrations.length) {
    throw new AppError(
      'invalid',
      `the store ${storeName} has version ${version}; the next "plugin-metrics import" brings it to ${migrations.length}, which this one reads`,
    );
  }
}

/**
 * Makes the store, or brings it to the newest version, in the transaction that is open.
 * @returns whether there was none.
 * @throws AppError `invalid` for a store of a newer version.
 */
export async function migrate(client: pg.Client, storeName: string): Promise<boolean> {
  if ((await versionInside(client)) === migrations.length) return false;
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  // Whoever held the lock before may have done it.
  const version = await versionInside(client);
  if (version !== undefined) refuseNewer(version, storeName);
  else {
    await refuseOtherEncoding(client, storeName);
    await client.query('create schema if not exists plugin_metrics');
    await client.query('create table plugin_metrics.migration (version integer primary key)');
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < (version ?? 0)) continue;
    await client.query(migration);
    await client.query('insert into plugin_metrics.migration (version) values ($1)', [index + 1]);
  }
  return version === undefined;
}

const versionSql = 'select max(version) as version from plugin_metrics.migration';

async function findVersion(client: pg.Client, storeName: string): Promise<number | undefined> {
  try {
    return Number((await client.query(versionSql)).rows[0].version);
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

// The catalog is asked like any table. A cast to regclass would ask a cache of the session, which does not learn
// of a store that was made while this session waited for the lock.
const isThereSql = `
  select exists (
    select from pg_catalog.pg_class
    join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
    where nspname = 'plugin_metrics' and relname = 'migration'
  ) as is_there`;

/** As {@link findVersion}, but without an error that would end the transaction. */
async function versionInside(client: pg.Client): Promise<number | undefined> {
  if ((await client.query(isThereSql)).rows[0].is_there !== true) return undefined;
  return Number((await client.query(versionSql)).rows[0].version);
}

function refuseNewer(version: number, storeName: string): void {
  if (version <= migrations.length) return;
  throw new AppError(
    'invalid',
    `the store ${storeName} has version ${version}, written by a newer plugin-metrics; this one knows versions up to ${migrations.length}`,
  );
}

async function refuseOtherEncoding(client: pg.Client, storeName: string): Promise<void> {
  const encoding = (await client.query(`select current_setting('server_encoding') as encoding`)).rows[0]
    .encoding;
  if (encoding === 'UTF8') return;
  throw new AppError(
    'invalid',
    `the store ${storeName} needs a database with the encoding UTF8; this one has ${encoding}`,
  );
}
