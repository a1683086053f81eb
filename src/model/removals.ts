/** Removals: plugins, charts and points taken out of a store on purpose, so that a mirror does not fetch them again. */

/** The removals of a store. A plugin or chart that an import brings again no longer counts as removed. */
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
