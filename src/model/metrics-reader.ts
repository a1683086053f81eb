/** The ports for reading a store: a view of one of its states, and a reader that gives views. */
import type { Chart } from './chart.ts';
import type { ReadChartData } from './chart-data.ts';
import type { RecordSource } from './metrics-record.ts';
import type { PluginChart, PluginSummary } from './plugin.ts';
import type { Software } from './software.ts';

/**
 * The parts of a store whose changes are counted apart. `catalogue`: software, owners, plugins and charts. `data`: anything
 * at all, so that it also differs when the catalogue does.
 */
export type ChangeScope = 'catalogue' | 'data';

/** How many plugins a batch of the list holds at most: about a millisecond of work. */
export const pluginsPerBatch = 128;

/** A batch of charts ends at this many charts or bytes of settings, whichever comes first; one chart is always taken whole. */
export const chartsPerBatch = { maxCount: 64, maxBytes: 256 * 1024 } as const;

/** The newest point of a line chart. */
export interface LatestPoint {
  readonly pluginId: number;
  readonly chartId: string;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly value: number;
}

/** Reads of a store. Every method may reject with AppError `unavailable`. */
export interface MetricsView {
  /** The generation of what is read, as {@link MetricsReader.generation} counts it; NaN where that is not known. */
  generation(of: ChangeScope): number;
  /** All software, by ascending id. */
  listSoftware(): Promise<readonly Software[]>;
  /** All plugins by ascending id, in batches of bounded size. */
  listPlugins(): AsyncIterable<readonly PluginSummary[]>;
  /**
   * The latest point of every line chart with one of these ids, of all plugins, by ascending plugin id, then chart id
   * bytewise. Charts without points are left out. Batches are of bounded size, empty ones among them. Taking a batch throws
   * AppError `unavailable` where the store is damaged.
   */
  listLatestPoints(chartIds: readonly string[]): AsyncIterable<readonly LatestPoint[]>;
  /** One plugin. Rejects with `not_found`. */
  getPlugin(pluginId: number): Promise<PluginSummary>;
  /**
   * The charts of a plugin in registry order, by ascending position, then chart id bytewise, in batches of
   * {@link chartsPerBatch}, empty ones before the first where there are thousands. None for a plugin that is not there.
   */
  listCharts(pluginId: number): AsyncIterable<readonly Chart[]>;
  /** One chart. Rejects with `not_found`, saying whether plugin or chart is missing. */
  getChart(pluginId: number, chartId: string): Promise<PluginChart>;
  /**
   * The data of one chart; of a line chart the latest `latestCount` points, in ascending order of time. Rejects with
   * `not_found`; taking a run throws AppError `unavailable` where the store is damaged.
   */
  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData>;
}

/** A store as its readers see it. Each read of its own sees the newest state, and one state alone. */
export interface MetricsReader extends MetricsView, RecordSource, AsyncDisposable {
  /**
   * A number that changes once a write has changed this part of the store, in the next turn of the event loop at the
   * latest; cheap enough to ask for a thousand times a second. Both change when another store has taken the place of this one.
   */
  generation(of: ChangeScope): number;
  /**
   * Reads several things of one state: everything that is read through the view, however slowly, is of the state at the time
   * of the first read. The view is good until what is made of it ends, or is dropped.
   */
  snapshot<Part>(read: (view: MetricsView) => AsyncIterable<Part>): AsyncIterable<Part>;
  /**
   * How long the store has been unreachable, in milliseconds; 0 while it answers. Meanwhile `generation` does not
   * change, so that cached responses can be sent with their age.
   */
  unreachableMs(): number;
}
