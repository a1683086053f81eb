/** Leaves out what a mirror does not copy: removed plugins and charts, pruned points and histories, and what lies in the future. */
import type { Chart } from '../model/chart.ts';
import { type Columns, columnsWithin, joinPoints } from '../model/columns.ts';
import type { Removals } from '../model/metrics-remover.ts';
import { gapsBetween, type Windows } from '../model/windows.ts';

/** The kinds of things that have a time. */
export const timedKinds = ['point', 'historyTime', 'event'] as const;

type TimedKind = (typeof timedKinds)[number];

/** A list of what was left out. */
export interface LeftOut {
  /** Plugins and charts that were removed from the store, such as `plugin 7`. */
  readonly removed: Set<string>;
  /** Counts of what lies too far ahead of the clock, by chart, such as `7/players`; of events by plugin. */
  readonly futureCounts: Readonly<Record<TimedKind, Map<string, number>>>;
}

/** Makes an empty list. */
export function nothingLeftOut(): LeftOut {
  return { removed: new Set(), futureCounts: { point: new Map(), historyTime: new Map(), event: new Map() } };
}

/** The rules of a run. */
export interface CopyRules {
  /** The removals of the store to fill. */
  readonly removals: Removals;
  /** True to copy again what was removed and pruned. */
  readonly isAgain: boolean;
  /** The latest time of points to copy, in Unix milliseconds. */
  readonly latestTimestamp: number;
  readonly leftOut: LeftOut;
}

/** True if the plugin is copied; notes one that is not. */
export function takesPlugin({ removals, isAgain, leftOut }: CopyRules, pluginId: number): boolean {
  if (isAgain || !removals.hasPlugin(pluginId)) return true;
  leftOut.removed.add(`plugin ${pluginId}`);
  return false;
}

/** True if a chart is copied; notes one that is not. */
export function takesChart(
  { removals, isAgain, leftOut }: CopyRules,
  pluginId: number,
  { chartId }: Chart,
): boolean {
  if (isAgain || !removals.hasChart(pluginId, chartId)) return true;
  leftOut.removed.add(`chart ${pluginId}/${chartId}`);
  return false;
}

/** The times of a chart by the rules. */
export interface ChartTimes {
  /** The windows to copy. */
  readonly taken: Windows;
  /** The windows that were removed from the store. */
  readonly removed: Windows;
  /** The time before which it was pruned; 0 where it was not. */
  readonly prunedBefore: number;
}

/** Returns the times of a chart to copy. */
export function chartTimes(
  { removals, isAgain, latestTimestamp }: Omit<CopyRules, 'leftOut'>,
  pluginId: number,
  chartId: string,
): ChartTimes {
  const prunedBefore = isAgain ? 0 : removals.prunedBefore(pluginId, chartId);
  const removed = isAgain ? [] : removals.windowsOf(pluginId, chartId);
  return {
    taken: gapsBetween(removed, { from: prunedBefore, to: latestTimestamp + 1 }),
    removed,
    prunedBefore,
  };
}

/** True for a chart of which points were pruned. */
export function hasPruned(removals: Removals, pluginId: number, chartId: string): boolean {
  return removals.prunedBefore(pluginId, chartId) > 0 || removals.windowsOf(pluginId, chartId).length > 0;
}

/** The parts of columns that lie in windows. */
export function partsWithin(columns: Columns, windows: Windows): readonly Columns[] {
  return windows.map((window) => columnsWithin(columns, window)).filter(({ times }) => times.length > 0);
}

/** The points that lie in windows. */
export function pointsWithin(points: Columns, windows: Windows): Columns {
  return joinPoints(partsWithin(points, windows));
}

/** Notes the times that lie too far ahead of the clock. @param name that of the chart, or of the plugin of events. */
export function noteFuture(
  { leftOut, latestTimestamp }: Pick<CopyRules, 'leftOut' | 'latestTimestamp'>,
  kind: TimedKind,
  name: string,
  times: Iterable<number>,
): void {
  const counts = leftOut.futureCounts[kind];
  for (const time of times) if (time > latestTimestamp) counts.set(name, (counts.get(name) ?? 0) + 1);
}
