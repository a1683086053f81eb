/** The port for removing data from a store: one transaction, all or nothing. */
import type { Windows } from './window.ts';

/** Counts of what was removed with a plugin or a chart. */
export interface Removed {
  readonly chartCount: number;
  /** Points of lines, except in damaged chunks. */
  readonly pointCount: number;
  /** Times of histories, except in damaged chunks. */
  readonly historyTimeCount: number;
  /** Events, which are removed with their plugin. */
  readonly eventCount: number;
  /** Software that lost its global plugin. */
  readonly softwareIds: readonly number[];
}

/** Counts of pruned charts and points. */
export interface Pruned {
  /** Charts that lost points or history times. */
  readonly chartCount: number;
  /** Points of lines. */
  readonly pointCount: number;
  /** Times of histories. */
  readonly historyTimeCount: number;
}

/** Selects the points to remove by a window, in Unix milliseconds. */
export interface PruneOptions {
  /** Inclusive; the oldest point by default. */
  readonly from?: number | undefined;
  /** Exclusive; beyond the newest point by default. */
  readonly to?: number | undefined;
  /** Plugin whose charts are pruned; all plugins by default. */
  readonly pluginId?: number | undefined;
  /** Chart of that plugin; all charts by default. */
  readonly chartId?: string | undefined;
  /** Called occasionally with the counts so far, and the fraction of charts processed, 0 to 1. */
  readonly onProgress?: (pruned: Pruned, share: number) => void;
}

/** A transaction that removes data. Disposing of it without `commit` leaves the store unchanged. */
export interface MetricsRemover extends AsyncDisposable {
  /**
   * Removes a plugin with its charts and their data, and its owner if that has no other plugin. Rejects with
   * `not_found`.
   */
  removePlugin(pluginId: number): Promise<Removed>;
  /**
   * Removes a chart with its data. Rejects with `not_found`, which tells if the plugin or the chart is
   * missing.
   */
  removeChart(pluginId: number, chartId: string): Promise<Removed>;
  /**
   * Removes the event of a plugin at a time, in Unix milliseconds; among several, the one with the given
   * title. Returns its title. Rejects with `not_found` if the plugin or event is unknown, `conflict` if there
   * are several events and no title is given.
   */
  removeEvent(
    pluginId: number,
    event: { readonly time: number; readonly title?: string | undefined },
  ): Promise<string>;
  /** Removes a software. Rejects with `not_found`, and with `conflict` if it has plugins. */
  removeSoftware(url: string): Promise<void>;
  /**
   * Removes points of lines and times of histories; charts stay, even empty ones. If the time of the shown
   * data is removed, the chart shows the newest remaining history; without `from`, it keeps showing its data,
   * without a time. Rejects with `not_found` if the plugin or chart is unknown, `unavailable` if a chunk at
   * either end of the window is damaged; chunks between them are not read.
   */
  prune(options: PruneOptions): Promise<Pruned>;
  /** Makes the changes durable and visible. */
  commit(): Promise<void>;
}

/** A plugin, chart or points that were deliberately removed from a store: mirrors do not fetch them again. */
export interface Removal {
  /** Undefined for every plugin. */
  readonly pluginId?: number | undefined;
  /** Chart of that plugin; undefined for the whole plugin. */
  readonly chartId?: string | undefined;
  /**
   * Null if everything was removed; otherwise the time before which points were pruned, in Unix milliseconds.
   */
  readonly before: number | null;
  /**
   * Start of the removed window, inclusive, if only a window of the chart was removed; `before` is its end,
   * exclusive.
   */
  readonly after?: number | undefined;
}

/** Removals of a store. A plugin or chart that an import brings back no longer counts as removed. */
export interface Removals {
  /** True if the plugin was removed. */
  readonly hasPlugin: (pluginId: number) => boolean;
  /** True if the chart was removed, on its own or with its plugin. */
  readonly hasChart: (pluginId: number, chartId: string) => boolean;
  /** Latest time before which the points of a chart were pruned, in Unix milliseconds; 0 if they were not. */
  readonly prunedBefore: (pluginId: number, chartId: string) => number;
  /** Windows of a chart whose points were removed; only loaded for one plugin. */
  readonly windowsOf: (pluginId: number, chartId: string) => Windows;
}

/** Removals of a store that does not exist yet. */
export const noRemovals: Removals = {
  hasPlugin: () => false,
  hasChart: () => false,
  prunedBefore: () => 0,
  windowsOf: () => [],
};
