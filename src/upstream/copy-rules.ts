/**
 * Decides what a mirror leaves out: removed plugins and charts, pruned points and histories, and times in the
 * future.
 */
import type { Chart } from '../model/catalogue.ts';
import { type Columns, columnsWithin, joinPoints } from '../model/columns.ts';
import type { Removals } from '../model/metrics-remover.ts';
import { gapsBetween, type Windows } from '../model/window.ts';

/** Kinds of data that have a time. */
export const timedKinds = ['point', 'historyTime', 'event'] as const;

type TimedKind = (typeof timedKinds)[number];

/** Record of what was left out. */
export interface LeftOut {
  /** Plugins and charts that were removed from the store, such as `plugin 7`. */
  readonly removed: Set<string>;
  /** Counts of data too far ahead of the clock: by chart, such as `7/players`; for events, by plugin. */
  readonly futureCounts: Readonly<Record<TimedKind, Map<string, number>>>;
}

/** Makes an empty record. */
export function nothingLeftOut(): LeftOut {
  return { removed: new Set(), futureCounts: { point: new Map(), historyTime: new Map(), event: new Map() } };
}

/** Rules of a run. */
export interface CopyRules {
  /** Removals of the store to fill. */
  readonly removals: Removals;
  /** True to copy removed and pruned data again. */
  readonly isAgain: boolean;
  /** Latest time to copy, in Unix milliseconds. */
  readonly latestTimestamp: number;
  readonly leftOut: LeftOut;
}

/** Returns true if the plugin is copied; otherwise notes it in `leftOut`. */
export function takesPlugin({ removals, isAgain, leftOut }: CopyRules, pluginId: number): boolean {
  if (isAgain || !removals.hasPlugin(pluginId)) return true;
  leftOut.removed.add(`plugin ${pluginId}`);
  return false;
}

/** Returns true if the chart is copied; otherwise notes it in `leftOut`. */
export function takesChart(
  { removals, isAgain, leftOut }: CopyRules,
  pluginId: number,
  { chartId }: Chart,
): boolean {
  if (isAgain || !removals.hasChart(pluginId, chartId)) return true;
  leftOut.removed.add(`chart ${pluginId}/${chartId}`);
  return false;
}

/** Times of a chart to copy, and times that were removed. */
export interface ChartTimes {
  /** Windows to copy. */
  readonly taken: Windows;
  /** Windows that were removed from the store. */
  readonly removed: Windows;
  /** Time before which the chart was pruned; 0 if it was not. */
  readonly prunedBefore: number;
}

/** Computes which times of a chart are copied. */
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

/** True if points of the chart were pruned. */
export function hasPruned(removals: Removals, pluginId: number, chartId: string): boolean {
  return removals.prunedBefore(pluginId, chartId) > 0 || removals.windowsOf(pluginId, chartId).length > 0;
}

/** Returns the parts of columns that lie within the windows. */
export function partsWithin(columns: Columns, windows: Windows): readonly Columns[] {
  return windows.map((window) => columnsWithin(columns, window)).filter(({ times }) => times.length > 0);
}

/** Returns the points that lie within the windows. */
export function pointsWithin(points: Columns, windows: Windows): Columns {
  return joinPoints(partsWithin(points, windows));
}

/**
 * Counts the times that are too far ahead of the clock.
 * @param name name of the chart, or of the plugin for events.
 */
export function noteFuture(
  { leftOut, latestTimestamp }: Pick<CopyRules, 'leftOut' | 'latestTimestamp'>,
  kind: TimedKind,
  name: string,
  times: Iterable<number>,
): void {
  const counts = leftOut.futureCounts[kind];
  for (const time of times) if (time > latestTimestamp) counts.set(name, (counts.get(name) ?? 0) + 1);
}
