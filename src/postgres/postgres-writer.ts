/** The store on a server as a writer: one transaction, in which many records go to the server at once. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { MetricsWriter, WriteOptions } from '../model/metrics-writer.ts';
import { checkGlobalPlugins, importBatch } from '../store/import-batch.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import { PostgresTables } from './postgres-tables.ts';
import { PostgresTransaction } from './postgres-transaction.ts';

/** What goes to the server together: a collector's short records by the thousand, an archive's long ones by weight. */
const maxBufferedRecords = 1024;
const maxBufferedBatches = 16;

/**
 * Begins a write transaction; a store that is not there is made by it. Writers wait for one another.
 * @throws AppError `unavailable` where no server that takes writes can be reached or another writer does not
 *   finish, `invalid` for a store of a newer version.
 */
export async function openPostgresWriter(
  settings: PostgresSettings,
  options: WriteOptions = {},
): Promise<MetricsWriter> {
  return new PostgresWriter(await PostgresTransaction.begin(settings, 'any'), options);
}

/**
 * Begins to make a store.
 * @throws AppError as {@link openPostgresWriter}; `conflict` where there is anything of a store already.
 */
export async function openNewPostgresWriter(
  settings: PostgresSettings,
  options: WriteOptions = {},
): Promise<MetricsWriter> {
  return new PostgresWriter(await PostgresTransaction.begin(settings, 'missing'), options);
}

class PostgresWriter implements MetricsWriter {
  readonly #transaction: PostgresTransaction;
  readonly #tables: PostgresTables;
  readonly #options: WriteOptions;
  #isCatalogueChanged = false;
  #buffered: MetricsRecord[] = [];
  #batchCount = 0;
  /** What the server is being sent while further records come in. */
  #sending: Promise<void> = Promise.resolve();

  constructor(transaction: PostgresTransaction, options: WriteOptions) {
    this.#transaction = transaction;
    this.#options = options;
    this.#tables = new PostgresTables(transaction.connection, transaction.storeName);
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    this.#buffered.push(...records);
    this.#batchCount++;
    const isEnd = records.at(-1)?.kind === 'end';
    if (this.#buffered.length >= maxBufferedRecords || this.#batchCount >= maxBufferedBatches || isEnd)
      await this.#send();
    // Nothing behind an end record waits with it: a source that has ended is known to be good.
    if (isEnd) await this.#transaction.run(() => this.#sending);
  }

  async commit(): Promise<void> {
    await this.#send();
    await this.#transaction.run(async () => {
      await this.#sending;
      await checkGlobalPlugins(this.#tables);
    });
    await this.#transaction.commit({ isCatalogueChanged: this.#isCatalogueChanged });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sending.catch(() => {});
    await this.#transaction[Symbol.asyncDispose]();
  }

  /** Begins to send what is buffered, once what was sent before has been taken. */
  async #send(): Promise<void> {
    await this.#transaction.run(() => this.#sending);
    const records = this.#buffered;
    this.#buffered = [];
    this.#batchCount = 0;
    if (records.length === 0) return;
    this.#sending = this.#import(records);
    // The next call awaits it.
    this.#sending.catch(() => {});
  }

  async #import(records: readonly MetricsRecord[]): Promise<void> {
    if (await importBatch(this.#tables, records, this.#options)) this.#isCatalogueChanged = true;
  }
}
