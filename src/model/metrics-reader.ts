/** The ports that a store is read through: a view of one state, and a reader of the newest state that opens views. */
import type { Chart } from './chart.ts';
import type { ReadChartData, ShareFacts, StoredSpan } from './chart-data.ts';
import type { Columns } from './columns.ts';
import type { RecordSource } from './metrics-record.ts';
import type { OldName, PluginChart, PluginSummary } from './plugin.ts';
import type { PluginEvent } from './plugin-event.ts';
import type { ListedSoftware, OwnerNow, PluginList, PluginListRequest, PluginPlace } from './plugin-list.ts';
import type { Software } from './software.ts';
import type { DataWindow } from './window.ts';

/**
 * A part of a store that has a generation. `catalogue`: software, owners, plugins and charts. `data`: the whole store,
 * the catalogue included.
 */
export type ChangeScope = 'catalogue' | 'data';

/** The most plugins in a batch of the list: about a millisecond of work. */
export const pluginsPerBatch = 128;

/** The most old names in a batch. */
export const oldNamesPerBatch = 512;

/** The most events in a batch. */
export const eventsPerBatch = 256;

/** The most charts, and bytes of settings, in a batch of charts. A chart with larger settings is a batch of its own. */
export const chartsPerBatch = { maxCount: 64, maxBytes: 256 * 1024 } as const;

/** Reads of a store. Every method may reject with `unavailable`. */
export interface MetricsView {
  /** Lists all software by ascending id. */
  listSoftware(): Promise<readonly Software[]>;
  /** Lists all plugins by ascending id, in batches of at most {@link pluginsPerBatch}. */
  listPlugins(): AsyncIterable<readonly PluginSummary[]>;
  /** Lists the names that a plugin had, or all plugins, by plugin id, then name bytewise, in batches of bounded size. */
  listOldNames(pluginId?: number): AsyncIterable<readonly OldName[]>;
  /**
   * Lists the newest time at or before `until`, in Unix milliseconds, of each batch of lines that have points by then: to be asked seldom. Taking a batch throws AppError `unavailable` if the store is damaged.
   */
  listNewestTimes(until: number): AsyncIterable<number>;
  /** Finds a list of plugins. */
  findPlugins(request: PluginListRequest): Promise<PluginList>;
  /** Lists all software with their latest numbers by ascending id. */
  listSoftwareNow(): Promise<readonly ListedSoftware[]>;
  /** Adds up the plugins of an owner; undefined for an unknown one. */
  loadOwnerNow(ownerId: number): Promise<OwnerNow | undefined>;
  /**
   * Finds the plugin with this name on this software, ignoring case, or else with spaces for its plus signs, as some write a plus sign for a space; or
   * else one that had it. If there are several, the one with the lowest id counts.
   */
  findPluginNamed(softwareUrl: string, name: string): Promise<PluginSummary | undefined>;
  /** Finds the id of the owner with this name in the same way. */
  findOwnerNamed(name: string): Promise<number | undefined>;
  /** Lists plugins of the same owner with the same name on other software by ascending id, at most `maxCount`; global plugins do not count. */
  listNamesakes(plugin: PluginSummary, maxCount: number): Promise<readonly PluginSummary[]>;
  /**
   * Finds the place of a plugin by servers among those of its software, without global ones; undefined for a plugin without servers, and for a
   * global one. Counts end above `maxCount`.
   */
  findPlace(pluginId: number, maxCount: number): Promise<PluginPlace | undefined>;
  /** Gets one plugin. Rejects with `not_found`. */
  getPlugin(pluginId: number): Promise<PluginSummary>;
  /**
   * Lists the charts of a plugin by ascending position, then chart id bytewise, in batches of {@link chartsPerBatch}. For a
   * plugin with thousands of charts, the first batches are empty. Lists nothing for an unknown plugin.
   */
  listCharts(pluginId: number): AsyncIterable<readonly Chart[]>;
  /** Gets one chart. Rejects with `not_found`, which says if the plugin or the chart is missing. */
  getChart(pluginId: number, chartId: string): Promise<PluginChart>;
  /**
   * Reads the data of one chart; of a line chart the latest `latestCount` points, in ascending order of time. Rejects with
   * `not_found`. Taking a run throws AppError `unavailable` if the store is damaged. The runs can be taken after the view has ended.
   */
  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData>;
  /**
   * Finds the times of the points or the history of charts by their uid, of {@link chartsPerBatch} or fewer. Charts that have none, or
   * are not there, are left out.
   */
  findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, StoredSpan>>;
  /** Loads the facts of a chart of shares by its uid; undefined for one that has no history or is not there. */
  loadShareFacts(uid: number): Promise<ShareFacts | undefined>;
  /**
   * Lists the names of the shares in the history of a chart by its uid, of a drilldown pie those of the outer ones, in batches. A name may come several
   * times. Taking a batch throws AppError `unavailable` if the store is damaged.
   */
  listShareNames(uid: number): AsyncIterable<readonly string[]>;
  /** Lists the events of a plugin by time, then title bytewise, in batches of bounded size. Lists nothing for an unknown plugin. */
  listEvents(pluginId: number): AsyncIterable<readonly PluginEvent[]>;
  /**
   * Reads the points of a line or the history of a chart of shares, in ascending parts of bounded size. The first may begin before the window, and
   * the last end after it. A part of a line is valid until the next one is taken; those of shares stay valid, each in one memory. Reads nothing for a
   * chart that has none or is not there. Taking a part throws AppError `unavailable` if the store is damaged.
   */
  readColumns(chart: Pick<Chart, 'uid' | 'type'>, window: DataWindow): AsyncIterable<Columns>;
}

/** A reader of a store. */
export interface MetricsReader extends RecordSource, AsyncDisposable {
  /**
   * Returns the generation of the newest state: a number that another state of this part of the store does not have. It shows a write at the
   * latest in the next turn of the event loop, or where the store is on a server within half a second. Cheap enough for a thousand calls a second.
   */
  generation(of: ChangeScope): number;
  /**
   * Reads the newest state: everything that is read through the view, however slowly, is of one state. The view can be used until `work` has
   * settled; after that its reads reject.
   */
  read<Result>(work: (view: MetricsView) => Promise<Result>): Promise<Result>;
  /** As `read`, for a result that comes in parts. The view can be used until the iteration ends or is given up. */
  stream<Part>(work: (view: MetricsView) => AsyncIterable<Part>): AsyncIterable<Part>;
  /** Measures the size of the store on disk. */
  measureBytes(): Promise<number>;
  /**
   * Returns for how many milliseconds the store has been unreachable; 0 while it answers. While it is unreachable,
   * `generation` does not change, so that cached responses can still be sent, with their age.
   */
  unreachableMs(): number;
}
