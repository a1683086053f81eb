/** Finds out which plugins a store has, and says what it lacks. */
import { type AppError, chartsPath, unknownChart, unknownPlugin } from '../model/app-error.ts';
import { maxId } from '../model/catalogue.ts';
import { type Reads, statement } from './statement.ts';
import { tables } from './tables.ts';

const pluginSql = statement`select ${tables.plugin.pick('id')} from plugin where id = ?1`;

const namedSql = statement`select ${tables.chart.pick('pluginId', 'chartId')} from chart where uid = ?1`;

/** Refuses an unknown plugin. @throws AppError `not_found`. */
export async function refuseUnknown(sql: Reads, pluginId: number): Promise<void> {
  if ((await sql.read(pluginSql, pluginId)).length === 0) throw unknownPlugin(pluginId);
}

/**
 * Makes the error for a chart that the store lacks; its advice names the chart that has the id as its uid.
 * @throws AppError `not_found` if the plugin is missing too.
 */
export async function missingChart(sql: Reads, pluginId: number, chartId: string): Promise<AppError> {
  await refuseUnknown(sql, pluginId);
  const uid = /^[1-9]\d{0,15}$/.test(chartId) ? Number(chartId) : 0;
  const [row] = uid > 0 && uid <= maxId ? await sql.read(namedSql, uid) : [];
  if (row === undefined) return unknownChart(pluginId, chartId);
  const path = `${chartsPath(row.pluginId)}/${row.chartId}`;
  return unknownChart(pluginId, chartId, `${uid} is the uid of ${path}`);
}
