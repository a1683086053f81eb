/** Rules of what a mirror leaves out: what was removed or pruned from its store, and points in the future. */
import type { Chart } from '../model/chart.ts';
import type { Removals } from '../model/metrics-remover.ts';
import { type Points, slicePoints } from '../model/points.ts';

/** Collects what is left out. */
export interface LeftOut {
  /** Plugins and charts that were removed from the store, such as `plugin 7`. */
  readonly removed: Set<string>;
  /** Counts of points too far ahead of the clock, by chart, such as `7/players`. */
  readonly futureCounts: Map<string, number>;
}

/** Rules of one visit. */
export interface LeavingOut {
  /** Of the store to fill. */
  readonly removals: Removals;
  /** True if what was removed and pruned is copied again. */
  readonly isAgain: boolean;
  /** The latest time of a point that is copied, in Unix milliseconds. */
  readonly latestTimestamp: number;
  readonly leftOut: LeftOut;
}

/** Tells if the plugin is copied, and reports one that is not. */
export function takesPlugin({ removals, isAgain, leftOut }: LeavingOut, pluginId: number): boolean {
  if (isAgain || !removals.hasPlugin(pluginId)) return true;
  leftOut.removed.add(`plugin ${pluginId}`);
  return false;
}

/** Gives the charts that are copied, and reports the others. */
export function takenCharts(
  { removals, isAgain, leftOut }: LeavingOut,
  pluginId: number,
  charts: readonly Chart[],
): readonly Chart[] {
  return charts.filter(({ chartId }) => {
    const isTaken = isAgain || !removals.hasChart(pluginId, chartId);
    if (!isTaken) leftOut.removed.add(`chart ${pluginId}/${chartId}`);
    return isTaken;
  });
}

/** The times from which and to which points of a line are copied, both inclusive, in Unix milliseconds. */
export interface TakenTimes {
  readonly from: number;
  readonly to: number;
}

/** The times of the points that are copied. */
export function takenTimes(
  { removals, isAgain, latestTimestamp }: LeavingOut,
  pluginId: number,
  chartId: string,
): TakenTimes {
  return { from: isAgain ? 0 : removals.prunedBefore(pluginId, chartId), to: latestTimestamp };
}

/** The points of these times; the points are in ascending order. */
export function pointsWithin(points: Points, { from, to }: TakenTimes): Points {
  const { timestamps } = points;
  const start = timestamps.findIndex((timestamp) => timestamp >= from);
  const end = timestamps.findLastIndex((timestamp) => timestamp <= to) + 1;
  return slicePoints(points, start === -1 ? end : Math.min(start, end), end);
}
