/** What was taken out of a store on purpose, so that nobody fetches it again unasked. */

/** The removals of a store. What an import brings again as a record counts as removed no longer. */
export interface Removals {
  /** Whether a plugin was removed. */
  readonly hasPlugin: (pluginId: number) => boolean;
  /** Whether a chart was removed, by itself or with its plugin. */
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
