/** The port for removing things from a store: one transaction, all or nothing. */
import type { Windows } from './windows.ts';

/** Counts of the charts and points removed with a plugin or a chart. */
export interface Removed {
  readonly chartCount: number;
  /** Points of line charts, without those of damaged chunks. */
  readonly pointCount: number;
  /** Times of histories, without those of damaged chunks. */
  readonly historyTimeCount: number;
  /** Events, which go with their plugin. */
  readonly eventCount: number;
  /** Software whose global plugin it was, and that have none now. */
  readonly softwareIds: readonly number[];
}

/** Counts of pruned charts and points. */
export interface Pruned {
  /** Charts that lost points, or times of their history. */
  readonly chartCount: number;
  /** Points of line charts. */
  readonly pointCount: number;
  /** Times of histories. */
  readonly historyTimeCount: number;
}

/** Selects the points to remove: those of a window, in Unix milliseconds. */
export interface PruneOptions {
  /** Inclusive; from the oldest on by default. */
  readonly from?: number | undefined;
  /** Exclusive; up to the newest by default. */
  readonly to?: number | undefined;
  /** The plugin whose charts are pruned; all by default. */
  readonly pluginId?: number | undefined;
  /** The chart of that plugin; all by default. */
  readonly chartId?: string | undefined;
  /** Called now and then with the counts so far, and the share of the charts that has been looked at, 0 to 1. */
  readonly onProgress?: (pruned: Pruned, share: number) => void;
}

/** A transaction that removes things. Disposing of it without `commit` leaves the store as it was. */
export interface MetricsRemover extends AsyncDisposable {
  /** Removes a plugin with its charts, their data, and its owner if that has no other plugin. Rejects with `not_found`. */
  removePlugin(pluginId: number): Promise<Removed>;
  /** Removes a chart with its data. Rejects with `not_found`, which says if the plugin or the chart is missing. */
  removeChart(pluginId: number, chartId: string): Promise<Removed>;
  /**
   * Removes the event of a plugin at a time, in Unix milliseconds; of several at that time the one with this title. Returns its title. Rejects with
   * `not_found` for an unknown plugin or event, `conflict` for several events without a title.
   */
  removeEvent(
    pluginId: number,
    event: { readonly time: number; readonly title?: string | undefined },
  ): Promise<string>;
  /** Removes a software. Rejects with `not_found`, and with `conflict` while it has plugins. */
  removeSoftware(url: string): Promise<void>;
  /**
   * Removes points of lines and times of histories; the charts stay, even without any. A chart whose shown data lose their time shows the
   * newest of its history that is left; without `from` they are only too old, and stay without a time. Rejects with `not_found` for an
   * unknown plugin or chart, `unavailable` if a chunk at either end of the window is damaged; those between them are not read.
   */
  prune(options: PruneOptions): Promise<Pruned>;
  /** Makes everything durable and visible. */
  commit(): Promise<void>;
}

/** A plugin, a chart or points that were removed from a store on purpose: a mirror does not fetch them again. */
export interface Removal {
  /** Left out for every plugin. */
  readonly pluginId?: number | undefined;
  /** A chart of that plugin; left out for the whole plugin. */
  readonly chartId?: string | undefined;
  /** Null if all of it was removed; otherwise the time before which it was pruned, in Unix milliseconds. */
  readonly before: number | null;
  /** The beginning of a window of a chart, inclusive, whose points were removed; it ends with `before`, exclusive. */
  readonly after?: number | undefined;
}

/** The removals of a store. A plugin or chart that an import brings back no longer counts as removed. */
export interface Removals {
  /** True for a plugin that was removed. */
  readonly hasPlugin: (pluginId: number) => boolean;
  /** True for a chart that was removed, by itself or with its plugin. */
  readonly hasChart: (pluginId: number, chartId: string) => boolean;
  /** The latest time before which the points of a chart were pruned, in Unix milliseconds; 0 where they were not. */
  readonly prunedBefore: (pluginId: number, chartId: string) => number;
  /** The windows of a chart, of the plugin that they were loaded for, whose points were removed. */
  readonly windowsOf: (pluginId: number, chartId: string) => Windows;
}

/** The removals of a store that does not exist yet. */
export const noRemovals: Removals = {
  hasPlugin: () => false,
  hasChart: () => false,
  prunedBefore: () => 0,
  windowsOf: () => [],
};
