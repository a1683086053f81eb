/** The removals that a store remembers, from its rows. */
import type { Removals } from '../../model/metrics-remover.ts';
import { chartKey } from '../apply-records.ts';
import { holdToChecksum } from '../intact-row.ts';
import { integer, type Row, text } from '../rows.ts';
import { everyChart, everyPlugin } from '../stored-columns.ts';

/** Collects the removals of a store from its rows. @throws AppError `unavailable` for a damaged row. */
export function removalsOf(rows: readonly Row[]): Removals {
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
  holdToChecksum('removal', row);
  return row['before_timestamp'] === null ? null : integer(row['before_timestamp']);
}
