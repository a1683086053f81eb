/** Explains damage in the way of a writer: the error names the store, the chart and what to do. */

import { AppError } from '../model/app-error.ts';
import type { ChartName } from '../model/chart.ts';
import type { Chunk } from '../series/chunk.ts';
import type { ChunkChange } from '../series/merge-chunks.ts';

type ChartChunk = Chunk & { readonly uid: number };

/** The reads of a store for the error of a damaged chart. */
export interface SeriesTables {
  /** The name of the store in messages. */
  readonly storeName: string;
  findChartName(uid: number): Promise<ChartName | undefined>;
}

/** Runs a merge into chunks of one chart. @throws AppError of {@link damagedChart} if one of them is damaged. */
export async function mergeSeries(
  tables: SeriesTables,
  touched: readonly ChartChunk[],
  merge: (touched: readonly ChartChunk[]) => ChunkChange,
): Promise<ChunkChange> {
  try {
    return merge(touched);
  } catch (error) {
    throw error instanceof AppError && touched[0] !== undefined
      ? await damagedChart(tables, touched[0].uid, error)
      : error;
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
