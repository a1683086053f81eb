/** The client that the package exports as `plugin-metrics/client`. It runs wherever `fetch` is. */
import { type HttpOptions, PluginMetricsHttp, pathOf } from './http.ts';
import {
  parseChart,
  parsePlugin,
  parsePluginList,
  parseRegistry,
  parseSoftwareList,
} from './parse-catalogue.ts';
import { parseTypedData } from './parse-chart-data.ts';
import type { Chart, ChartData, ChartRegistry, Plugin, PluginSummary, Software } from './types.ts';

export type { KnownChartType } from '../model/chart-types.ts';
export type { Fetch } from './http.ts';
export { PluginMetricsError, type Problem } from './plugin-metrics-error.ts';
export type { Clock } from './retry.ts';
export type * from './types.ts';

/** Options of a client. */
export type ClientOptions = HttpOptions;

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its retries and their waits. The call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `readChartData`. */
export interface ReadChartDataOptions<Type extends string> extends CallOptions {
  /** The number of points of a line, the latest ones; 1440 unless given. */
  readonly maxElements?: number | undefined;
  /** The type of the chart. The data is checked against it, and typed by it. */
  readonly type?: Type | undefined;
}

/** A server of the interface (interface.md 4). Every method throws PluginMetricsError. */
export class PluginMetricsClient {
  readonly #http: PluginMetricsHttp;

  /** @param baseUrl URL in front of `/api/v1`: `https://metrics.example.org`, or one with a path */
  constructor(baseUrl: string | URL, options?: ClientOptions) {
    this.#http = new PluginMetricsHttp(baseUrl, options);
  }

  /** All plugins. */
  async listPlugins(options?: CallOptions): Promise<readonly PluginSummary[]> {
    return parsePluginList(await this.#http.get(pathOf('plugins'), options));
  }

  /** One plugin with its charts. */
  async getPlugin(id: number, options?: CallOptions): Promise<Plugin> {
    return parsePlugin(await this.#http.get(pathOf('plugins', id), options));
  }

  /** The charts of a plugin, by chart id. */
  async listCharts(id: number, options?: CallOptions): Promise<ChartRegistry> {
    return parseRegistry(await this.#http.get(pathOf('plugins', id, 'charts'), options));
  }

  /** One chart. */
  async getChart(id: number, chartId: string, options?: CallOptions): Promise<Chart> {
    return parseChart(await this.#http.get(pathOf('plugins', id, 'charts', chartId), options));
  }

  /**
   * The data of a chart, typed by `type`. The points of a line are in ascending order of time; those without a value are left
   * out.
   */
  async readChartData<Type extends string = string>(
    id: number,
    chartId: string,
    { maxElements, type, signal }: ReadChartDataOptions<Type> = {},
  ): Promise<ChartData<Type>> {
    const query = maxElements === undefined ? '' : `?maxElements=${maxElements}`;
    const path = pathOf('plugins', id, 'charts', chartId, 'data');
    return parseTypedData(await this.#http.get(path, { query, signal }), type);
  }

  /** All server software. */
  async listSoftware(options?: CallOptions): Promise<readonly Software[]> {
    return parseSoftwareList(await this.#http.get(pathOf('software'), options));
  }
}
