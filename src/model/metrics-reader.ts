/** The port for reading a store. Every call sees one state of the store, never two mixed. */
import type { ReadChartData } from './chart-data.ts';
import type { LatestPoint } from './latest-point.ts';
import type { RecordSource } from './metrics-record.ts';
import type { PluginChart, PluginDetail, PluginSummary } from './plugin.ts';
import type { Software } from './software.ts';

/**
 * What a write changes. `catalogue`: software, owners, plugins or charts. `data`: anything at all, so that it also
 * differs when the catalogue does.
 */
export type ChangeScope = 'catalogue' | 'data';

/** How many plugins a batch of the list holds at most: about a millisecond of work. */
export const pluginsPerBatch = 128;

/** A store as its readers see it. Every method may reject with AppError `unavailable`. */
export interface MetricsReader extends RecordSource, AsyncDisposable {
  /**
   * A number that changes once a write has changed this part of the store, in the next turn of the event loop at the
   * latest; cheap enough to ask for once in each turn. Both change when another store has taken the place of this one.
   */
  generation(of: ChangeScope): number;
  /**
   * A number that is the same before and after several reads only if all of them saw one state of the store. It may change
   * without a write. It costs nothing beside a read in the same turn of the event loop. Throws AppError `unavailable`.
   */
  readState(): number;
  /**
   * How long the store has been unreachable, in milliseconds; 0 while it answers. Meanwhile `generation` does not
   * change, so that cached responses can be sent with their age.
   */
  unreachableMs(): number;
  /** All software, by ascending id. */
  listSoftware(): Promise<readonly Software[]>;
  /**
   * All plugins by ascending id, in batches of bounded size. All come from one state of the store, however slowly the
   * batches are taken.
   */
  listPlugins(): AsyncIterable<readonly PluginSummary[]>;
  /**
   * The latest point of every line chart with one of these ids, of all plugins, by ascending plugin id, then chart id
   * bytewise. Charts without points are left out. Batches are of bounded size, empty ones among them, and of one state
   * of the store. Taking a batch throws AppError `unavailable` where the store is damaged.
   */
  listLatestPoints(chartIds: readonly string[]): AsyncIterable<readonly LatestPoint[]>;
  /** One plugin with its charts. Rejects with `not_found`. */
  getPlugin(pluginId: number): Promise<PluginDetail>;
  /** One chart. Rejects with `not_found`, saying whether plugin or chart is missing. */
  getChart(pluginId: number, chartId: string): Promise<PluginChart>;
  /**
   * The data of one chart; of a line chart the latest `latestCount` points, in ascending order of time. Rejects with
   * `not_found`; taking a run throws AppError `unavailable` where the store is damaged.
   */
  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData>;
}
