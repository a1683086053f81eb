/** Reads of one state of the store. */

import type { WorkReader } from '../http/work/work-reader.ts';
import { AppError } from '../model/app-error.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { PluginChart } from '../model/plugin.ts';

/** Reads several things of one state, which is let go as soon as they are read. Rejects as `read` and the reader do. */
export async function readState<Result>(
  reader: WorkReader,
  read: (view: MetricsView) => Promise<Result>,
): Promise<Result> {
  const results = reader.snapshot(async function* (view) {
    yield await read(view);
  });
  for await (const result of results) return result;
  throw new Error('a snapshot without a result');
}

/** One chart; undefined where its plugin does not have it. Rejects with `not_found` for a plugin that is not there. */
export async function findChart(
  view: MetricsView,
  pluginId: number,
  chartId: string,
): Promise<PluginChart | undefined> {
  try {
    return await view.getChart(pluginId, chartId);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unknown-chart') return undefined;
    throw error;
  }
}
