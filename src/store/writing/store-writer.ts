/** Writes a store: one transaction, all or nothing. */
import { AppError, placed } from '../../model/app-error.ts';
import type { ChartName } from '../../model/catalogue.ts';
import { shapeOf } from '../../model/chart-forms.ts';
import { chartTypes } from '../../model/chart-types.ts';
import { latestTimestampAt } from '../../model/future-points.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { FreeIds, StoredChart, StoreWriter, WriteOptions } from '../../model/metrics-writer.ts';
import { noteChange } from '../note-change.ts';
import { StoreView } from '../reading/store-view.ts';
import { isOfWindow } from '../removed-windows.ts';
import { chartKey } from '../rows.ts';
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
import { everyChart, everyPlugin, tables } from '../tables.ts';
import { applyRecords } from './apply-records.ts';
import { changesCatalogue, type Known, type KnownChart } from './changes.ts';
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
    await checkGlobalPlugins(this.#tables);
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

  async #import(records: readonly MetricsRecord[]): Promise<void> {
    if (await importBatch(this.#tables, records, this.#options)) this.#isCatalogueChanged = true;
  }
}

/**
 * Imports records.
 * @returns true if they changed the catalogue.
 * @throws AppError like {@link applyRecords}, and like {@link checkGlobalPlugins} at the end of the source.
 */
async function importBatch(
  tables: ImportTables,
  records: readonly MetricsRecord[],
  { latestTimestamp = latestTimestampAt(Date.now()), ...options }: WriteOptions,
): Promise<boolean> {
  const changes = applyRecords(await loadKnown(tables, records), records, {
    ...options,
    latestTimestamp,
  });
  await tables.write(changes);
  const end = records.find((record) => record.kind === 'end');
  if (end !== undefined) {
    try {
      await checkGlobalPlugins(tables);
    } catch (error) {
      throw placed(error, end.place);
    }
  }
  return changesCatalogue(changes);
}

/** Checks that all global plugins exist. @throws AppError `invalid`. */
async function checkGlobalPlugins(tables: ImportTables): Promise<void> {
  const open = await tables.findOpenGlobalPlugin();
  if (open !== undefined)
    throw new AppError(
      'invalid',
      `software ${open.id} names the global plugin ${open.globalPluginId}, which does not exist`,
    );
}

async function loadKnown(tables: ImportTables, records: readonly MetricsRecord[]): Promise<Known> {
  const software = { ids: new Set<number>(), urls: new Set<string>() };
  const owners = new Set<number>();
  const plugins = new Set<number>();
  const renamed = new Set<number>();
  const uids = new Set<number>();
  const charts = new Map<string, ChartName>();
  const series = new Map<string, ChartName>();
  // Charts whose windows must be loaded.
  const windowed = new Map<string, ChartName>();
  const removals: ChartName[] = [];
  for (const record of records) {
    if (record.kind === 'software') {
      software.ids.add(record.software.id);
      software.urls.add(record.software.url);
    } else if (record.kind === 'plugin') {
      plugins.add(record.plugin.id);
      software.ids.add(record.plugin.softwareId);
      owners.add(record.plugin.owner.id);
      removals.push({ pluginId: record.plugin.id, chartId: everyChart });
    } else if (record.kind === 'oldName') {
      plugins.add(record.oldName.pluginId);
      renamed.add(record.oldName.pluginId);
    } else if (record.kind === 'chart') {
      const name = { pluginId: record.pluginId, chartId: record.chart.chartId };
      charts.set(chartKey(name), name);
      removals.push(name);
      uids.add(record.chart.uid);
      plugins.add(record.pluginId);
    } else if (record.kind === 'data' || record.kind === 'history') series.set(chartKey(record), record);
    else if (record.kind === 'event') plugins.add(record.pluginId);
    else if (record.kind === 'removal') {
      const { pluginId = everyPlugin, chartId = everyChart } = record.removal;
      const name = { pluginId, chartId };
      removals.push(name);
      if (isOfWindow(record.removal)) windowed.set(chartKey(name), name);
    }
  }
  for (const [key, name] of series) windowed.set(key, name);
  for (const key of charts.keys()) series.delete(key);
  const known: KnownChart[] = [];
  if (charts.size > 0)
    for (const { chart, hasData } of await tables.findCharts(charts.values(), uids))
      known.push({ ...chart.asStored(), hasData, row: chart });
  if (series.size > 0)
    for (const chart of await tables.findChartsOfData([...series.values()]))
      known.push({ ...chart, hasData: false });
  const isDated = records.some((record) => record.kind === 'data' && record.at !== undefined);
  const shown = isDated ? await findShownTimes(tables, known) : undefined;
  // The plugin of a data record is needed only if the chart is missing, to say in the error which of the two
  // is missing.
  const found = new Set(known.map(chartKey));
  for (const [key, { pluginId }] of series) if (!found.has(key)) plugins.add(pluginId);
  return {
    software: software.ids.size === 0 ? [] : await tables.findSoftware(software),
    owners: owners.size === 0 ? [] : await tables.findOwners(owners),
    plugins: plugins.size === 0 ? [] : await tables.findPlugins(plugins),
    oldNames: renamed.size === 0 ? [] : await tables.findOldNames(renamed),
    windows: windowed.size === 0 ? [] : await tables.findWindows(windowed.values()),
    removals: removals.length === 0 ? [] : await tables.findRemovals(removals),
    charts: shown === undefined ? known : known.map((chart) => ({ ...chart, ...shown.get(chart.uid) })),
  };
}

/**
 * Finds the times of the data that charts show. If the row of the data is damaged, the last time of the
 * history is used instead.
 */
async function findShownTimes(
  tables: ImportTables,
  charts: readonly KnownChart[],
): Promise<ReadonlyMap<number, Pick<KnownChart, 'shownAt' | 'damage'>>> {
  const found = new Map<number, Pick<KnownChart, 'shownAt' | 'damage'>>();
  const damaged = new Map<number, AppError>();
  const uids = charts.map(({ uid }) => uid);
  for (const { uid, snapshot } of charts.length === 0 ? [] : await tables.findShown(uids)) {
    if (snapshot.isIntact) found.set(uid, { shownAt: snapshot.intact().at });
    else damaged.set(uid, snapshot.damage());
  }
  if (damaged.size > 0) {
    const lastTimes = await tables.findLastTimes(damaged.keys());
    for (const [uid, damage] of damaged) found.set(uid, { shownAt: lastTimes.get(uid) ?? null, damage });
  }
  return found;
}
