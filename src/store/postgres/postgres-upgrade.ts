/**
 * Upgrades a store on a server, in one transaction. Operators make a backup with the server's own tools
 * first.
 */
import { AppError } from '../../model/app-error.ts';
import type { Upgraded, UpgradeOptions } from '../../model/store.ts';
import { column, integer, statement } from '../statement.ts';
import { findReleased, refuseOtherVersion, storeVersion } from '../store-version.ts';
import type { UpgradeTransaction } from '../upgrade/step.ts';
import { upgradeStore } from '../upgrade/upgrade-store.ts';
import { postgresTypes, readVersion } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import type { PostgresSql } from './postgres-sql.ts';
import { beginPostgresUpgrade } from './postgres-transaction.ts';

// Programs name their connections plugin-metrics, unless the address of the store gives another name, and
// poll for changes four times a second. A pooler keeps connections after their program has ended.
const othersSql = statement`
  select count(*) as ${column('count', integer)} from pg_catalog.pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and application_name in ('plugin-metrics', current_setting('application_name'))
    and (state is distinct from 'idle' or state_change > clock_timestamp() - interval '5 seconds')`;

/** See `Store.upgrade`. */
export async function upgradePostgresStore(
  settings: PostgresSettings,
  { onProgress }: UpgradeOptions,
): Promise<Upgraded> {
  await using transaction = await beginPostgresUpgrade(settings, async (sql) => {
    if (findReleased(await readVersion(sql)) !== undefined) await refuseOthers(sql);
  });
  const { sql } = transaction;
  const version = await readVersion(sql);
  const released = findReleased(version);
  if (released === undefined) {
    refuseOtherVersion(version, sql.storeName);
    return { from: storeVersion, to: storeVersion };
  }
  const upgrade: UpgradeTransaction = {
    ...{ version: released, sql },
    createTable: (table) => sql.runAll(table.createSql(postgresTypes, '')),
    setVersion: (to) => sql.run('insert into migration (version) values (?1)', to),
    commit: () => transaction.commit(),
  };
  return await upgradeStore(upgrade, onProgress);
}

/** Refuses a store that other programs have open. @throws AppError `conflict`. */
async function refuseOthers(sql: PostgresSql): Promise<void> {
  const [{ count } = { count: 0 }] = await sql.read(othersSql);
  if (count === 0) return;
  throw new AppError(
    'conflict',
    `other programs have the store ${sql.storeName} open, with ${count} connections: stop what serves it, collects into it or writes it, and run this again`,
  );
}
