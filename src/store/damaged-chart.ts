/** Explains damage that stops a transaction. */
import { AppError } from '../model/app-error.ts';
import { column, integer, type Reads, statement, text } from './statement.ts';

const nameSql = statement`
  select plugin_id as ${column('pluginId', integer)}, chart_id as ${column('chartId', text)} from chart where uid = ?1`;

/**
 * Makes the error `unavailable` for a chart with a damaged or misplaced chunk. The error names the store, the
 * chart and the remedy.
 * @param cause the caught error; if it is not an AppError, it is a bug, and is returned unchanged.
 */
export async function damagedChart(sql: Reads, uid: number, cause?: unknown): Promise<unknown> {
  if (cause !== undefined && !(cause instanceof AppError)) return cause;
  const [{ pluginId, chartId } = {}] = await sql.read(nameSql, uid);
  return new AppError(
    'store-unavailable',
    `the store ${sql.storeName} is damaged: plugin ${pluginId}, chart ${chartId}: restore a backup, ` +
      `or "plugin-metrics remove chart ${pluginId}/${chartId}" and import it again`,
    { cause },
  );
}

/**
 * Does work on a chunk of a chart.
 * @throws as `work` does, and AppError like {@link damagedChart} if the chunk is damaged.
 */
export async function explainDamage<Result>(sql: Reads, uid: number, work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (error) {
    throw await damagedChart(sql, uid, error);
  }
}
