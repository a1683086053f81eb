/** Fetches a chart and its data from a server. The drawing says what is wrong with them. */
import type { ChartToDraw } from '../../../draw/chart-content.ts';
import type { PluginEvent } from '../../../model/plugin-event.ts';
import { fetchLine, fetchOldLine, hasLineWindow, type LineData, type WantedLine } from './fetch-line.ts';
import { fetchKnownPlugin, getJson } from './known-plugin.ts';

/** The address of a chart. */
export interface ChartAddress {
  /** The URL in front of `api/v2`, with a slash at its end. */
  readonly server: string;
  readonly pluginId: number;
  readonly chartId: string;
}

/** A chart with its data. */
export interface LoadedChart {
  /** The chart; a line is without its data. */
  readonly chart: ChartToDraw;
  readonly events: readonly PluginEvent[];
  readonly line?: LineData;
}

/** The server has no such chart. */
export class NoSuchChart extends Error {}

/**
 * Fetches a chart with its data, of a line those of a window.
 * @throws NoSuchChart, RequestFailure, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchChart(
  { server, pluginId, chartId }: ChartAddress,
  wanted: WantedLine,
): Promise<LoadedChart> {
  const { hasSeries, chartOf, events } = await fetchKnownPlugin(server, pluginId);
  const known = chartOf(chartId);
  if (known === undefined) throw new NoSuchChart();
  const { chart } = known;
  const about = { chart, events };
  const id = encodeURIComponent(chartId);
  const dataUrl = `${server}api/v1/plugins/${pluginId}/charts/${id}/data`;
  if (chart.form !== 'line')
    return hasSeries ? about : { ...about, chart: { ...chart, data: await getJson(dataUrl) } };
  const line = hasSeries
    ? await fetchLine({ server, chart: `${pluginId}:${id}`, known }, wanted)
    : await fetchOldLine(dataUrl, wanted.window, Date.now());
  return line === undefined ? about : { ...about, line };
}

/** True if the data of a chart are all that a window shows. */
export function hasWindow({ line }: LoadedChart, wanted: WantedLine): boolean {
  return line === undefined || hasLineWindow(line, wanted);
}
