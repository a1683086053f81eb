/** A write transaction on the server, which locks out other writers and numbers the state that it makes. */
import { randomInt } from 'node:crypto';
import { AppError } from '../model/app-error.ts';
import { batchOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { postgresFault } from './connection/postgres-fault.ts';
import { createIfMissing, existingStore, refuseExistingSchema, refuseMissing } from './postgres-schema.ts';

/** Longest wait of a writer for another one. */
const lockTimeoutSeconds = 60;

const analyzeSql = 'analyze plugin_metrics.chart, plugin_metrics.snapshot, plugin_metrics.chunk';

/** The store that a transaction requires: an existing one, a missing one, or either. */
type WantedStore = 'any' | 'existing' | 'missing';

/** A transaction on a connection of its own. Disposing of it without `commit` leaves the store as it was. */
export class PostgresTransaction implements AsyncDisposable {
  readonly #settings: PostgresSettings;
  /** The connection for its statements. */
  readonly connection: PostgresConnection;
  /** True if it creates the store. */
  #isNew = false;

  private constructor(settings: PostgresSettings, connection: PostgresConnection) {
    this.#settings = settings;
    this.connection = connection;
  }

  /**
   * Begins a transaction. It creates a missing store, unless an existing one is required.
   * @throws AppError `unavailable` if no server that accepts writes can be reached or another writer does not finish,
   *   `invalid` for a store of another version, `not_found` or `conflict` if the store is not as required.
   */
  static async begin(settings: PostgresSettings, wanted: WantedStore): Promise<PostgresTransaction> {
    const connection = await connect(settings, { ...batchOptions, sessionKind: 'read-write' });
    const transaction = new PostgresTransaction(settings, connection);
    try {
      await transaction.run(() => transaction.#begin(wanted));
      return transaction;
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  /** The name of the store in messages. */
  get storeName(): string {
    return this.#settings.name;
  }

  /** Runs work of the transaction and turns errors of the server into an AppError. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    }
  }

  /** Makes everything durable and visible. */
  async commit({ isCatalogueChanged }: { readonly isCatalogueChanged: boolean }): Promise<void> {
    const { connection } = this;
    await this.run(async () => {
      if (isCatalogueChanged)
        await connection.query('update plugin_metrics.generation set catalogue = token where id = 1');
      // Without statistics the planner knows nothing of tables that were just filled.
      if (this.#isNew) await connection.query(analyzeSql);
    });
    try {
      await connection.query('commit');
    } catch (error) {
      throw connection.isBroken ? this.#unknownOutcome(error) : postgresFault(error, this.#settings.name);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection.end();
  }

  async #begin(wanted: WantedStore): Promise<void> {
    const { connection } = this;
    await connection.query(`
      begin isolation level read committed;
      set local lock_timeout = '${lockTimeoutSeconds}s';
      -- A source may be slow; TCP keepalives show if the importer is still there.
      set local idle_in_transaction_session_timeout = 0;
      set local tcp_keepalives_idle = 30;
      set local tcp_keepalives_interval = 10;
      set local tcp_keepalives_count = 3;
      -- Chunks are always found by their key, even without statistics of tables that this transaction fills.
      set local enable_seqscan = off`);
    if (wanted === 'existing') await refuseMissing(connection, this.#settings.name);
    if (wanted === 'missing') await refuseExistingSchema(connection, this.#settings.name);
    this.#isNew = await createIfMissing(connection, this.#settings.name);
    // Another process may have made it while this one waited for the lock.
    if (wanted === 'missing' && !this.#isNew) throw existingStore(this.#settings.name);
    // The row is the lock between writers: the second one goes on from what the first one has committed.
    // A number that no other write has.
    const token = randomInt(2 ** 48 - 1);
    await connection.query(
      'update plugin_metrics.generation set value = value + 1, token = $1 where id = 1',
      [token],
    );
  }

  #unknownOutcome(cause: unknown): AppError {
    return new AppError(
      'unavailable',
      `the connection to the store ${this.#settings.name} was lost at the very end, so it is not known whether the change is stored; running it again does no harm`,
      { kind: 'store-unavailable', cause },
    );
  }
}
