/** Loads the lines of a comparison, and reduces them to the shapes of its pictures. */

import { malformedQuery } from '../../http/query-parameter.ts';
import { AppError } from '../../model/app-error.ts';
import type { Chart, ChartName } from '../../model/chart.ts';
import { storageOf } from '../../model/data-shapes.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginSummary } from '../../model/plugin.ts';
import type { Period } from '../../model/window.ts';
import type { CompareMode } from '../state/compare-query.ts';
import { type LoadedLines, loadLines, type PictureOfLines } from './load-lines.ts';

/** A line chart and its plugin. */
export interface FoundChart {
  readonly plugin: PluginSummary;
  readonly chart: Chart;
}

/**
 * Finds the charts of a comparison.
 * @throws AppError `not_found` for an unknown plugin or chart, `invalid` for a chart that is no line.
 */
async function findCharts(view: MetricsView, charts: readonly ChartName[]): Promise<readonly FoundChart[]> {
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

/** The charts of a comparison with their lines. */
interface LoadedComparison {
  readonly found: readonly FoundChart[];
  readonly loaded: LoadedLines;
}

/** The charts and the mode of a comparison, the range, and its pictures. */
interface ComparisonRequest {
  readonly mode: CompareMode;
  readonly range: Period;
  readonly pictures: readonly PictureOfLines[];
}

/** Loads the lines of a comparison; rejects as {@link findCharts} does. */
export async function loadComparison(
  view: MetricsView,
  { charts, ...request }: ComparisonRequest & { readonly charts: readonly ChartName[] },
): Promise<LoadedComparison> {
  const found = await findCharts(view, charts);
  return { found, loaded: await loadFoundLines(view, found, request) };
}

/** Loads the lines of charts that have been found. */
export async function loadFoundLines(
  view: MetricsView,
  found: readonly FoundChart[],
  { mode, range, pictures }: ComparisonRequest,
): Promise<LoadedLines> {
  const wanted = found.map(({ plugin, chart: { chartId, uid } }) => ({ pluginId: plugin.id, chartId, uid }));
  // A sum has the points of all lines.
  return loadLines(view, wanted, { range, pictures, needsPoints: mode === 'sum' });
}
