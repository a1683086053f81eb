/** The store on a server as a writer: one transaction, in which many records go to the server at once. */
import { randomInt } from 'node:crypto';
import { AppError } from '../model/app-error.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter } from '../model/metrics-writer.ts';
import { checkGlobalPlugins, importBatch } from '../store/import-batch.ts';
import { batchOptions, connect } from './connection/connect.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { postgresFault } from './connection/postgres-fault.ts';
import { migrate } from './migrate.ts';
import { PostgresTables } from './postgres-tables.ts';

/** How long a writer waits for another one to finish before it gives up, in seconds. */
const lockTimeoutSeconds = 60;

/** What goes to the server together: a collector's short records by the thousand, an archive's long ones by weight. */
const maxBufferedRecords = 1024;
const maxBufferedBatches = 16;

/**
 * Begins a write transaction; a store that is not there is made by it. Writers wait for one another.
 * @throws AppError `unavailable` where no server that takes writes can be reached or another writer does not
 *   finish, `invalid` for a store of a newer version.
 */
export async function openPostgresWriter(settings: PostgresSettings): Promise<MetricsWriter> {
  const connection = await connect(settings, { ...batchOptions, sessionKind: 'read-write' });
  try {
    // A number that no other write has.
    const token = randomInt(2 ** 48 - 1);
    const isNew = await beginWriting(connection, { storeName: settings.name, token });
    return new PostgresWriter(settings, connection, { isNew, token });
  } catch (error) {
    await connection.end();
    throw postgresFault(error, settings.name);
  }
}

async function beginWriting(
  connection: PostgresConnection,
  { storeName, token }: { readonly storeName: string; readonly token: number },
): Promise<boolean> {
  await connection.query(`
    begin isolation level read committed;
    set local lock_timeout = '${lockTimeoutSeconds}s';
    -- A source may be slow; whether the importer still lives is told by the network.
    set local idle_in_transaction_session_timeout = 0;
    set local tcp_keepalives_idle = 30;
    set local tcp_keepalives_interval = 10;
    set local tcp_keepalives_count = 3;
    -- Chunks are always found by their key, whatever is known yet of a table that this transaction fills.
    set local enable_seqscan = off`);
  const isNew = await migrate(connection, storeName);
  // The row is the lock between writers: the second one goes on from what the first one has committed.
  await connection.query('update plugin_metrics.generation set value = value + 1, token = $1 where id = 1', [
    token,
  ]);
  return isNew;
}

/** What is known of the transaction from its beginning. */
interface Begun {
  /** Whether it makes the store. */
  readonly isNew: boolean;
  /** Names this write among all. */
  readonly token: number;
}

class PostgresWriter implements MetricsWriter {
  readonly #settings: PostgresSettings;
  readonly #connection: PostgresConnection;
  readonly #tables: PostgresTables;
  readonly #begun: Begun;
  #isCatalogueChanged = false;
  #buffered: MetricsRecord[] = [];
  #batchCount = 0;
  /** What the server is being sent while further records come in. */
  #sending: Promise<void> = Promise.resolve();

  constructor(settings: PostgresSettings, connection: PostgresConnection, begun: Begun) {
    this.#settings = settings;
    this.#connection = connection;
    this.#tables = new PostgresTables(connection);
    this.#begun = begun;
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    this.#buffered.push(...records);
    this.#batchCount++;
    const isEnd = records.at(-1)?.kind === 'end';
    if (this.#buffered.length >= maxBufferedRecords || this.#batchCount >= maxBufferedBatches || isEnd)
      await this.#send();
    // Nothing behind an end record waits with it: a source that has ended is known to be good.
    if (isEnd) await this.#working(() => this.#sending);
  }

  async commit(): Promise<void> {
    const connection = this.#connection;
    await this.#send();
    await this.#working(async () => {
      await this.#sending;
      await checkGlobalPlugins(this.#tables);
      if (this.#isCatalogueChanged)
        await connection.query('update plugin_metrics.generation set catalogue = token where id = 1');
      // A table that has just been filled is unknown to the planner until it has been looked at.
      if (this.#begun.isNew)
        await connection.query('analyze plugin_metrics.chart, plugin_metrics.snapshot, plugin_metrics.chunk');
    });
    try {
      await connection.query('commit');
    } catch (error) {
      throw this.#connection.isBroken
        ? this.#unknownOutcome(error)
        : postgresFault(error, this.#settings.name);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sending.catch(() => {});
    await this.#connection.end();
  }

  /** Begins to send what is buffered, once what was sent before has been taken. */
  async #send(): Promise<void> {
    await this.#working(() => this.#sending);
    const records = this.#buffered;
    this.#buffered = [];
    this.#batchCount = 0;
    if (records.length === 0) return;
    this.#sending = this.#import(records);
    // The next call awaits it.
    this.#sending.catch(() => {});
  }

  async #import(records: readonly MetricsRecord[]): Promise<void> {
    if (await importBatch(this.#tables, records)) this.#isCatalogueChanged = true;
  }

  async #working(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    }
  }

  #unknownOutcome(cause: unknown): AppError {
    return new AppError(
      'unavailable',
      `the connection to the store ${this.#settings.name} was lost at the very end, so it is not known whether the import is stored; running it again does no harm`,
      { kind: 'store-unavailable', cause },
    );
  }
}
