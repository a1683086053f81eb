/** Explains damage in the way of a writer: the error names the store, the chart and what to do. */

import { AppError } from '../model/app-error.ts';
import type { ChartName } from '../model/chart.ts';
import type { ShareHistory } from '../model/share-history.ts';
import type { Chunk } from '../series/chunk.ts';
import { type ChunkChange, mergeIntoChunks } from '../series/merge-chunks.ts';

/** The reads of a store for the error of a damaged chart. */
export interface SeriesTables {
  /** The name of the store in messages. */
  readonly storeName: string;
  findChartName(uid: number): Promise<ChartName | undefined>;
}

/** Merges as `mergeIntoChunks`. @throws AppError of {@link damagedChart} if a chunk is damaged. */
export async function mergeSeries(
  tables: SeriesTables,
  uid: number,
  touched: readonly Chunk[],
  histories: readonly ShareHistory[],
): Promise<ChunkChange> {
  try {
    return mergeIntoChunks(uid, touched, histories);
  } catch (error) {
    throw error instanceof AppError ? await damagedChart(tables, uid, error) : error;
  }
}

/** Makes the error `unavailable` for a chart of which a chunk is damaged. */
export async function damagedChart(tables: SeriesTables, uid: number, cause: AppError): Promise<AppError> {
  const { pluginId, chartId } = (await tables.findChartName(uid)) ?? {};
  return new AppError(
    'unavailable',
    `the store ${tables.storeName} is damaged: plugin ${pluginId}, chart ${chartId}: restore a backup, ` +
      `or "plugin-metrics remove chart ${pluginId}/${chartId}" and import it again`,
    { kind: 'store-unavailable', cause },
  );
}
