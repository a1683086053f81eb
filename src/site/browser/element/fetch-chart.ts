/** Fetches a chart and its data from a server. The drawing says what is wrong with them. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { isSamePeriod } from '../../../model/window.ts';
import { loadPart } from '../load-part.ts';
import type { ChartAddress } from './chart-address.ts';
import type { LoadedComparison } from './comparison-view.ts';
import { fetchLines, hasLineWindow } from './fetch-line.ts';
import type { LoadedHistory } from './history-view.ts';
import { fetchKnownPlugin } from './known-plugin.ts';
import type { LineData, WantedChart } from './line-data.ts';
import { RequestFailure } from './shared-requests.ts';

/** A chart with its data. */
export interface LoadedChart {
  /** The chart; a line is without its data. */
  readonly chart: ChartToDraw;
  readonly events: readonly PluginEvent[];
  /** The time between its first and its last value, if the server says it. */
  readonly lengthMs?: number | undefined;
  readonly line?: LineData | undefined;
  /** Marks the events; undefined without any. */
  readonly eventLinks?: typeof import('./event-links.ts') | undefined;
  /** Draws shares. */
  readonly shares?: typeof import('./shares-drawing.ts');
  readonly history?: LoadedHistory | undefined;
  /** Several lines; `chart` has their title. */
  readonly comparison?: LoadedComparison;
}

/** The server has no such chart. */
export class NoSuchChart extends Error {}

/** True for an error that says that the server has no such plugin or chart; asking again would not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchChart || (error instanceof RequestFailure && error.status === 404);
}

/**
 * Fetches a chart with its data, of lines those of a window.
 * @throws NoSuchChart, RequestFailure, PartFailure, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchChart(
  { server, charts: wantedCharts, isComparison }: ChartAddress,
  wanted: WantedChart,
): Promise<LoadedChart> {
  const comparing = isComparison ? loadPart(import('./comparison-view.ts')) : undefined;
  const charts = await Promise.all(
    wantedCharts.map(async ({ pluginId, chartId }) => {
      const { plugin, events, chartOf } = await fetchKnownPlugin(server, pluginId);
      const known = chartOf(chartId);
      if (known === undefined || (isComparison && known.chart.form !== 'line')) throw new NoSuchChart();
      return { name: `${pluginId}:${encodeURIComponent(chartId)}`, chartId, plugin, events, known };
    }),
  );
  const [one] = charts;
  if (one === undefined) throw new NoSuchChart();
  if (comparing !== undefined) {
    const comparison = await (await comparing).loadComparison({ server, charts }, wanted);
    const { title, lengthMs } = comparison;
    return { chart: { form: 'line', title, data: undefined }, events: [], lengthMs, comparison };
  }
  const { name, events, known } = one;
  const { chart, span } = known;
  const about = { chart, events, lengthMs: span && span.last - span.first };
  const loadLinks = () => (events.length > 0 ? loadPart(import('./event-links.ts')) : undefined);
  if (chart.form === 'line') {
    const [lines, eventLinks] = await Promise.all([fetchLines({ server, charts }, wanted), loadLinks()]);
    return { ...about, line: lines[0], eventLinks };
  }
  const loadShares = loadPart(import('./shares-drawing.ts'));
  if (!isHistory(chart, wanted)) return { ...about, shares: await loadShares };
  const [shares, { loadHistoryInPage }, eventLinks] = await Promise.all([
    loadShares,
    loadPart(import('./history-view.ts')),
    loadLinks(),
  ]);
  const history = await loadHistoryInPage({ server, name, known, events, eventLinks }, wanted);
  return { ...about, shares, history };
}

function isHistory({ form }: ChartToDraw, { view }: WantedChart): boolean {
  return view === 'history' && form !== 'line' && form !== 'other';
}

/** True if the data of a chart are all that a window shows. */
export function hasWindow({ chart, line, history, comparison }: LoadedChart, wanted: WantedChart): boolean {
  if (comparison !== undefined) return comparison.hasAll(wanted);
  if (!isHistory(chart, wanted)) return line === undefined || hasLineWindow(line, wanted);
  return history !== undefined && isSamePeriod(history.wanted.window, wanted.window);
}
