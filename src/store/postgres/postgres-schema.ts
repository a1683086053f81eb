/** Creates the tables of a store on a server, and refuses tables of another version. */
import { AppError } from '../../model/app-error.ts';
import { createReportTablesSql } from '../reports/report-log.ts';
import { type ColumnType, column, integer, statement, text } from '../statement.ts';
import { refuseOtherVersion, storeVersion } from '../store-version.ts';
import { createTablesSql } from '../tables.ts';
import type { WantedStore } from '../wanted-store.ts';
import { isMissingTable } from './postgres-client.ts';
import type { PostgresSql } from './postgres-sql.ts';

/** The lock for creating a store ("pmet" in ASCII). */
const creationLock = 0x70_6d_65_74;

/** The SQL types of columns. Texts are sorted bytewise, so that lists have the same order in every store. */
export const postgresTypes: Readonly<Record<ColumnType, string>> = {
  integer: 'bigint',
  number: 'double precision',
  text: 'text collate "C"',
  flag: 'boolean',
  bytes: 'bytea',
  serial: 'bigserial',
  checksum: 'integer',
};

// Chunks and reports are compressed already, so the server stores their bytes as they are. The largest number
// in `migration` is the version of the store; programs of every version read it there.
const schemaSql = `
  create schema if not exists plugin_metrics;

  ${createTablesSql(postgresTypes)}
  alter table chunk alter column bytes set storage external;

  ${createReportTablesSql(postgresTypes)}
  alter table report_batch alter column bytes set storage external;

  create table migration (
    version integer primary key
  );

  insert into migration (version) values (${storeVersion});
`;

const versionSql = statement`
  select max(version) as ${column('version', integer)} from plugin_metrics.migration`;

const encodingSql = statement`select current_setting('server_encoding') as ${column('encoding', text)}`;

// A cast to regclass would use a cache of the session, which misses a store that was created while the
// session waited for the lock. The catalogue does not.
const namesSql = statement`
  select relname::text as ${column('name', text)} from pg_catalog.pg_class
  join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  where nspname = 'plugin_metrics'`;

/**
 * Refuses a missing store, and a store of another version.
 * @throws AppError `not_found`, `invalid`, `unavailable`.
 */
export async function checkVersion(sql: PostgresSql): Promise<void> {
  refuseOtherVersion(await readVersion(sql), sql.storeName);
}

/** Reads the version of a store. @throws AppError `not_found`, `unavailable`. */
export async function readVersion(sql: PostgresSql): Promise<number> {
  try {
    return versionOf(await sql.readOnce(versionSql));
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : undefined;
    if (isMissingTable(cause)) throw missingStore(sql.storeName);
    throw error;
  }
}

/**
 * Creates a missing store within the transaction, unless the writer wants an existing one.
 * @returns true for a new store.
 * @throws AppError `not_found` or `conflict` if the store is not in the wanted state, `invalid` for another
 * version.
 */
export async function prepareStore(sql: PostgresSql, wanted: WantedStore): Promise<boolean> {
  let names = await sql.readOnce(namesSql);
  // Even an incomplete store is in the way.
  if (wanted === 'missing' && names.length > 0) throw existingStore(sql.storeName);
  if (wanted === 'existing' && !hasStore(names)) throw missingStore(sql.storeName);
  if (!hasStore(names)) {
    await sql.runAll(`select pg_advisory_xact_lock(${creationLock})`);
    // Another process may have created it while this one waited for the lock.
    names = await sql.readOnce(namesSql);
    if (wanted === 'missing' && names.length > 0) throw existingStore(sql.storeName);
  }
  if (hasStore(names)) {
    refuseOtherVersion(versionOf(await sql.readOnce(versionSql)), sql.storeName);
    return false;
  }
  await refuseOtherEncoding(sql);
  await sql.runAll(schemaSql);
  return true;
}

function hasStore(names: ReadonlyArray<{ readonly name: string }>): boolean {
  return names.some(({ name }) => name === 'migration');
}

function versionOf([row]: ReadonlyArray<{ readonly version: number }>): number {
  return row?.version ?? 0;
}

async function refuseOtherEncoding(sql: PostgresSql): Promise<void> {
  const [row] = await sql.readOnce(encodingSql);
  if (row?.encoding === 'UTF8') return;
  throw new AppError(
    'invalid',
    `the store ${sql.storeName} needs a database with the encoding UTF8; this one has ${row?.encoding}`,
  );
}

function missingStore(storeName: string): AppError {
  return new AppError('not_found', `there is no store at ${storeName}; "plugin-metrics import" makes one`);
}

function existingStore(storeName: string): AppError {
  return new AppError(
    'conflict',
    `there is a store at ${storeName} already; drop its schema plugin_metrics, or name another database`,
  );
}
