/** Reads of a store in one transaction. */

import { unknownPlugin } from '../../model/app-error.ts';
import {
  type Chart,
  maxId,
  type OldName,
  type PluginChart,
  type PluginSummary,
  type Software,
} from '../../model/catalogue.ts';
import type { ReadChartData, ShareFacts, StoredSpan } from '../../model/chart-data.ts';
import { shapeOf, storageOf } from '../../model/chart-forms.ts';
import type { Columns } from '../../model/columns.ts';
import {
  eventsPerBatch,
  type MetricsView,
  oldNamesPerBatch,
  pluginsPerBatch,
} from '../../model/metrics-reader.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type {
  ListedSoftware,
  OwnerNow,
  PluginList,
  PluginListRequest,
  PluginPlace,
} from '../../model/plugin-list.ts';
import { type DataWindow, maxTimestamp } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { release } from '../../runtime/releasable-memory.ts';
import {
  type Chunk,
  chunkLimits,
  countTimes,
  decodeChunk,
  decodeLatest,
  decodeOuterNames,
  isOfLine,
} from '../../series/chunk.ts';
import { loadShareFacts } from '../facts/share-rows.ts';
import { findPlace, readPluginList } from '../lists/list-plugins.ts';
import {
  findOwnerNamed,
  findPluginNamed,
  listNamesakes,
  listSoftwareNow,
  loadOwnerNow,
} from '../lists/lists-now.ts';
import { missingChart } from '../missing.ts';
import { chartOf, eventOf, oldNameOf, pluginSummaryOf, shownOf, softwareOf, spanOfRow } from '../rows.ts';
import { idsIn, keyList, keysetPages, lineTypesSql, type PagedStatement, paged, type Sql } from '../sql.ts';
import { column, flag, type Statement, statement } from '../statement.ts';
import { pluginColumns, pluginJoins, type Row, tables } from '../tables.ts';
import { chartBatches } from './chart-batches.ts';
import { newestTimes } from './newest-times.ts';
import { storedRecords } from './stored-records.ts';

const softwareSql = statement`
  select ${tables.software.all}, ${tables.plugin.ifAny('plugin')}
  from software left join plugin on plugin.id = software.global_plugin_id
  order by software.id`;

const pluginsSql = (where: string) =>
  statement`select ${pluginColumns} from plugin ${pluginJoins} where ${where}`;
const pluginSql = pluginsSql('plugin.id = ?1');
const pluginPageSql = paged(pluginsSql('plugin.id > ?1 order by plugin.id'), pluginsPerBatch);

const oldNamesSql = paged(
  statement`select ${tables.oldName.all} from old_name
  where (plugin_id, name) > (?1, ?2) and plugin_id <= ?3
  order by plugin_id, name`,
  oldNamesPerBatch,
);

const chartSql = statement`
  select ${tables.chart.all}, ${tables.plugin.as('plugin')},
    exists (select 1 from event where event.plugin_id = chart.plugin_id) as ${column('hasEvents', flag)}
  from chart left join plugin on plugin.id = chart.plugin_id
  where chart.plugin_id = ?1 and chart.chart_id = ?2`;

const shownSql = statement`
  select ${tables.chart.all}, ${tables.snapshot.ifAny('snapshot')}
  from chart left join snapshot on snapshot.chart_uid = chart.uid
  where chart.plugin_id = ?1 and chart.chart_id = ?2`;

const spansSql = statement`
  select ${tables.chartNow.all} from chart_now where chart_uid in ${idsIn(1)}`;

const eventsSql = paged(
  statement`select ${tables.event.all} from event
  where (time, title) > (?1, ?2) and plugin_id = ?3
  order by time, title`,
  eventsPerBatch,
);

/** Selects the chunks of a chart that begin after a time and may overlap a window. */
const windowSql = statement`
  select ${tables.chunk.all} from chunk
  where chart_uid = ?2 and first_timestamp > ?1 and first_timestamp < ?4 and first_timestamp >= coalesce(
    (select max(first_timestamp) from chunk where chart_uid = ?2 and first_timestamp <= ?3), ?3)
  order by first_timestamp`;
const linePageSql = paged(windowSql, 256);
const [oneChunkSql, fewChunksSql] = [paged(windowSql, 1), paged(windowSql, 4)];

/**
 * A chunk of many shares with long names may take megabytes. Chunks of at least this size are read one by
 * one.
 */
const largeChunkBytes = 128 * 1024;

/** Chooses the statement for the next page of share chunks by the sizes on the previous page. */
function historyPageSql(before?: ReadonlyArray<Row<'chunk'>>): PagedStatement<Row<'chunk'>> {
  const areSmall = before?.every(({ bytes }) => bytes.length < largeChunkBytes);
  return areSmall ? fewChunksSql : oneChunkSql;
}

/** A view of the state that a transaction sees. */
export class StoreView implements MetricsView {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async listSoftware(): Promise<readonly Software[]> {
    return (await this.#sql.read(softwareSql)).map(softwareOf);
  }

  async *listPlugins(): AsyncGenerator<readonly PluginSummary[]> {
    for await (const page of keysetPages(this.#sql, pluginPageSql, { id: 0 }))
      yield page.map(pluginSummaryOf);
  }

  async *listOldNames(pluginId?: number): AsyncGenerator<readonly OldName[]> {
    const start = { pluginId: pluginId ?? 0, name: '' };
    for await (const page of keysetPages(this.#sql, oldNamesSql, start, pluginId ?? maxId))
      yield page.map(oldNameOf);
  }

  records(chartsOf?: ReadonlySet<number>): AsyncIterable<readonly MetricsRecord[]> {
    return storedRecords(this.#sql, chartsOf);
  }

  listNewestTimes(until: number): AsyncIterable<number> {
    return newestTimes(this.#sql, until);
  }

  findPlugins(request: PluginListRequest): Promise<PluginList> {
    return readPluginList(this.#sql, request);
  }

  listSoftwareNow(): Promise<readonly ListedSoftware[]> {
    return listSoftwareNow(this.#sql);
  }

  loadOwnerNow(ownerId: number): Promise<OwnerNow | undefined> {
    return loadOwnerNow(this.#sql, ownerId);
  }

  findPluginNamed(softwareUrl: string, name: string): Promise<PluginSummary | undefined> {
    return findPluginNamed(this.#sql, softwareUrl, name);
  }

  findOwnerNamed(name: string): Promise<number | undefined> {
    return findOwnerNamed(this.#sql, name);
  }

  listNamesakes(plugin: PluginSummary, maxCount: number): Promise<readonly PluginSummary[]> {
    return listNamesakes(this.#sql, plugin, maxCount);
  }

  findPlace(pluginId: number, maxCount: number): Promise<PluginPlace | undefined> {
    return findPlace(this.#sql, pluginId, maxCount);
  }

  async getPlugin(pluginId: number): Promise<PluginSummary> {
    const [row] = await this.#sql.read(pluginSql, pluginId);
    if (row === undefined) throw unknownPlugin(pluginId);
    return pluginSummaryOf(row);
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return chartBatches(this.#sql, pluginId);
  }

  async getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    const [row] = await this.#sql.read(chartSql, pluginId, chartId);
    if (row === undefined) throw await missingChart(this.#sql, pluginId, chartId);
    return { ...chartOf(row), pluginName: row.plugin.name, hasEvents: row.hasEvents };
  }

  async readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    let limit = firstChunkLimit(latestCount);
    for (;;) {
      const rows = await this.#sql.read(dataSql(this.#sql.engine, limit), pluginId, chartId);
      if (rows.length === 0) throw await missingChart(this.#sql, pluginId, chartId);
      const chunks = rows
        .flatMap(({ chunk }) => chunk ?? [])
        .filter(isLineChunk)
        .reverse();
      // Only a line has line chunks, so its type need not be read.
      if (chunks.length === 0) return this.#readShown(pluginId, chartId);
      const timeCount = countTimes(chunks);
      // Late points may have split chunks, which then contain fewer points: select more of them.
      if (chunks.length === limit && timeCount < latestCount) limit *= 4;
      else
        return {
          storage: 'points',
          pointCount: Math.min(timeCount, latestCount),
          runs: decodeLatest(chunks, latestCount),
        };
    }
  }

  /** Reads the data of a chart without points. */
  async #readShown(pluginId: number, chartId: string): Promise<ReadChartData> {
    const [row] = await this.#sql.read(shownSql, pluginId, chartId);
    if (row === undefined) throw await missingChart(this.#sql, pluginId, chartId);
    const { storage, emptyData } = shapeOf(row.type);
    if (storage === 'points') return { storage, pointCount: 0, runs: decodeLatest([], 0) };
    const { snapshot } = row;
    const shown = snapshot === null ? { json: emptyData, at: null } : shownOf(snapshot);
    return { storage, ...shown, isStored: snapshot !== null };
  }

  async findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, StoredSpan>> {
    const rows = await this.#sql.read(spansSql, keyList(uids));
    return new Map(rows.map((row) => [row.chartUid, spanOfRow(row)]));
  }

  loadShareFacts(uid: number): Promise<ShareFacts | undefined> {
    return loadShareFacts(this.#sql, uid);
  }

  async *listShareNames(uid: number): AsyncGenerator<readonly string[]> {
    const always = { from: -maxTimestamp, to: maxTimestamp + 1 };
    for await (const chunks of this.#chunksWithin(historyPageSql, uid, always))
      for (const chunk of chunks) yield decodeOuterNames(chunk);
  }

  async *listEvents(pluginId: number): AsyncGenerator<readonly PluginEvent[]> {
    for await (const page of keysetPages(this.#sql, eventsSql, { time: -1, title: '' }, pluginId))
      yield page.map(eventOf);
  }

  async *readColumns(
    { uid, type }: Pick<Chart, 'uid' | 'type'>,
    window: DataWindow,
  ): AsyncGenerator<Columns> {
    const isLine = storageOf(type) === 'points';
    for await (const chunks of this.#chunksWithin(isLine ? linePageSql : historyPageSql, uid, window))
      if (isLine) yield* decodeLatest(chunks.filter(isLineChunk), Number.POSITIVE_INFINITY);
      else
        for (const chunk of chunks) {
          const columns = decodeChunk(chunk);
          if (!isOfLine(chunk)) yield columns;
        }
  }

  /**
   * Yields the chunks that may overlap a window, in ascending pages. A page is valid until the next one is
   * requested.
   */
  async *#chunksWithin(
    pageSql: Parameters<typeof keysetPages<Row<'chunk'>>>[1],
    uid: number,
    { from, to }: DataWindow,
  ): AsyncGenerator<Chunk[]> {
    const pages = keysetPages(this.#sql, pageSql, { firstTimestamp: -maxTimestamp }, uid, from, to);
    for await (const page of pages) {
      await nextTurn();
      yield page;
      // Memory is released at once; otherwise the bytes of thousands of rows would wait for the garbage
      // collector.
      for (const { bytes } of page) release(bytes);
    }
  }
}

/**
 * True for a chunk of a line.
 * @throws AppError `unavailable` if the chunk is damaged, because it may belong to a line.
 */
function isLineChunk(chunk: Chunk): boolean {
  if (isOfLine(chunk)) return true;
  decodeChunk(chunk);
  return false;
}

/** Largest number of latest points for which the last chunk nearly always suffices. */
const maxPointsOfOne = 32;

/**
 * The number of chunks to select first for a number of latest points: a power of 4, so that there are few
 * statements. Most chunks but the last are full.
 */
function firstChunkLimit(latestCount: number): number {
  if (latestCount <= maxPointsOfOne) return 1;
  const chunkCount = Math.ceil(latestCount / chunkLimits.maxTimes) + 1;
  return 4 ** Math.ceil(Math.log2(chunkCount) / 2);
}

/** The statements of {@link dataSql} by engine and limit. */
const dataSqls = new Map<string, Statement<{ readonly chunk: Row<'chunk'> | null }>>();

/**
 * Renders the statement of a chart with its latest chunks, if it is a line. The limit is part of the text,
 * because SQLite plans a statement again for each bound limit. PostgreSQL needs a lateral join, which SQLite
 * lacks, to read no other chunks.
 */
function dataSql(engine: Sql['engine'], limit: number) {
  const key = `${engine} ${limit}`;
  let found = dataSqls.get(key);
  if (found === undefined) {
    const ofLine = `chunk.chart_uid = chart.uid and chart.type in (${lineTypesSql})`;
    const latest = `order by first_timestamp desc limit ${limit}`;
    const [chunks, end] =
      engine === 'sqlite'
        ? [`chunk on ${ofLine}`, latest]
        : [
            `lateral (select * from chunk where ${ofLine} ${latest}) as chunk on true`,
            'order by first_timestamp desc',
          ];
    found = statement`
      select ${tables.chunk.ifAny('chunk')}
      from chart left join ${chunks}
      where chart.plugin_id = ?1 and chart.chart_id = ?2
      ${end}`;
    dataSqls.set(key, found);
  }
  return found;
}
