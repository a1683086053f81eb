/** Loads a chart from the store, ready to draw. */

import type { ChartToDraw } from '../../draw/chart-content.ts';
import type { EventColumns } from '../../draw/event-columns.ts';
import { AppError } from '../../model/app-error.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { condense } from './condense.ts';
import { shapesOf } from './line-shapes.ts';
import { loadEvents } from './load-events.ts';
import { cutWords, type LineRequest, type LoadedLine, loadLine } from './load-line.ts';
import { type LoadedLines, loadLines, type PictureOfLines } from './load-lines.ts';
import { type Steps, takeSteps } from './steps.ts';

/** A chart, the range if it is a line, and the picture that it is loaded for. */
interface ChartRequest extends LineRequest, PictureOfLines {
  /** True for a picture, whose line has the events of its plugin as marks. */
  readonly hasEvents: boolean;
}

/** Loads a chart, condensed to what a picture can show; rejects as the reader does. */
export async function loadChart(reader: MetricsReader, request: ChartRequest): Promise<ChartToDraw> {
  const stored = await reader.read(async (view) => {
    const chart = await view.getChart(request.pluginId, request.chartId);
    if (formOf(chart.type) !== 'line') return { chart, ...(await loadSnapshot(view, request)) };
    const loaded = await loadLines(view, [{ ...request, uid: chart.uid }], {
      ...request,
      pictures: [request],
    });
    if (!request.hasEvents || !chart.hasEvents) return { chart, loaded };
    return { chart, loaded, events: await loadEvents(view, { ...request, ...loaded }) };
  });
  return takeSteps(chartToDraw(stored, request));
}

/** Longer settings are not parsed: they would hold up other requests, and no picture has room for so many names. */
const maxSettingsLength = 64 * 1024;

/** Parses the settings of a chart; undefined if they are very long. */
export function parseSettings({ data }: Pick<PluginChart, 'data'>): unknown {
  return data.length > maxSettingsLength ? undefined : JSON.parse(data);
}

interface ChartForPicture {
  readonly chart: PluginChart;
  readonly loaded?: LoadedLines;
  readonly events?: EventColumns;
  readonly json?: string;
  readonly timestamp?: number | undefined;
}

function* chartToDraw(
  { chart, loaded, events, json, timestamp }: ChartForPicture,
  picture: PictureOfLines,
): Steps<ChartToDraw> {
  const { type, title, isDefault, pluginName } = chart;
  const form = formOf(type);
  const about = { form, title, isDefault, pluginName, data: undefined, settings: parseSettings(chart) };
  if (loaded !== undefined) {
    const [[shape] = []] = yield* shapesOf(loaded, [picture]);
    return {
      ...about,
      title: title + cutWords(loaded.lines),
      ...(shape && { shape }),
      ...(events && { events }),
    };
  }
  if (json === undefined || form === 'other') return about;
  yield;
  const data: unknown = JSON.parse(json);
  yield;
  return { ...about, data: yield* condense(form, data), timestamp };
}

/** A chart with its line, or with its data as JSON. */
export interface StoredChart {
  readonly chart: PluginChart;
  readonly line?: LoadedLine | undefined;
  readonly json?: string;
}

/** Loads a chart with its data, of a line the points of a range; rejects as the view does. */
export async function loadStoredChart(view: MetricsView, request: LineRequest): Promise<StoredChart> {
  const chart = await view.getChart(request.pluginId, request.chartId);
  if (formOf(chart.type) === 'line') return { chart, line: await loadLine(view, request) };
  return { chart, ...(await loadSnapshot(view, request)) };
}

async function loadSnapshot(view: MetricsView, { pluginId, chartId }: LineRequest) {
  const data = await view.readChartData(pluginId, chartId, 0);
  return data.storage === 'snapshot' ? { json: data.json, timestamp: data.at ?? undefined } : {};
}

/** Finds a chart; undefined if its plugin does not have it. Rejects with `not_found` for an unknown plugin. */
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
