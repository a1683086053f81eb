/** Loads the lines of a comparison, and reduces them to the columns of its pictures. */

import { columnCountFor, gapLimitMs, LineColumns } from '../../draw/line/line-columns.ts';
import { sumPoints } from '../../draw/line/sum.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import { malformedQuery } from '../../http/query-parameter.ts';
import type { Turns } from '../../http/turns.ts';
import type { Chart, ChartName } from '../../model/chart.ts';
import { storageOf } from '../../model/data-shapes.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginSummary } from '../../model/plugin.ts';
import type { Points } from '../../model/points.ts';
import type { CompareMode } from '../address/compared-charts.ts';
import { type LoadedLine, loadLine } from './load-line.ts';
import type { Steps } from './steps.ts';

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

/** The charts of a comparison with their lines. */
interface LoadedComparison {
  readonly found: readonly FoundChart[];
  readonly lines: readonly (LoadedLine | undefined)[];
}

/** Loads the lines of a comparison; rejects as {@link findCharts} does. */
export async function loadComparison(
  view: MetricsView,
  { charts, range }: { readonly charts: readonly ChartName[]; readonly range: Range },
  turns: Turns,
): Promise<LoadedComparison> {
  const found = await findCharts(view, charts);
  const lines: (LoadedLine | undefined)[] = [];
  for (const chart of charts) {
    lines.push(await loadLine(view, { ...chart, range }));
    await turns.next();
  }
  return { found, lines };
}

/**
 * The columns of every line, or of their sum, for pictures of several widths. The range counts back from the newest point of all
 * lines.
 */
export function* columnsOfComparison(
  lines: LoadedComparison['lines'],
  { mode, range }: { readonly mode: CompareMode; readonly range: Range },
  widths: readonly number[],
): Steps<readonly (readonly LineColumns[])[]> {
  const time = timeOf(lines, range);
  const columnsFor = (newest: Points | undefined) =>
    widths.map((width) => {
      const maxGapMs = newest === undefined ? 0 : gapLimitMs(newest.timestamps);
      return new LineColumns({ ...time, columnCount: columnCountFor(width), maxGapMs });
    });
  if (mode === 'sum') {
    const known = lines.filter((line) => line !== undefined);
    const summands = known.map(({ runs, newest }) => ({ runs, maxGapMs: gapLimitMs(newest.timestamps) }));
    return [yield* fill(columnsFor(known[0]?.newest), sumPoints(summands))];
  }
  const columns: (readonly LineColumns[])[] = [];
  for (const line of lines) columns.push(yield* fill(columnsFor(line?.newest), line?.runs ?? []));
  return columns;
}

/** The latest value of a sum, from the columns of its one line; undefined if it has no point. */
export function latestSum(columns: readonly (readonly LineColumns[])[]): number | undefined {
  const sum = columns[0]?.[0];
  return sum !== undefined && sum.pointCount > 0 ? sum.latestValue : undefined;
}

function timeOf(lines: readonly (LoadedLine | undefined)[], range: Range) {
  const known = lines.filter((line) => line !== undefined);
  if (known.length === 0) return { from: 0, to: 0 };
  const to = Math.max(...known.map((line) => line.to));
  const first = Math.min(...known.map((line) => line.from));
  return { from: Math.max(first, to - rangeMs(range)), to };
}

function* fill(columns: readonly LineColumns[], runs: Iterable<Points>): Steps<readonly LineColumns[]> {
  for (const run of runs) {
    for (const each of columns) each.add(run);
    yield;
  }
  return columns;
}
