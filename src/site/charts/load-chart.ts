/** Finds charts in the store, and loads a chart to draw. */

import type { ChartToDraw } from '../../draw/chart-content.ts';
import { isAppError } from '../../model/app-error.ts';
import {
  type Chart,
  type ChartName,
  chartNamesText,
  type PluginChart,
  type PluginSummary,
} from '../../model/catalogue.ts';
import { hasShares, shapeOf } from '../../model/chart-forms.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsReader, MetricsView } from '../../model/metrics-reader.ts';
import { malformedQuery } from '../../model/parameter.ts';
import type { Period } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { loadFacts } from './load-facts.ts';
import { loadEvents, loadLinesIn } from './load-lines.ts';
import { parseSettings, type StoreChart, storeSource } from './store-source.ts';

/** A chart, the range of a line, and the properties of the picture. */
interface ChartRequest extends ChartName {
  readonly range: Period;
  /** Width in pixels. */
  readonly width: number;
  /** True for a picture, which needs the events of a line and the colours of shares. */
  readonly isPicture: boolean;
}

/** Loads a chart; rejects as the reader does. */
export async function loadChart(reader: MetricsReader, request: ChartRequest): Promise<ChartToDraw> {
  const { pluginId, chartId } = request;
  const { chart, facts, loaded, events, json, timestamp, past } = await reader.read(async (view) => {
    const source = storeSource(view);
    const found = await source.getChart(pluginId, chartId);
    if (formOf(found.type) !== 'line') {
      const data = await view.readChartData(pluginId, chartId, 0);
      if (data.storage === 'points') return { chart: found };
      const facts = request.isPicture ? await loadFacts(view, found) : undefined;
      const isEmpty = data.json === shapeOf(found.type).emptyData;
      const past = isEmpty ? await loadPast(view, { ...found, ...data }) : undefined;
      return { chart: found, facts, json: data.json, timestamp: data.at ?? undefined, past };
    }
    const lines = await loadLinesIn(source, [found], request);
    const events = request.isPicture ? await loadEvents(view, { ...request, ...found, ...lines }) : undefined;
    return { chart: found, loaded: lines, events };
  });
  const { type, title, isDefault, pluginName } = chart;
  const form = formOf(type);
  const about = { form, title, isDefault, pluginName, data: undefined, settings: parseSettings(chart) };
  await nextTurn();
  if (form === 'other') return about;
  if (loaded === undefined) return { ...about, ...facts, data: json && JSON.parse(json), timestamp, past };
  return { ...about, line: loaded.lines[0], events };
}

/**
 * Loads the facts about the time before the data became empty; undefined if the store knows of no earlier
 * data.
 */
export async function loadPast(
  view: MetricsView,
  { pluginId, span, isStored }: StoreChart & { readonly isStored: boolean },
): Promise<ChartToDraw['past']> {
  if (span !== undefined) return { since: span.last, isKept: true };
  if (!isStored) return undefined;
  // The time of the newest data of the other charts tells since when this chart has been empty.
  let since = 0;
  for await (const charts of view.listCharts(pluginId))
    for (const { last } of (await view.findSpans(charts.map((chart) => chart.uid))).values())
      since = Math.max(since, last);
  return since === 0 ? undefined : { since, isKept: false };
}

/**
 * Finds a chart; undefined if its plugin does not have it. Rejects with `not_found` if the plugin is unknown.
 */
export async function findChart(
  view: Pick<MetricsView, 'getChart'>,
  pluginId: number,
  chartId: string,
): Promise<PluginChart | undefined> {
  try {
    return await view.getChart(pluginId, chartId);
  } catch (error) {
    if (isAppError(error, 'unknown-chart')) return undefined;
    throw error;
  }
}

/** A chart and its plugin. */
export interface FoundChart extends ChartName {
  readonly plugin: PluginSummary;
  readonly chart: Chart;
}

/**
 * Finds the charts of a comparison: lines, or on a page also charts of shares, if the first one has them.
 * @param missing gets the unknown charts of a page, which are then left out, unless all are unknown.
 * @throws AppError `not_found` for an unknown plugin or chart, `invalid` for a chart of another kind.
 */
export async function findCharts(
  view: Pick<MetricsView, 'getPlugin' | 'getChart'>,
  charts: readonly ChartName[],
  missing?: ChartName[],
): Promise<readonly FoundChart[]> {
  const found: FoundChart[] = [];
  let first: unknown;
  for (const name of charts)
    try {
      const plugin = await view.getPlugin(name.pluginId);
      const chart = await view.getChart(name.pluginId, name.chartId);
      const areShares = missing !== undefined && hasShares((found[0]?.chart ?? chart).type);
      if (!(areShares ? hasShares(chart.type) : formOf(chart.type) === 'line'))
        throw malformedQuery(
          'charts',
          areShares ? 'charts of shares' : 'line charts',
          chartNamesText([name]),
        );
      found.push({ ...name, plugin, chart });
    } catch (error) {
      if (missing === undefined || !isAppError(error, 'not_found')) throw error;
      first ??= error;
      if (missing.push(name) === charts.length) throw first;
    }
  return found;
}
