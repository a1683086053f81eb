/** Explains damage in the way of a writer. */
import { AppError } from '../model/app-error.ts';
import type { Sql } from './sql.ts';

/** Makes the error `unavailable` for a chart of which a chunk is damaged, or not where it belongs: it names the store, the chart and what to do. */
export async function damagedChart(sql: Sql, uid: number, cause?: AppError): Promise<AppError> {
  const [chart] = await sql.all('select plugin_id, chart_id from chart where uid = ?1', uid);
  const { plugin_id: pluginId, chart_id: chartId } = chart ?? {};
  return new AppError(
    'unavailable',
    `the store ${sql.storeName} is damaged: plugin ${pluginId}, chart ${chartId}: restore a backup, ` +
      `or "plugin-metrics remove chart ${pluginId}/${chartId}" and import it again`,
    { kind: 'store-unavailable', cause },
  );
}
