/** The removals that a store remembers, from its rows. */
import type { Removals } from '../../model/metrics-remover.ts';
import { chartKey } from '../apply-records.ts';
import { selecting, whole } from '../intact-row.ts';
import { integer, type Row, text } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { everyChart, everyPlugin } from '../stored-columns.ts';

const removalsSql = selecting`select ${whole('removal')} from removal`;

/** Reads the removals of a store. Rejects for a damaged row. */
export async function readRemovals(sql: Sql): Promise<Removals> {
  const rows = await sql.all(removalsSql);
  const before = new Map(rows.map((row) => [removalKey(row), beforeOf(row)]));
  const isRemoved = (pluginId: number, chartId: string) => before.get(chartKey(pluginId, chartId)) === null;
  const hasPlugin = (pluginId: number) =>
    isRemoved(everyPlugin, everyChart) || isRemoved(pluginId, everyChart);
  return {
    hasPlugin,
    hasChart: (pluginId, chartId) => hasPlugin(pluginId) || isRemoved(pluginId, chartId),
    prunedBefore: (pluginId, chartId) =>
      Math.max(
        before.get(chartKey(everyPlugin, everyChart)) ?? 0,
        before.get(chartKey(pluginId, everyChart)) ?? 0,
        before.get(chartKey(pluginId, chartId)) ?? 0,
      ),
  };
}

function removalKey(row: Row): string {
  return chartKey(integer(row['plugin_id']), text(row['chart_id']));
}

function beforeOf(row: Row): number | null {
  return row['before_timestamp'] === null ? null : integer(row['before_timestamp']);
}
