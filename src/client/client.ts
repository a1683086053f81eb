/**
 * The client: the package `plugin-metrics-client`, also exported as `plugin-metrics/client`. It runs wherever
 * `fetch` is available.
 */

import type { KnownChartType } from '../model/chart-types.ts';
import { type HttpOptions, PluginMetricsHttp, pathOf, queryOf, v2PathOf } from './http.ts';
import {
  parseChart,
  parseEventList,
  parseInsights,
  parsePlugin,
  parsePluginList,
  parsePluginNow,
  parsePluginPage,
  parseRegistry,
  parseSeriesSet,
  parseSoftwareList,
  parseSoftwareNowList,
  parseTypedData,
} from './parse-answers.ts';
import type { Chart, ChartData, ChartRegistry, Plugin, PluginSummary, Software } from './types.ts';
import type {
  ArchiveOptions,
  ChartNow,
  CsvOptions,
  EventWindow,
  Insights,
  MetricsSelection,
  PluginEvent,
  PluginNow,
  PluginPage,
  PluginPageQuery,
  SeriesCsvSelection,
  SeriesSelection,
  SeriesSet,
  SoftwareNow,
} from './types-v2.ts';

export type { KnownChartType } from '../model/chart-types.ts';
export type { Fetch } from './http.ts';
export { PluginMetricsError, type Problem } from './plugin-metrics-error.ts';
export type { Clock } from './retry.ts';
export type * from './types.ts';
export type * from './types-v2.ts';

/** Options of a client. */
export type ClientOptions = HttpOptions;

/** Options that every call accepts. */
export interface CallOptions {
  /** Aborts the call, including its retries and waits. The call then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `readChartData`. */
export interface ReadChartDataOptions<Type extends string> extends CallOptions {
  /** Number of latest points of a line; 1440 by default. */
  readonly maxElements?: number | undefined;
  /** Type of the chart: determines how the data is checked and typed. */
  readonly type?: Type | undefined;
}

/** Client of one server of the interface (interface.md 4). Every method throws PluginMetricsError. */
export class PluginMetricsClient {
  readonly #http: PluginMetricsHttp;

  /** @param baseUrl URL before `/api/v1`, such as `https://metrics.example.org`; it may have a path. */
  constructor(baseUrl: string | URL, options?: ClientOptions) {
    this.#http = new PluginMetricsHttp(baseUrl, options);
  }

  /** Lists all plugins. */
  async listPlugins(options?: CallOptions): Promise<readonly PluginSummary[]> {
    return parsePluginList(await this.#http.get(pathOf('plugins'), options));
  }

  /** Gets one plugin with its charts. */
  async getPlugin(id: number, options?: CallOptions): Promise<Plugin> {
    return parsePlugin(await this.#http.get(pathOf('plugins', id), options));
  }

  /** Lists the charts of a plugin, by chart id. */
  async listCharts(id: number, options?: CallOptions): Promise<ChartRegistry> {
    return parseRegistry(await this.#http.get(pathOf('plugins', id, 'charts'), options));
  }

  /** Gets one chart. */
  async getChart(id: number, chartId: string, options?: CallOptions): Promise<Chart> {
    return parseChart(await this.#http.get(pathOf('plugins', id, 'charts', chartId), options));
  }

  /**
   * Reads the data of a chart, typed by `type`. The points of a line are sorted by time; points without a
   * value are omitted.
   */
  async readChartData<Type extends string = string>(
    id: number,
    chartId: string,
    { maxElements, type, signal }: ReadChartDataOptions<Type> = {},
  ): Promise<ChartData<Type>> {
    const query = queryOf({ maxElements });
    const path = pathOf('plugins', id, 'charts', chartId, 'data');
    return parseTypedData(await this.#http.get(path, { query, signal }), type);
  }

  /** Lists all server software. */
  async listSoftware(options?: CallOptions): Promise<readonly Software[]> {
    return parseSoftwareList(await this.#http.get(pathOf('software'), options));
  }

  /** Lists a page of plugins, found by name, software or owner, with their newest values (`/api/v2`). */
  async listPluginPage({ signal, ...query }: PluginPageQuery & CallOptions = {}): Promise<PluginPage> {
    const selection = queryOf({ ...query, ids: idsOf(query.ids) });
    const answer = await this.#http.get(v2PathOf('plugins'), { query: selection, signal });
    return parsePluginPage(answer, query.after);
  }

  /** Yields pages, from the first one or `after` to the last one; each is requested on demand (`/api/v2`). */
  async *readPluginPages(options: PluginPageQuery & CallOptions = {}): AsyncGenerator<PluginPage, void> {
    for (let after = options.after; ; ) {
      const page = await this.listPluginPage({ ...options, after });
      yield page;
      if (page.next === null) return;
      after = page.next;
    }
  }

  /** Gets one plugin with the newest data of its charts, and its events (`/api/v2`). */
  async getPluginNow(id: number, options?: CallOptions): Promise<PluginNow> {
    return parsePluginNow(await this.#http.get(v2PathOf('plugins', id), options));
  }

  /** Lists the events of a plugin within a time window, ordered by time (`/api/v2`). */
  async listEvents(
    id: number,
    { signal, ...query }: EventWindow & CallOptions = {},
  ): Promise<readonly PluginEvent[]> {
    const path = v2PathOf('plugins', id, 'events');
    return parseEventList(await this.#http.get(path, { query: queryOf(query), signal }));
  }

  /** Lists all server software with its number of plugins and its newest number of servers (`/api/v2`). */
  async listSoftwareNow(options?: CallOptions): Promise<readonly SoftwareNow[]> {
    return parseSoftwareNowList(await this.#http.get(v2PathOf('software'), options));
  }

  /** Reads the insights of a plugin: changes, standing, versions, releases (`/api/v2`). */
  async readInsights(id: number, options?: CallOptions): Promise<Insights> {
    return parseInsights(await this.#http.get(v2PathOf('plugins', id, 'insights'), options));
  }

  /**
   * Reads points of lines and histories of shares over a window; all series share the same times (`/api/v2`).
   */
  async readSeries({ signal, ...query }: SeriesSelection & CallOptions): Promise<SeriesSet> {
    return parseSeriesSet(await this.#http.get(v2PathOf('series'), { query: queryOf(query), signal }));
  }

  /** Reads the same series as CSV: a column of times and one column per series (`/api/v2`). */
  readSeriesCsv({ signal, ...query }: SeriesCsvSelection & CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#http.open(v2PathOf('series.csv'), { query: queryOf(query), signal });
  }

  /** Reads the newest values of plugins as text for Prometheus (`/api/v2`). */
  async readMetrics({ signal, ...query }: MetricsSelection & CallOptions): Promise<string> {
    const selection = queryOf({ ...query, plugin: idsOf(query.plugin) });
    return (await this.#http.get(v2PathOf('metrics'), { query: selection, signal })).text;
  }

  /** Reads all points and histories of a plugin as CSV, one row per value (`/api/v2`). */
  readPluginCsv(
    id: number,
    { signal, ...query }: CsvOptions & CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#http.open(v2PathOf('plugins', id, 'export.csv'), { query: queryOf(query), signal });
  }

  /**
   * Reads everything about a plugin as an archive, which `import` accepts; `since` limits points and
   * histories to later times (`/api/v2`).
   */
  readPluginArchive(
    id: number,
    { signal, ...query }: ArchiveOptions & CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#http.open(v2PathOf('plugins', id, 'archive'), { query: queryOf(query), signal });
  }
}

/** Selects nothing by an empty list: no plugin has the id 0, and the server ignores an empty parameter. */
function idsOf(ids: readonly number[] | undefined): readonly number[] | undefined {
  return ids?.length === 0 ? [0] : ids;
}

/** Narrows a chart to a type, and with it the type of `latest`. */
export function isChartOfType<Type extends KnownChartType>(
  chart: ChartNow,
  type: Type,
): chart is ChartNow<Type> {
  return chart.type === type;
}
