/** Fetches a chart and its data from a server. The drawing says what is wrong with them. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { isSamePeriod } from '../../../model/window.ts';
import { loadPart } from '../load-part.ts';
import type { ChartAddress } from './chart-address.ts';
import { fetchLine, hasLineWindow } from './fetch-line.ts';
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
  readonly line?: LineData;
  /** Marks the events; undefined without any. */
  readonly eventLinks?: typeof import('./event-links.ts') | undefined;
  /** Draws shares. */
  readonly shares?: typeof import('./shares-drawing.ts');
  readonly history?: LoadedHistory | undefined;
}

/** The server has no such chart. */
export class NoSuchChart extends Error {}

/** True for an error that says that the server has no such plugin or chart; asking again would not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchChart || (error instanceof RequestFailure && error.status === 404);
}

/**
 * Fetches a chart with its data, of a line those of a window.
 * @throws NoSuchChart, RequestFailure, PartFailure, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchChart(
  { server, pluginId, chartId }: ChartAddress,
  wanted: WantedChart,
): Promise<LoadedChart> {
  const { chartOf, events } = await fetchKnownPlugin(server, pluginId);
  const known = chartOf(chartId);
  if (known === undefined) throw new NoSuchChart();
  const { chart, span } = known;
  const about = { chart, events, lengthMs: span && span.last - span.first };
  const name = `${pluginId}:${encodeURIComponent(chartId)}`;
  const loadLinks = () => (events.length > 0 ? loadPart(import('./event-links.ts')) : undefined);
  if (chart.form === 'line') {
    const [line, eventLinks] = await Promise.all([
      fetchLine({ server, chart: name, known }, wanted),
      loadLinks(),
    ]);
    return { ...about, line, eventLinks };
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
export function hasWindow({ chart, line, history }: LoadedChart, wanted: WantedChart): boolean {
  if (!isHistory(chart, wanted)) return line === undefined || hasLineWindow(line, wanted);
  return history !== undefined && isSamePeriod(history.wanted.window, wanted.window);
}
