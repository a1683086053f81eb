/** Writes a store: one transaction, all or nothing. */
import { AppError, placed } from '../../model/app-error.ts';
import { shapeOf } from '../../model/chart-forms.ts';
import { chartTypes } from '../../model/chart-types.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { FreeIds, StoredChart, StoreWriter, WriteOptions } from '../../model/metrics-writer.ts';
import { noteChange } from '../note-change.ts';
import { StoreView } from '../reading/store-view.ts';
import {
  keyList,
  keysetPages,
  lineTypesSql,
  paged,
  type Sql,
  smallestKey,
  type Transaction,
  textsIn,
} from '../sql.ts';
import { column, flag, statement } from '../statement.ts';
import { tables } from '../tables.ts';
import { applyRecords } from './apply-records.ts';
import { changesCatalogue } from './changes.ts';
import { ImportTables } from './import-tables.ts';

/**
 * Limits on the records and batches that are sent to a server together: a collector sends many short records,
 * an archive some long ones.
 */
const maxBufferedRecords = 1024;
const maxBufferedBatches = 16;

const emptyData = keyList(new Set(Object.keys(chartTypes).map((type): string => shapeOf(type).emptyData)));

const storedChartsSql = paged(
  statement`
  select ${tables.chart.all},
    type in (${lineTypesSql}) and exists (select 1 from chunk where chart_uid = uid)
      or exists (select 1 from snapshot where chart_uid = uid and (json not in ${textsIn(3)}
        or at is null and exists (select 1 from chunk where chart_uid = uid)))
      as ${column('hasData', flag)}
  from chart
  where (plugin_id, chart_id) > (?1, ?2)
  order by plugin_id, chart_id`,
  256,
);

const closedUntilSql = statement`select ${tables.collection.pick('closedUntil')} from collection where id = 1`;

/** A write transaction of a store. */
export class SqlWriter implements StoreWriter {
  readonly view: StoreWriter['view'];
  readonly #transaction: Transaction;
  readonly #sql: Sql;
  readonly #tables: ImportTables;
  readonly #options: WriteOptions;
  #isCatalogueChanged = false;
  #buffered: MetricsRecord[] = [];
  #batchCount = 0;
  /** Settles when the records in transit have been stored; further records are buffered meanwhile. */
  #sending: Promise<void> = Promise.resolve();

  /** @param transaction ends with the writer. */
  constructor(transaction: Transaction, options: WriteOptions = {}) {
    this.view = new StoreView(transaction.sql);
    this.#transaction = transaction;
    this.#sql = transaction.sql;
    this.#tables = new ImportTables(transaction.sql);
    this.#options = options;
  }

  findFreeIds(): Promise<FreeIds> {
    return this.#tables.findFreeIds();
  }

  async *listStoredCharts(): AsyncGenerator<readonly StoredChart[]> {
    const start = { pluginId: smallestKey, chartId: '' };
    for await (const page of keysetPages(this.#sql, storedChartsSql, start, emptyData)) yield page;
  }

  async getClosedUntil(): Promise<number> {
    const [collection] = await this.#sql.read(closedUntilSql);
    if (collection === undefined)
      throw new AppError('store-unavailable', 'the store is damaged: the table collection has no row');
    return collection.closedUntil;
  }

  markClosed(until: number): Promise<void> {
    return this.#sql.put(tables.collection, [{ id: 1, closedUntil: until }]);
  }

  async write(records: readonly MetricsRecord[]): Promise<void> {
    this.#buffered.push(...records);
    this.#batchCount++;
    // SQLite gains nothing from larger batches. After an end record everything is sent, which proves the
    // source to be good.
    const isAtOnce = this.#sql.engine === 'sqlite' || records.at(-1)?.kind === 'end';
    if (this.#buffered.length >= maxBufferedRecords || this.#batchCount >= maxBufferedBatches || isAtOnce)
      await this.#send();
    if (isAtOnce) await this.#sending;
  }

  async commit(): Promise<void> {
    await this.#send();
    await this.#sending;
    await this.#tables.checkGlobalPlugins();
    await this.#tables.end();
    await noteChange(this.#sql, { isCatalogueChanged: this.#isCatalogueChanged });
    await this.#transaction.commit();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sending.catch(() => {});
    await this.#transaction[Symbol.asyncDispose]();
  }

  /** Sends the buffered records, once the records before them have been stored. */
  async #send(): Promise<void> {
    await this.#sending;
    const records = this.#buffered;
    this.#buffered = [];
    this.#batchCount = 0;
    if (records.length === 0) return;
    this.#sending = this.#import(records);
    // The next call awaits this promise and its error.
    this.#sending.catch(() => {});
  }

  /**
   * Imports records.
   * @throws AppError like {@link applyRecords}, and for a missing global plugin at the end of the source.
   */
  async #import(records: readonly MetricsRecord[]): Promise<void> {
    const { latestTimestamp = latestTimestampAt(Date.now()), ...options } = this.#options;
    const known = await this.#tables.loadKnown(records);
    const changes = applyRecords(known, records, { ...options, latestTimestamp });
    await this.#tables.write(changes);
    if (changesCatalogue(changes)) this.#isCatalogueChanged = true;
    const end = records.find((record) => record.kind === 'end');
    if (end === undefined) return;
    try {
      await this.#tables.checkGlobalPlugins();
    } catch (error) {
      throw placed(error, end.place);
    }
  }
}
