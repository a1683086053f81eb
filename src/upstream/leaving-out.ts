/** Leaves out what a mirror does not copy: removed plugins and charts, pruned points, and points in the future. */
import type { Chart } from '../model/chart.ts';
import type { Removals } from '../model/metrics-remover.ts';
import { type Points, slicePoints } from '../model/points.ts';

/** A list of what was left out. */
export interface LeftOut {
  /** Plugins and charts that were removed from the store, such as `plugin 7`. */
  readonly removed: Set<string>;
  /** Counts of points too far ahead of the clock, by chart, such as `7/players`. */
  readonly futureCounts: Map<string, number>;
}

/** The rules of a run. */
export interface LeavingOut {
  /** The removals of the store to fill. */
  readonly removals: Removals;
  /** True to copy again what was removed and pruned. */
  readonly isAgain: boolean;
  /** The latest time of points to copy, in Unix milliseconds. */
  readonly latestTimestamp: number;
  readonly leftOut: LeftOut;
}

/** True if the plugin is copied; notes one that is not. */
export function takesPlugin({ removals, isAgain, leftOut }: LeavingOut, pluginId: number): boolean {
  if (isAgain || !removals.hasPlugin(pluginId)) return true;
  leftOut.removed.add(`plugin ${pluginId}`);
  return false;
}

/** Selects the charts that are copied, and notes the others. */
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

/** The first and last time, both inclusive, of the points of a line to copy, in Unix milliseconds. */
interface TakenTimes {
  readonly from: number;
  readonly to: number;
}

/** Returns the times of the points of a line to copy. */
export function takenTimes(
  { removals, isAgain, latestTimestamp }: LeavingOut,
  pluginId: number,
  chartId: string,
): TakenTimes {
  return { from: isAgain ? 0 : removals.prunedBefore(pluginId, chartId), to: latestTimestamp };
}

/** Selects points by time; they must be in ascending order. */
export function pointsWithin(points: Points, { from, to }: TakenTimes): Points {
  const { timestamps } = points;
  const start = timestamps.findIndex((timestamp) => timestamp >= from);
  const end = timestamps.findLastIndex((timestamp) => timestamp <= to) + 1;
  return slicePoints(points, start === -1 ? end : Math.min(start, end), end);
}
