/** Reads of one connection to the embedded store. */
import type { StatementSync } from 'node:sqlite';
import { type AppError, unknownChart, unknownPlugin } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import type { ReadChartData } from '../model/chart-data.ts';
import { chartTypeOf } from '../model/chart-types.ts';
import { trustedJson } from '../model/json-text.ts';
import type { LatestPoint } from '../model/latest-point.ts';
import type { ChangeScope, MetricsView } from '../model/metrics-reader.ts';
import type { PluginChart, PluginSummary } from '../model/plugin.ts';
import type { Software } from '../model/software.ts';
import { type Chunk, decodeRuns, pointCountOf } from '../series/chunk.ts';
import { chartBatches } from '../store/chart-batches.ts';
import {
  chunkOfChart,
  integer,
  latestPointsOf,
  pluginChartOf,
  pluginSummaryOf,
  type Row,
  softwareOf,
  text,
} from '../store/rows.ts';
import { guarded } from './sqlite-database.ts';
import type { DataRow, ReaderStatements } from './sqlite-statements.ts';

/** The connection of a view. */
export interface ViewConnection {
  /** The statements, to be run at once. */
  readonly statements: ReaderStatements;
  generation(of: ChangeScope): number;
}

/** Reads through a connection; what they see is decided by its transaction. */
export class SqliteView implements MetricsView {
  readonly #path: string;
  readonly #connection: ViewConnection;

  constructor(path: string, connection: ViewConnection) {
    this.#path = path;
    this.#connection = connection;
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

  async *listLatestPoints(chartIds: readonly string[]): AsyncGenerator<readonly LatestPoint[]> {
    for await (const page of this.#pluginPages('latestPoints', JSON.stringify(chartIds)))
      yield latestPointsOf(page);
  }

  async getPlugin(pluginId: number): Promise<PluginSummary> {
    const [row] = this.#all('plugin', pluginId);
    if (row === undefined) throw unknownPlugin(pluginId);
    return pluginSummaryOf(row);
  }

  listCharts(pluginId: number): AsyncIterable<readonly Chart[]> {
    return chartBatches({
      readKeys: async (afterChartId) => this.#all('chartKeys', pluginId, afterChartId),
      readRows: async (uids) => this.#all('charts', JSON.stringify(uids)),
    });
  }

  async getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    const [row] = this.#all('chart', pluginId, chartId);
    if (row === undefined) throw this.#missing(pluginId, chartId);
    return pluginChartOf(row);
  }

  async readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    const found = guarded(this.#path, () => this.#readData(pluginId, chartId, latestCount));
    if (found === undefined) throw this.#missing(pluginId, chartId);
    return found;
  }

  /** Each page begins behind the last plugin of the one before, so that no statement is left open in between. */
  async *#pluginPages(name: 'plugins' | 'latestPoints', ...values: string[]): AsyncGenerator<Row[]> {
    for (let after = 0; ; ) {
      const page = this.#all(name, after, ...values);
      const last = page.at(-1);
      if (last === undefined) return;
      yield page;
      after = integer(last['id']);
    }
  }

  #readData(pluginId: number, chartId: string, latestCount: number): ReadChartData | undefined {
    let typeName: string | undefined;
    let pointCount = 0;
    const chunks: Chunk[] = [];
    const rows = this.#connection.statements.data.iterate(pluginId, chartId);
    // Leaving the loop early ends the statement: rows that are not needed are not read.
    for (const [type, json, uid, firstTimestamp, bytes] of rows as Iterable<unknown> as Iterable<DataRow>) {
      typeName = text(type);
      const { storage, emptyData } = chartTypeOf(typeName);
      if (storage === 'snapshot')
        return { storage, json: json === null ? emptyData : trustedJson(text(json)) };
      if (bytes === null) break;
      const chunk = chunkOfChart(integer(uid), firstTimestamp, bytes);
      chunks.push(chunk);
      pointCount += pointCountOf(chunk);
      if (pointCount >= latestCount) break;
    }
    if (typeName === undefined) return undefined;
    return { storage: 'series', runs: decodeRuns(chunks.reverse(), latestCount) };
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
}
