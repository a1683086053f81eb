/** Reads of the embedded store on one connection. */

import type { StatementSync } from 'node:sqlite';
import { type AppError, unknownChart, unknownPlugin } from '../../model/app-error.ts';
import type { Chart } from '../../model/chart.ts';
import type { ChartSpan, ReadChartData } from '../../model/chart-data.ts';
import { type DataShape, shapeOf } from '../../model/data-shapes.ts';
import { maxId } from '../../model/identifier.ts';
import { trustedJson } from '../../model/json-text.ts';
import {
  type ChangeScope,
  eventsPerBatch,
  type LatestPoint,
  type MetricsView,
  type TimeWindow,
} from '../../model/metrics-reader.ts';
import type { OldName, PluginChart, PluginSummary } from '../../model/plugin.ts';
import type { PluginEvent } from '../../model/plugin-event.ts';
import type { Points } from '../../model/points.ts';
import type { ShareHistory } from '../../model/share-history.ts';
import type { Software } from '../../model/software.ts';
import {
  type Chunk,
  countTimes,
  decodeChunk,
  decodeLatest,
  isOfLine,
  timeCountOf,
} from '../../series/chunk.ts';
import { chartKey } from '../../store/apply-records.ts';
import { chartBatches } from '../../store/chart-batches.ts';
import { newestTimeOf } from '../../store/keeping/count-series.ts';
import {
  chunkOfChart,
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
import { guarded } from '../sqlite-database.ts';
import type { ReaderStatements } from './sqlite-statements.ts';
import { windowPages } from './window-rows.ts';

/** The connection of a view. */
export interface ViewConnection {
  /** The statements, valid for this turn of the event loop. */
  readonly statements: ReaderStatements;
  /** Returns the generation of the state that the statements see. */
  generation(of: ChangeScope): number;
}

/** The fields of a chart that a read of its data needs. */
interface KnownChart {
  readonly uid: number;
  readonly shape: DataShape;
}

/** The most charts kept in memory, some hundred bytes each. */
const maxKnownCharts = 25_000;

/** Cache of charts, for one generation of the catalogue: looking a chart up takes as long as reading its data. */
export class KnownCharts {
  readonly #charts = new Map<string, KnownChart>();
  #generation = Number.NEGATIVE_INFINITY;

  find(generation: number, key: string): KnownChart | undefined {
    return generation === this.#generation ? this.#charts.get(key) : undefined;
  }

  add(generation: number, key: string, chart: KnownChart): void {
    // An older generation must not replace the newest, nor must an unknown one (NaN).
    if (!(generation >= this.#generation)) return;
    if (generation !== this.#generation || this.#charts.size >= maxKnownCharts) this.#charts.clear();
    this.#generation = generation;
    this.#charts.set(key, chart);
  }
}

/** A view of the state that the transaction of its connection sees. */
export class SqliteView implements MetricsView {
  readonly #path: string;
  readonly #connection: ViewConnection;
  readonly #charts: KnownCharts;

  constructor(path: string, connection: ViewConnection, charts: KnownCharts) {
    this.#path = path;
    this.#connection = connection;
    this.#charts = charts;
  }

  generation(of: ChangeScope): number {
    return this.#connection.generation(of);
  }

  async listSoftware(): Promise<readonly Software[]> {
    return this.#all('software').map(softwareOf);
  }

  async *listPlugins(): AsyncGenerator<readonly PluginSummary[]> {
    for await (const page of this.#pluginPages('plugins')) yield page.map(pluginSummaryOf);
  }

  async *listOldNames(pluginId?: number): AsyncGenerator<readonly OldName[]> {
    for (let after: OldName = { pluginId: pluginId ?? 0, name: '' }; ; ) {
      const page = this.#all('oldNames', after.pluginId, after.name, pluginId ?? maxId).map(oldNameOf);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      if (page.length < eventsPerBatch) return;
      after = last;
    }
  }

  async *listLatestPoints(chartIds: readonly string[]): AsyncGenerator<readonly LatestPoint[]> {
    for await (const page of this.#pluginPages('latestPoints', JSON.stringify(chartIds)))
      yield latestPointsOf(page);
  }

  async *listNewestTimes(until: number): AsyncGenerator<number> {
    for (let after = 0; ; ) {
      const page = this.#all('lastChunks', after, until);
      const last = page.at(-1);
      if (last === undefined) return;
      const newest = newestTimeOf(page, until);
      if (newest !== undefined) yield newest;
      after = integer(last['uid']);
    }
  }

  async getPlugin(pluginId: number): Promise<PluginSummary> {
    const [row] = this.#all('plugin', pluginId);
    if (row === undefined) throw unknownPlugin(pluginId);
    return pluginSummaryOf(row);
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return chartBatches({
      loadKeys: async (afterChartId) => this.#all('chartKeys', pluginId, afterChartId),
      loadRows: async (uids) => this.#all('charts', JSON.stringify(uids)),
    });
  }

  async getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    const [row] = this.#all('chart', pluginId, chartId);
    if (row === undefined) throw this.#missing(pluginId, chartId);
    return pluginChartOf(row);
  }

  readChartData(pluginId: number, chartId: string, latestCount: number): ReadChartData {
    const { uid, shape } = this.#knownChart(pluginId, chartId);
    if (shape.storage === 'series') {
      const chunks = guarded(this.#path, () => this.#loadChunks(uid, latestCount));
      const pointCount = Math.min(countTimes(chunks), latestCount);
      return { storage: 'series', pointCount, runs: decodeLatest(chunks, latestCount) };
    }
    const [row] = this.#all('snapshot', uid);
    return {
      storage: 'snapshot',
      json: row === undefined ? shape.emptyData : trustedJson(text(row['json'])),
      at: row === undefined || row['at'] === null ? null : integer(row['at']),
    };
  }

  async findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, ChartSpan>> {
    const rows = this.#named('spans', { uids: JSON.stringify(uids) });
    return spansOf(rows);
  }

  async *listEvents(pluginId: number): AsyncGenerator<readonly PluginEvent[]> {
    for (let after = { time: -1, title: '' }; ; ) {
      const page = this.#all('events', pluginId, after.time, after.title).map(eventOf);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      if (page.length < eventsPerBatch) return;
      after = last;
    }
  }

  async *readPoints(uid: number, window: TimeWindow): AsyncGenerator<Points> {
    for (const page of this.#windowPages(uid, window))
      yield* decodeLatest(page.filter(isOfLine), Number.POSITIVE_INFINITY);
  }

  async *readHistory(uid: number, window: TimeWindow): AsyncGenerator<ShareHistory> {
    for (const page of this.#windowPages(uid, window))
      for (const chunk of page) if (!isOfLine(chunk)) yield decodeChunk(chunk);
  }

  #windowPages(uid: number, window: TimeWindow): Iterable<readonly Chunk[]> {
    const statements = () => this.#connection.statements;
    return windowPages({ statements, path: this.#path, uid }, window);
  }

  /** Yields pages that each begin after the last plugin of the one before, so that no statement stays open between them. */
  async *#pluginPages(name: 'plugins' | 'latestPoints', ...values: string[]): AsyncGenerator<Row[]> {
    for (let after = 0; ; ) {
      const page = this.#all(name, after, ...values);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      after = integer(last['id']);
    }
  }

  /** @throws AppError `not_found`. */
  #knownChart(pluginId: number, chartId: string): KnownChart {
    const chart = this.#findChart(pluginId, chartId);
    if (chart === undefined) throw this.#missing(pluginId, chartId);
    return chart;
  }

  #findChart(pluginId: number, chartId: string): KnownChart | undefined {
    const key = chartKey(pluginId, chartId);
    const generation = this.#connection.generation('catalogue');
    const known = this.#charts.find(generation, key);
    if (known !== undefined) return known;
    const [row] = this.#all('chartType', pluginId, chartId);
    if (row === undefined) return undefined;
    const chart = { uid: integer(row['uid']), shape: shapeOf(text(row['type'])) };
    this.#charts.add(generation, key, chart);
    return chart;
  }

  /** Loads the latest chunks with at least `latestCount` points, in ascending order. */
  #loadChunks(uid: number, latestCount: number): Chunk[] {
    const chunks: Chunk[] = [];
    let pointCount = 0;
    for (const [firstTimestamp, bytes] of this.#chunkRows(uid, latestCount)) {
      const chunk = chunkOfChart(uid, firstTimestamp, bytes);
      chunks.push(chunk);
      pointCount += timeCountOf(chunk);
      // Leaving the loop ends the statement, so that no further rows are read.
      if (pointCount >= latestCount) break;
    }
    return chunks.reverse();
  }

  /** Selects chunks, the latest first. */
  #chunkRows(uid: number, latestCount: number): Iterable<readonly [unknown, unknown]> {
    const { latestChunk, chunks } = this.#connection.statements;
    if (latestCount > 1) return chunks.iterate(uid) as Iterable<unknown> as Iterable<[unknown, unknown]>;
    const row: unknown = latestChunk.get(uid);
    return row === undefined ? [] : [row as [unknown, unknown]];
  }

  #missing(pluginId: number, chartId: string): AppError {
    const isKnown = this.#all('isKnown', pluginId).length > 0;
    return isKnown ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
  }

  #all(name: keyof ReaderStatements, ...values: (number | string)[]): Row[] {
    return guarded(this.#path, () => {
      const statement: StatementSync = this.#connection.statements[name];
      return statement.all(...values);
    });
  }

  #named(name: keyof ReaderStatements, values: Readonly<Record<string, number | string>>): Row[] {
    return guarded(this.#path, () => this.#connection.statements[name].all(values));
  }
}
