/** The removals that a store remembers; their windows are read and written for whole charts. */
import { AppError } from '../model/app-error.ts';
import type { ChartName } from '../model/catalogue.ts';
import type { Removal, Removals } from '../model/metrics-remover.ts';
import { type DataWindow, maxWindows, type Windows } from '../model/window.ts';
import { chartKey } from './rows.ts';
import { nameList, namesIn, rowsWhere, type Sql, storedWhere } from './sql.ts';
import type { StoredRow } from './table.ts';
import { everyChart, everyPlugin, type Row, tables } from './tables.ts';

const removeSql = `delete from removed_window where (plugin_id, chart_id) in ${namesIn(1)}`;

/** The removal of the points in a window. */
export interface WindowRemoval extends ChartName {
  readonly before: number;
  readonly after: number;
}

/** The windows of removed points of a chart. */
export interface ChartWindows extends ChartName {
  readonly windows: Windows;
}

/** True for a removal of the points in a window. */
export function isOfWindow(removal: Removal): removal is WindowRemoval {
  return removal.after !== undefined;
}

/** Reads the windows of charts as stored, by chart, then by time. */
export function readWindows(
  sql: Sql,
  names: Iterable<ChartName>,
): Promise<ReadonlyArray<StoredRow<Row<'removedWindow'>>>> {
  const ofCharts = `(plugin_id, chart_id) in ${namesIn(1)} order by plugin_id, chart_id, from_time`;
  return storedWhere(sql, tables.removedWindow, ofCharts, nameList(names));
}

/** Replaces the stored windows of charts. */
export async function writeWindows(sql: Sql, charts: readonly ChartWindows[]): Promise<void> {
  if (charts.length === 0) return;
  await sql.run(removeSql, nameList(charts));
  await sql.put(
    tables.removedWindow,
    charts.flatMap(({ pluginId, chartId, windows }) =>
      windows.map(({ from, to }) => ({ pluginId, chartId, fromTime: from, toTime: to })),
    ),
  );
}

/** Makes a window from its row. */
export function windowOf({ fromTime, toTime }: Row<'removedWindow'>): DataWindow {
  return { from: fromTime, to: toTime };
}

/** Refuses more windows than a chart can have. @throws AppError `conflict`. */
export function refuseTooMany({ pluginId, chartId, windows }: ChartWindows): void {
  if (windows.length <= maxWindows) return;
  const chart = `${pluginId}/${chartId}`;
  throw new AppError(
    'conflict',
    `chart ${chart} would have more than ${maxWindows} windows of removed points, which a mirror does not copy: "plugin-metrics prune --chart ${chart} ` +
      '--after TIME --before TIME" removes all points between two times, and merges their windows into one',
  );
}

/** Reads the removals of a store, with the windows of one plugin. Rejects for a damaged row. */
export async function readRemovals(sql: Sql, pluginId: number): Promise<Removals> {
  const rows = await rowsWhere(sql, tables.removal, 'true');
  const before = new Map(rows.map((row) => [chartKey(row), row.beforeTimestamp]));
  const ofPlugin = 'plugin_id = ?1 order by chart_id, from_time';
  const windows = Map.groupBy(await rowsWhere(sql, tables.removedWindow, ofPlugin, pluginId), chartKey);
  const beforeOf = (pluginId: number, chartId: string) => before.get(chartKey({ pluginId, chartId }));
  const isRemoved = (pluginId: number, chartId: string) => beforeOf(pluginId, chartId) === null;
  const hasPlugin = (pluginId: number) =>
    isRemoved(everyPlugin, everyChart) || isRemoved(pluginId, everyChart);
  return {
    hasPlugin,
    hasChart: (pluginId, chartId) => hasPlugin(pluginId) || isRemoved(pluginId, chartId),
    prunedBefore: (pluginId, chartId) =>
      Math.max(
        beforeOf(everyPlugin, everyChart) ?? 0,
        beforeOf(pluginId, everyChart) ?? 0,
        beforeOf(pluginId, chartId) ?? 0,
      ),
    windowsOf: (id, chartId) => windows.get(chartKey({ pluginId: id, chartId }))?.map(windowOf) ?? [],
  };
}
