/** Fetches a chart and its data from a server. The drawing says what is wrong with them. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { isSamePeriod } from '../../../model/window.ts';
import type { ChartAddress } from './chart-address.ts';
import type * as LaterParts from './explore.ts';
import { fetchLine, hasLineWindow } from './fetch-line.ts';
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
  /** The parts for shares and for marks; undefined for a line without events. */
  readonly later?: typeof LaterParts | undefined;
  readonly line?: LineData;
  readonly history?: LaterParts.LoadedHistory;
}

/** The server has no such chart. */
export class NoSuchChart extends Error {}

/** True for an error that says that the server has no such plugin or chart; asking again would not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchChart || (error instanceof RequestFailure && error.status === 404);
}

/**
 * Fetches a chart with its data, of a line those of a window.
 * @throws NoSuchChart, RequestFailure, and the errors of `fetch` and `JSON.parse`
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
  if (chart.form === 'line') {
    const parts = events.length > 0 ? import('./explore.ts') : undefined;
    const line = await fetchLine({ server, chart: name, known }, wanted);
    return { ...about, line, later: await parts };
  }
  const later = await import('./explore.ts');
  if (!isHistory(chart, wanted)) return { ...about, later };
  return { ...about, later, history: await later.loadHistoryInPage({ server, name, known, events }, wanted) };
}

function isHistory({ form }: ChartToDraw, { view }: WantedChart): boolean {
  return view === 'history' && form !== 'line' && form !== 'other';
}

/** True if the data of a chart are all that a window shows. */
export function hasWindow({ chart, line, history }: LoadedChart, wanted: WantedChart): boolean {
  if (!isHistory(chart, wanted)) return line === undefined || hasLineWindow(line, wanted);
  return history !== undefined && isSamePeriod(history.wanted.window, wanted.window);
}
