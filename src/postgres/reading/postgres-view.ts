/** Reads of the store on a server, through a pool of connections or in the transaction of a snapshot. */
import { type AppError, unknownChart, unknownPlugin } from '../../model/app-error.ts';
import type { Chart } from '../../model/chart.ts';
import type { ChartSpan, ReadChartData } from '../../model/chart-data.ts';
import { shapeOf } from '../../model/data-shapes.ts';
import { maxId } from '../../model/identifier.ts';
import { trustedJson } from '../../model/json-text.ts';
import type { LatestPoint, TimeWindow } from '../../model/metrics-reader.ts';
import { type ChangeScope, type MetricsView, pluginsPerBatch } from '../../model/metrics-reader.ts';
import type { OldName, PluginChart, PluginSummary } from '../../model/plugin.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { Points } from '../../model/points.ts';
import type { ShareHistory } from '../../model/share-history.ts';
import type { Software } from '../../model/software.ts';
import {
  type Chunk,
  chunkLimits,
  countTimes,
  decodeChunk,
  decodeLatest,
  isOfLine,
} from '../../series/chunk.ts';
import { chartKey } from '../../store/apply-records.ts';
import { chartBatches } from '../../store/chart-batches.ts';
import { newestTimeOf } from '../../store/keeping/count-series.ts';
import {
  chunkOf,
  eventOf,
  integer,
  latestPointsOf,
  oldNameOf,
  pluginChartOf,
  pluginSummaryOf,
  type Row,
  softwareOf,
  spansOf,
  text,
} from '../../store/rows.ts';
import { keysetPages, type RowSource, smallestKey } from '../keyset-pages.ts';
import * as sql from './postgres-statements.ts';

/**
 * Cache of the uids of charts, by which data is selected and sharded. A uid never changes, but another store may have replaced
 * this one: the statement checks the uid.
 */
export class KnownUids {
  readonly #uids = new Map<string, number>();

  find(pluginId: number, chartId: string): number | undefined {
    return this.#uids.get(chartKey(pluginId, chartId));
  }

  add(pluginId: number, chartId: string, uid: number): void {
    if (this.#uids.size >= maxKnownUids) this.#uids.clear();
    this.#uids.set(chartKey(pluginId, chartId), uid);
  }
}

/** The most uids kept in memory, some hundred bytes each. */
const maxKnownUids = 100_000;

/** Parts of a view. */
interface PostgresViewOptions {
  readonly rows: RowSource;
  readonly uids: KnownUids;
  readonly generation: (of: ChangeScope) => number;
}

/** A view. Its lists take several statements, and see one state only in one transaction. */
export class PostgresView implements MetricsView {
  readonly #rows: RowSource;
  readonly #uids: KnownUids;
  readonly generation: (of: ChangeScope) => number;

  constructor({ rows, uids, generation }: PostgresViewOptions) {
    this.#rows = rows;
    this.#uids = uids;
    this.generation = generation;
  }

  async listSoftware(): Promise<readonly Software[]> {
    // Without software there is one row, with the generation alone.
    return (await this.#rows.query(sql.software, [])).filter((row) => row['id'] !== null).map(softwareOf);
  }

  async *listPlugins(): AsyncGenerator<readonly PluginSummary[]> {
    for await (const page of keysetPages(this.#rows, sql.pluginsPage, { id: smallestKey })) {
      for (let start = 0; start < page.length; start += pluginsPerBatch)
        yield page.slice(start, start + pluginsPerBatch).map(pluginSummaryOf);
    }
  }

  async *listOldNames(pluginId?: number): AsyncGenerator<readonly OldName[]> {
    const start = { plugin_id: pluginId ?? smallestKey, name: '' };
    const pages = keysetPages(this.#rows, sql.oldNamesPage, start, [pluginId ?? maxId]);
    for await (const page of pages) yield page.map(oldNameOf);
  }

  async *listLatestPoints(chartIds: readonly string[]): AsyncGenerator<readonly LatestPoint[]> {
    const pages = keysetPages(this.#rows, sql.latestPointsPage, { id: smallestKey }, [chartIds]);
    for await (const page of pages) yield latestPointsOf(page);
  }

  async *listNewestTimes(until: number): AsyncGenerator<number> {
    for await (const page of keysetPages(this.#rows, sql.lastChunksPage, { uid: smallestKey }, [until])) {
      const newest = newestTimeOf(page, until);
      if (newest !== undefined) yield newest;
    }
  }

  async getPlugin(pluginId: number): Promise<PluginSummary> {
    const [row] = await this.#rows.query(sql.plugin, [pluginId]);
    if (row?.['id'] == null) throw unknownPlugin(pluginId);
    return pluginSummaryOf(row);
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return chartBatches({
      loadKeys: (afterChartId) => this.#rows.query(sql.chartKeys, [pluginId, afterChartId]),
      loadRows: (uids) => this.#rows.query(sql.charts, [uids]),
    });
  }

  async getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    const [row] = await this.#rows.query(sql.chart, [pluginId, chartId]);
    if (row?.['uid'] == null) throw missing(row, pluginId, chartId);
    return pluginChartOf(row);
  }

  async readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    const wanted = { pluginId, chartId, latestCount };
    const known = this.#uids.find(pluginId, chartId);
    if (known !== undefined) {
      const found = await this.#loadData({ ...wanted, uid: known });
      if (found !== undefined) return found;
    }
    const uid = await this.#findUid(pluginId, chartId);
    const found = await this.#loadData({ ...wanted, uid });
    if (found !== undefined) return found;
    throw unknownChart(pluginId, chartId);
  }

  async findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, ChartSpan>> {
    return spansOf(await this.#rows.query(sql.spans, [uids]));
  }

  async *listEvents(pluginId: number): AsyncGenerator<readonly PluginEvent[]> {
    const pages = keysetPages(this.#rows, sql.eventsPage, { time: smallestKey, title: '' }, [pluginId]);
    for await (const page of pages) yield page.map(eventOf);
  }

  async *readPoints(uid: number, window: TimeWindow): AsyncGenerator<Points> {
    for await (const page of this.#windowPages(uid, window, 256))
      yield* decodeLatest(page.filter(isOfLine), Number.POSITIVE_INFINITY);
  }

  async *readHistory(uid: number, window: TimeWindow): AsyncGenerator<ShareHistory> {
    // A chunk of shares may have some hundred KB.
    for await (const page of this.#windowPages(uid, window, 16))
      for (const chunk of page) if (!isOfLine(chunk)) yield decodeChunk(chunk);
  }

  async *#windowPages(
    uid: number,
    { from, to }: TimeWindow,
    rowCount: number,
  ): AsyncGenerator<readonly Chunk[]> {
    for (let after = smallestKey, isMore = true; isMore; ) {
      const rows = await this.#rows.query(sql.windowPage, [uid, from, to, after, rowCount]);
      const page = rows.map(chunkOf);
      if (page.length > 0) yield page;
      isMore = page.length === rowCount;
      after = page.at(-1)?.firstTimestamp ?? after;
    }
  }

  async #findUid(pluginId: number, chartId: string): Promise<number> {
    const [row] = await this.#rows.query(sql.uid, [pluginId, chartId]);
    if (row?.['uid'] == null) throw missing(row, pluginId, chartId);
    const uid = integer(row['uid']);
    this.#uids.add(pluginId, chartId, uid);
    return uid;
  }

  /** Loads the data of a chart; undefined if its uid is another one. */
  async #loadData(wanted: {
    readonly uid: number;
    readonly pluginId: number;
    readonly chartId: string;
    readonly latestCount: number;
  }): Promise<ReadChartData | undefined> {
    const { uid, pluginId, chartId, latestCount } = wanted;
    // Most chunks are full, except for the latest.
    let rowLimit = Math.min(Math.ceil(latestCount / chunkLimits.maxTimes) + 1, maxRowLimit);
    for (;;) {
      const rows = await this.#rows.query(sql.data, [uid, pluginId, chartId, rowLimit]);
      const [first] = rows;
      if (first?.['type'] == null) return undefined;
      const { storage, emptyData } = shapeOf(text(first['type']));
      if (storage === 'snapshot')
        return {
          storage,
          json: first['json'] === null ? emptyData : trustedJson(text(first['json'])),
          at: first['at'] === null ? null : integer(first['at']),
        };
      const chunks = chunksOf(rows);
      // Chunks that were split by late points hold less: then more of them are selected, again with one statement.
      if (chunks.length === rowLimit && rowLimit < maxRowLimit && countTimes(chunks) < latestCount)
        rowLimit = Math.min(4 * rowLimit, maxRowLimit);
      else
        return {
          storage,
          pointCount: Math.min(countTimes(chunks), latestCount),
          runs: decodeLatest(chunks, latestCount),
        };
    }
  }
}

/** A limit above the number of chunks of any series. */
const maxRowLimit = 1_000_000_000;

/** Makes chunks in ascending order from rows that have the latest first. */
function chunksOf(rows: readonly Row[]): Chunk[] {
  return rows
    .filter((row) => row['bytes'] !== null)
    .map(chunkOf)
    .reverse();
}

function missing(row: Row | undefined, pluginId: number, chartId: string): AppError {
  return row?.['is_plugin_known'] === true ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
}
