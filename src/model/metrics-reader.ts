/** The port that answers are read through. Every call sees one state of the store, never two mixed. */
import type { Chart } from './chart.ts';
import type { ChartData } from './chart-data.ts';
import type { RecordSource } from './metrics-record.ts';
import type { PluginDetail, PluginSummary } from './plugin.ts';
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
   * A number that differs from the one before once a write has changed what is asked about, in the next turn of the
   * event loop at the latest; cheap enough to ask once in each turn. Both differ when another store has
   * taken the place of this one.
   */
  generation(of: ChangeScope): number;
  /**
   * For how long the store has been out of reach, in milliseconds; 0 while it answers. Meanwhile `generation`
   * stays what it was, so that what is cached can be answered as being this old.
   */
  unreachableMs(): number;
  /** All software, by ascending id. */
  listSoftware(): Promise<readonly Software[]>;
  /**
   * All plugins by ascending id, in batches of bounded size. All are of one state of the store, however slowly they
   * are taken.
   */
  listPlugins(): AsyncIterable<readonly PluginSummary[]>;
  /** One plugin with its charts. Rejects with `not_found`. */
  getPlugin(pluginId: number): Promise<PluginDetail>;
  /** One chart. Rejects with `not_found`, saying whether plugin or chart is missing. */
  getChart(pluginId: number, chartId: string): Promise<Chart>;
  /**
   * The data of one chart; of a line the latest `latestCount` points, in ascending order of time.
   * Rejects with `not_found`.
   */
  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ChartData>;
}
