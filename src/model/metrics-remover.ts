/** The port that things are taken out of a store through: one transaction, all or nothing. */

/** What has been taken out with a plugin or a chart. */
export interface Removed {
  readonly chartCount: number;
  /** Points of line charts. What a damaged chunk held is not counted. */
  readonly pointCount: number;
  /** The software whose global plugin it was: they have none any more. */
  readonly softwareIds: readonly number[];
}

/** What has been taken out of series. */
export interface Pruned {
  /** Charts that have lost points. */
  readonly chartCount: number;
  readonly pointCount: number;
}

/** Selects the points to take out: all those between two times, in Unix milliseconds. A point at one of these very times stays. */
export interface PruneOptions {
  /** Only points after this time go; from the oldest on unless given. */
  readonly afterTimestamp?: number | undefined;
  /** Only points before this time go; up to the newest unless given. */
  readonly beforeTimestamp?: number | undefined;
  /** The plugin whose charts are pruned; all unless given. */
  readonly pluginId?: number | undefined;
  /** The chart of that plugin; all unless given. */
  readonly chartId?: string | undefined;
  /** Called now and then with what has been taken out so far. */
  readonly onProgress?: (pruned: Pruned) => void;
}

/** A transaction that takes things out. Disposing of it without `commit` leaves the store as it was. */
export interface MetricsRemover extends AsyncDisposable {
  /** Takes a plugin out with its charts, their data, and its owner if that has no other plugin. Rejects with `not_found`. */
  removePlugin(pluginId: number): Promise<Removed>;
  /** Takes a chart out with its data. Rejects with `not_found`, saying whether plugin or chart is missing. */
  removeChart(pluginId: number, chartId: string): Promise<Removed>;
  /**
   * Takes points out of series; charts stay, empty ones among them, and so does the data of other charts. A damaged chunk goes
   * where no point outside the two times can lie in it. Rejects with `not_found` for a plugin or a chart that is not there,
   * `unavailable` where a chunk that must be cut is damaged.
   */
  prune(options: PruneOptions): Promise<Pruned>;
  /** Makes everything durable and visible. */
  commit(): Promise<void>;
}

/**
 * Plugins, charts and points that were taken out of a store on purpose, so that a mirror does not fetch them again. A plugin or chart that an import brings
 * again no longer counts as removed.
 */
export interface Removals {
  /** True for a plugin that was removed. */
  readonly hasPlugin: (pluginId: number) => boolean;
  /** True for a chart that was removed, by itself or with its plugin. */
  readonly hasChart: (pluginId: number, chartId: string) => boolean;
  /** The latest time before which the points of a chart were pruned, in Unix milliseconds; 0 where they were not. */
  readonly prunedBefore: (pluginId: number, chartId: string) => number;
}

/** The removals of a store that is not there yet. */
export const noRemovals: Removals = {
  hasPlugin: () => false,
  hasChart: () => false,
  prunedBefore: () => 0,
};
