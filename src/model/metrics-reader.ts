/** The ports for reading a store: a view of one state, and a reader that opens views of the newest state. */
import type { Chart, OldName, PluginChart, PluginSummary, Software } from './catalogue.ts';
import type { ReadChartData, ShareFacts, StoredSpan } from './chart-data.ts';
import type { Columns } from './columns.ts';
import type { RecordSource } from './metrics-record.ts';
import type { PluginEvent } from './plugin-event.ts';
import type { ListedSoftware, OwnerNow, PluginList, PluginListRequest, PluginPlace } from './plugin-list.ts';
import type { DataWindow } from './window.ts';

/**
 * Part of a store with its own generation. `catalogue`: software, owners, plugins and charts. `data`: the
 * whole store, including the catalogue.
 */
export type ChangeScope = 'catalogue' | 'data';

/** Maximum number of plugins in a batch: about a millisecond of work. */
export const pluginsPerBatch = 128;

/** Maximum number of old names in a batch. */
export const oldNamesPerBatch = 512;

/** Maximum number of events in a batch. */
export const eventsPerBatch = 256;

/**
 * Maximum number of charts, and bytes of their settings, in a batch. A chart with larger settings gets a
 * batch to itself.
 */
export const chartsPerBatch = { maxCount: 64, maxBytes: 256 * 1024 } as const;

/** Reads one state of a store. Every method may reject with `unavailable`. */
export interface MetricsView {
  /** Lists all software by ascending id. */
  listSoftware(): Promise<readonly Software[]>;
  /** Lists all plugins by ascending id, in batches of at most {@link pluginsPerBatch}. */
  listPlugins(): AsyncIterable<readonly PluginSummary[]>;
  /**
   * Lists the former names of one plugin or all plugins, by plugin id, then name bytewise, in batches of
   * bounded size.
   */
  listOldNames(pluginId?: number): AsyncIterable<readonly OldName[]>;
  /**
   * Yields, for each batch of lines, the newest time at or before `until`, in Unix milliseconds; expensive.
   * Taking a batch throws AppError `unavailable` if the store is damaged.
   */
  listNewestTimes(until: number): AsyncIterable<number>;
  /** Finds a page of plugins. */
  findPlugins(request: PluginListRequest): Promise<PluginList>;
  /** Lists all software with its latest numbers, by ascending id. */
  listSoftwareNow(): Promise<readonly ListedSoftware[]>;
  /** Adds up the plugins of an owner; undefined if the owner is unknown. */
  loadOwnerNow(ownerId: number): Promise<OwnerNow | undefined>;
  /**
   * Finds a plugin by name and software, ignoring case. If no name matches, it looks for the name with spaces
   * instead of plus signs, and then for former names. Of several matches, the lowest id counts.
   */
  findPluginNamed(softwareUrl: string, name: string): Promise<PluginSummary | undefined>;
  /** Finds the id of an owner by name, in the same way. */
  findOwnerNamed(name: string): Promise<number | undefined>;
  /**
   * Lists plugins with the same owner on other software whose names differ at most in case and accents, by
   * ascending id, at most `maxCount`; global plugins are excluded.
   */
  listNamesakes(plugin: PluginSummary, maxCount: number): Promise<readonly PluginSummary[]>;
  /**
   * Finds the rank of a plugin by servers on its software, excluding global plugins; undefined for a global
   * plugin or one without servers. Counting stops above `maxCount`.
   */
  findPlace(pluginId: number, maxCount: number): Promise<PluginPlace | undefined>;
  /** Gets one plugin. Rejects with `not_found`. */
  getPlugin(pluginId: number): Promise<PluginSummary>;
  /**
   * Lists the charts of a plugin by ascending position, then chart id bytewise, in batches of {@link
   * chartsPerBatch}. For a plugin with thousands of charts, the first batches are empty. An unknown plugin
   * has no charts.
   */
  listCharts(pluginId: number): AsyncIterable<readonly Chart[]>;
  /** Gets one chart. Rejects with `not_found`, which tells if the plugin or the chart is missing. */
  getChart(pluginId: number, chartId: string): Promise<PluginChart>;
  /**
   * Reads the data of one chart; for a line, the latest `latestCount` points in ascending order of time.
   * Rejects with `not_found`. Taking a run throws AppError `unavailable` if the store is damaged. Runs can be
   * taken after the view has ended.
   */
  readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData>;
  /**
   * Finds the spans of the points or histories of charts by uid, for at most {@link chartsPerBatch} charts.
   * Charts without data and unknown charts are omitted.
   */
  findSpans(uids: readonly number[]): Promise<ReadonlyMap<number, StoredSpan>>;
  /** Loads the facts of a chart of shares by uid; undefined if the chart is unknown or has no history. */
  loadShareFacts(uid: number): Promise<ShareFacts | undefined>;
  /**
   * Lists the share names in the history of a chart by uid, in batches; for a drilldown pie, the outer
   * shares. A name may be repeated. Taking a batch throws AppError `unavailable` if the store is damaged.
   */
  listShareNames(uid: number): AsyncIterable<readonly string[]>;
  /**
   * Lists the events of a plugin by time, then title bytewise, in batches of bounded size. An unknown plugin
   * has no events.
   */
  listEvents(pluginId: number): AsyncIterable<readonly PluginEvent[]>;
  /**
   * Reads the points of a line or the history of a chart of shares, in ascending parts of bounded size;
   * nothing for an unknown chart or one without data. The first part may begin before the window, and the
   * last may end after it. A part of a line is valid until the next one is taken; parts of shares stay valid,
   * each in one buffer. Taking a part throws AppError `unavailable` if the store is damaged.
   */
  readColumns(chart: Pick<Chart, 'uid' | 'type'>, window: DataWindow): AsyncIterable<Columns>;
  /** Yields all records, but of charts only those of the given plugins, if there are any given. */
  records(chartsOf?: ReadonlySet<number>): ReturnType<RecordSource['records']>;
}

/** Reads a store. */
export interface MetricsReader extends RecordSource, AsyncDisposable {
  /**
   * Returns the generation of a part of the store: a number that changes with every write to it. A write
   * shows by the next turn of the event loop, or within half a second if the store is on a server. Fast
   * enough for a thousand calls per second.
   */
  generation(of: ChangeScope): number;
  /**
   * Reads the newest state: all reads through the view see the same state, however long they take. The view
   * is valid until `work` settles; later reads reject.
   */
  read<Result>(work: (view: MetricsView) => Promise<Result>): Promise<Result>;
  /** As `read`, for a result in parts. The view is valid until the iteration ends or is abandoned. */
  stream<Part>(work: (view: MetricsView) => AsyncIterable<Part>): AsyncIterable<Part>;
  /** Measures the size of the store on disk. */
  measureBytes(): Promise<number>;
  /**
   * Returns for how many milliseconds the store has been unreachable; 0 while it answers. Meanwhile
   * `generation` does not change, so that cached responses can still be sent, with their age.
   */
  unreachableMs(): number;
}
