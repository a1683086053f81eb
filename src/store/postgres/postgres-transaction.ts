/** Transactions on connections of their own, which may run for long. */
import type pg from 'pg';
import type { Transaction } from '../sql.ts';
import type { WantedStore } from '../wanted-store.ts';
import {
  batchOptions,
  endClient,
  isConnectionLost,
  openClient,
  postgresFault,
  unavailableStore,
} from './postgres-client.ts';
import { checkVersion, prepareStore } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { PostgresSql, settingsSql } from './postgres-sql.ts';

const beginReadingSql = `begin isolation level repeatable read read only; select ${settingsSql()}`;

const writerSettings = {
  // Longest wait for another writer.
  lock_timeout: '60s',
  // A source may be slow; with these settings the server notices whether the importer still runs.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};
const beginWritingSql = `begin isolation level read committed; select ${settingsSql(writerSettings)}`;

const lockSql =
  'insert into generation (id, data, catalogue) values (1, 0, 0) on conflict (id) do update set id = 1';

/** Time after which a waiting writer reports that it waits. */
const saidWaitingMs = 1000;

/** Begins to read the whole store. @throws AppError like `openClient` and `checkVersion`. */
export async function beginPostgresRead(settings: PostgresSettings): Promise<Transaction> {
  return PostgresTransaction.begin(settings, async ({ sql }) => {
    await sql.runAll(beginReadingSql);
    await checkVersion(sql);
  });
}

/**
 * Begins to write, and creates a missing store unless an existing one is wanted.
 * @throws AppError like `openClient` and `prepareStore`; `unavailable` if another writer does not end.
 */
export async function beginPostgresWrite(
  settings: PostgresSettings,
  wanted: WantedStore,
  onWait = () => {},
): Promise<Transaction> {
  return PostgresTransaction.begin(settings, async (transaction) => {
    const { sql } = transaction;
    await sql.runAll(beginWritingSql);
    // Only a wait for another writer takes this long.
    const waiting = setTimeout(onWait, saidWaitingMs);
    try {
      transaction.isNew = await prepareStore(sql, wanted);
      // The row is the lock between writers. The second writer continues from the state that the first has
      // committed, which may have another version.
      await Promise.all([sql.runAll(lockSql), checkVersion(sql)]);
    } finally {
      clearTimeout(waiting);
    }
  });
}

/**
 * Begins to write a store of any version, after waiting for another writer.
 * @param check refuses, before the wait, a store that must not be upgraded.
 * @throws AppError like `openClient` and `check`.
 */
export async function beginPostgresUpgrade(
  settings: PostgresSettings,
  check: (sql: PostgresSql) => Promise<void>,
): Promise<Transaction & { readonly sql: PostgresSql }> {
  return PostgresTransaction.begin(settings, async ({ sql }) => {
    await sql.runAll(beginWritingSql);
    await check(sql);
    await sql.runAll(lockSql);
  });
}

class PostgresTransaction implements Transaction {
  readonly #client: pg.Client;
  readonly sql: PostgresSql;
  /** True if the transaction creates the store. */
  isNew = false;

  private constructor(client: pg.Client, storeName: string) {
    this.#client = client;
    this.sql = new PostgresSql(client, storeName);
  }

  static async begin(
    settings: PostgresSettings,
    start: (transaction: PostgresTransaction) => Promise<void>,
  ): Promise<PostgresTransaction> {
    const client = await openClient(settings, batchOptions);
    const transaction = new PostgresTransaction(client, settings.name);
    try {
      await start(transaction);
      return transaction;
    } catch (error) {
      await transaction[Symbol.asyncDispose]();
      throw error;
    }
  }

  async commit(): Promise<void> {
    // Without statistics, the planner knows nothing about tables that were just filled.
    if (this.isNew) await this.sql.runAll('analyze chart, snapshot, chunk');
    this.sql.end();
    const { storeName } = this.sql;
    const ended = this.#client.query('commit').catch((error) => {
      if (!isConnectionLost(error)) throw postgresFault(error, storeName);
      const unknown =
        'was lost at the very end, so it is not known whether the change is stored; running it again does no harm';
      throw unavailableStore(storeName, unknown, error);
    });
    // After a failed statement, the server answers `commit` with a rollback, and without an error.
    if ((await ended).command !== 'COMMIT')
      throw unavailableStore(storeName, 'was not changed: a statement had failed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sql.end();
    await endClient(this.#client);
  }
}
