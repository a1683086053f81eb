/** Transactions on a connection of their own, which may last. */
import type pg from 'pg';
import type { Transaction } from '../sql.ts';
import type { WantedStore } from '../wanted-store.ts';
import { batchOptions, endClient, openClient } from './postgres-client.ts';
import { isConnectionLost, postgresFault, unavailableStore } from './postgres-fault.ts';
import { checkVersion, prepareStore } from './postgres-schema.ts';
import type { PostgresSettings } from './postgres-settings.ts';
import { PostgresSql, settingsSql } from './postgres-sql.ts';

const beginReadingSql = `begin isolation level repeatable read read only; select ${settingsSql()}`;

const writerSettings = {
  // Longest wait for another writer.
  lock_timeout: '60s',
  // A source may be slow; the server sees by these that the importer is still there.
  tcp_keepalives_idle: '30',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
};
const beginWritingSql = `begin isolation level read committed; select ${settingsSql(writerSettings)}`;

const lockSql =
  'insert into generation (id, data, catalogue) values (1, 0, 0) on conflict (id) do update set id = 1';

/** Time after which a writer says that it waits. */
const saidWaitingMs = 1000;

/** Begins to read the whole store. @throws AppError as `openClient` and `checkVersion`. */
export async function beginPostgresRead(settings: PostgresSettings): Promise<Transaction> {
  const transaction = await PostgresTransaction.open(settings);
  return transaction.begin(async (sql) => {
    await sql.runAll(beginReadingSql);
    await checkVersion(sql);
  });
}

/**
 * Begins to write, and creates a missing store unless an existing one is wanted.
 * @throws AppError as `openClient` and `prepareStore`; `unavailable` if another writer does not end.
 */
export async function beginPostgresWrite(
  settings: PostgresSettings,
  wanted: WantedStore,
  onWait = () => {},
): Promise<Transaction> {
  const transaction = await PostgresTransaction.open(settings);
  return transaction.begin(async (sql) => {
    await sql.runAll(beginWritingSql);
    // Nothing else takes so long here.
    const waiting = setTimeout(onWait, saidWaitingMs);
    try {
      transaction.isNew = await prepareStore(sql, wanted);
      // The row is the lock between writers: the second one goes on from what the first one has committed, be it another version.
      await Promise.all([sql.runAll(lockSql), checkVersion(sql)]);
    } finally {
      clearTimeout(waiting);
    }
  });
}

/**
 * Begins to write a store of whatever version, and waits for another writer.
 * @param check refuses before that what must not be there.
 * @throws AppError as `openClient` and `check`.
 */
export async function beginPostgresUpgrade(
  settings: PostgresSettings,
  check: (sql: PostgresSql) => Promise<void>,
): Promise<Transaction & { readonly sql: PostgresSql }> {
  const transaction = await PostgresTransaction.open(settings);
  return transaction.begin(async (sql) => {
    await sql.runAll(beginWritingSql);
    await check(sql);
    await sql.runAll(lockSql);
  });
}

class PostgresTransaction implements Transaction {
  readonly #client: pg.Client;
  readonly sql: PostgresSql;
  /** True if it creates the store. */
  isNew = false;

  private constructor(client: pg.Client, storeName: string) {
    this.#client = client;
    this.sql = new PostgresSql(client, storeName);
  }

  static async open(settings: PostgresSettings): Promise<PostgresTransaction> {
    return new PostgresTransaction(await openClient(settings, batchOptions), settings.name);
  }

  async begin(start: (sql: PostgresSql) => Promise<void>): Promise<this> {
    try {
      await start(this.sql);
      return this;
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  async commit(): Promise<void> {
    // Without statistics the planner knows nothing of tables that were just filled.
    if (this.isNew) await this.sql.runAll('analyze chart, snapshot, chunk');
    this.sql.end();
    const { storeName } = this.sql;
    const ended = this.#client.query('commit').catch((error) => {
      if (!isConnectionLost(error)) throw postgresFault(error, storeName);
      const unknown =
        'was lost at the very end, so it is not known whether the change is stored; running it again does no harm';
      throw unavailableStore(storeName, unknown, error);
    });
    // After a statement that failed the server ends a transaction so, and without an error.
    if ((await ended).command !== 'COMMIT')
      throw unavailableStore(storeName, 'was not changed: a statement had failed');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sql.end();
    await endClient(this.#client);
  }
}
