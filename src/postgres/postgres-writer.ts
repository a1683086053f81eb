/** Writes the store on a server: one transaction, which sends many records at once. */
import type { MetricsRecord } from '../model/metrics-record.ts';
import type {
  FreeIds,
  MetricsWriter,
  StoredChart,
  StoreWriter,
  WriteOptions,
} from '../model/metrics-writer.ts';
import { emptyDataTexts, storedChartsPerPage } from '../store/collection.ts';
import { freeIdsOf } from '../store/free-ids.ts';
import { checkGlobalPlugins, importBatch } from '../store/import-batch.ts';
import { integer, storedChartOf } from '../store/rows.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { Statement } from './connection/postgres-connection.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { PostgresTables } from './postgres-tables.ts';
import { PostgresTransaction } from './postgres-transaction.ts';

/** Records and batches that are sent together: thousands of a collector's short records, or some of an archive's long ones. */
const maxBufferedRecords = 1024;
const maxBufferedBatches = 16;

/**
 * Begins a write transaction, which creates a missing store. Writers wait for one another.
 * @throws AppError `unavailable` if no server that accepts writes can be reached or another writer does not finish, `invalid`
 *   for a store of another version.
 */
export async function openPostgresWriter(
  settings: PostgresSettings,
  options: WriteOptions = {},
): Promise<StoreWriter> {
  return new PostgresWriter(await PostgresTransaction.begin(settings, 'any'), options);
}

/**
 * Begins to write a new store.
 * @throws AppError as {@link openPostgresWriter}; `conflict` if the schema of a store exists already.
 */
export async function openNewPostgresWriter(
  settings: PostgresSettings,
  options: WriteOptions = {},
): Promise<MetricsWriter> {
  return new PostgresWriter(await PostgresTransaction.begin(settings, 'missing'), options);
}

const storedChartsSql = `
  select plugin_id, chart_id, type, settings,
    exists (select from plugin_metrics.chunk where chart_uid = uid)
      or exists (select from plugin_metrics.snapshot where chart_uid = uid and json <> all ($3)) as has_data
  from plugin_metrics.chart
  where (plugin_id, chart_id) > ($1, $2)
  order by plugin_id, chart_id
  limit ${storedChartsPerPage}`;

class PostgresWriter implements StoreWriter {
  readonly #transaction: PostgresTransaction;
  readonly #tables: PostgresTables;
  readonly #options: WriteOptions;
  #isCatalogueChanged = false;
  #buffered: MetricsRecord[] = [];
  #batchCount = 0;
  /** Settles when the records that are being sent have been stored; further ones are buffered meanwhile. */
  #sending: Promise<void> = Promise.resolve();

  constructor(transaction: PostgresTransaction, options: WriteOptions) {
    this.#transaction = transaction;
    this.#options = options;
    this.#tables = new PostgresTables(transaction.connection, transaction.storeName);
  }

  async findFreeIds(): Promise<FreeIds> {
    return freeIdsOf(await this.#transaction.run(() => this.#tables.findLargestIds()));
  }

  async *listStoredCharts(): AsyncGenerator<readonly StoredChart[]> {
    const { connection } = this.#transaction;
    const source = {
      query: (sql: string | Statement, values: readonly unknown[]) =>
        this.#transaction.run(() => connection.query(sql, values)),
    };
    const pages = keysetPages(source, storedChartsSql, { plugin_id: smallestKey, chart_id: '' }, [
      emptyDataTexts,
    ]);
    for await (const page of pages) yield page.map(storedChartOf);
  }

  async getClosedUntil(): Promise<number> {
    const sql = 'select closed_until from plugin_metrics.collection where id = 1';
    const [row] = await this.#transaction.run(() => this.#transaction.connection.query(sql));
    return integer(row?.['closed_until']);
  }

  async markClosed(until: number): Promise<void> {
    const sql = 'update plugin_metrics.collection set closed_until = $1 where id = 1';
    await this.#transaction.run(() => this.#transaction.connection.query(sql, [until]));
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    this.#buffered.push(...records);
    this.#batchCount++;
    const isEnd = records.at(-1)?.kind === 'end';
    if (this.#buffered.length >= maxBufferedRecords || this.#batchCount >= maxBufferedBatches || isEnd)
      await this.#send();
    // After an end record nothing is left to send, so that the source is known to be good.
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

  /** Begins to send the buffered records when those before them have been stored. */
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
