/** The removals that a store remembers. */
import type { Removals } from '../../model/metrics-remover.ts';
import { windowOf } from '../removed-windows.ts';
import { chartKey } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { statement } from '../statement.ts';
import { everyChart, everyPlugin, tables } from '../tables.ts';

const removalsSql = statement`select ${tables.removal.all} from removal`;

const windowsSql = statement`
  select ${tables.removedWindow.all} from removed_window where plugin_id = ?1 order by chart_id, from_time`;

/** Reads the removals of a store, with the windows of one plugin. Rejects for a damaged row. */
export async function readRemovals(sql: Sql, pluginId: number): Promise<Removals> {
  const rows = await sql.read(removalsSql);
  const windows = Map.groupBy(await sql.read(windowsSql, pluginId), chartKey);
  const before = new Map(rows.map((row) => [chartKey(row), row.beforeTimestamp]));
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
