/** Finds the charts of a comparison. */

import { malformedQuery } from '../../http/query-parameter.ts';
import { AppError } from '../../model/app-error.ts';
import type { Chart, ChartName } from '../../model/chart.ts';
import { storageOf } from '../../model/data-shapes.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginSummary } from '../../model/plugin.ts';

/** A line chart and its plugin. */
export interface FoundChart {
  readonly plugin: PluginSummary;
  readonly chart: Chart;
}

/**
 * Finds the charts of a comparison.
 * @throws AppError `not_found` for an unknown plugin or chart, `invalid` for a chart that is no line.
 */
export async function findCharts(
  view: MetricsView,
  charts: readonly ChartName[],
): Promise<readonly FoundChart[]> {
  const found: FoundChart[] = [];
  for (const { pluginId, chartId } of charts) {
    const plugin = await view.getPlugin(pluginId);
    const chart = await view.getChart(pluginId, chartId);
    if (storageOf(chart.type) !== 'series')
      throw malformedQuery('charts', 'line charts', `${pluginId}:${chartId}`);
    found.push({ plugin, chart });
  }
  return found;
}

/** The charts of a comparison that exist, and those that do not. */
export interface KnownCharts {
  readonly found: readonly FoundChart[];
  readonly missing: readonly ChartName[];
}

/**
 * Finds the charts of a comparison that exist; rejects as {@link findCharts} does, but with `not_found` only if none exists.
 */
export async function findKnownCharts(view: MetricsView, charts: readonly ChartName[]): Promise<KnownCharts> {
  const found: FoundChart[] = [];
  const missing: ChartName[] = [];
  let first: unknown;
  for (const name of charts)
    try {
      found.push(...(await findCharts(view, [name])));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      first ??= error;
      missing.push(name);
    }
  if (found.length === 0 && first !== undefined) throw first;
  return { found, missing };
}
