/** Source of series that reads from a view of the store. */

import { type Chart, type ChartName, chartNamesText, type PluginChart } from '../../model/catalogue.ts';
import type { StoredSpan } from '../../model/chart-data.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { SeriesAnswer, SeriesQuery, SeriesSource } from '../../model/series-source.ts';
import { type LoadBounds, loadSeries, TooManyValues } from '../../series/load-series.ts';

/** Maximum number of points; a line with more is loaded by the shortest step. */
const usualMaxPoints = 250_000;

/** A chart of the store. */
export interface StoreChart extends PluginChart, ChartName {
  readonly span: StoredSpan | undefined;
  /** Newest `[time, value]` of a line, or null. */
  readonly latest: readonly [time: number, value: number] | null;
}

/** Source of series that reads from a view of the store, and looks up each chart only once. */
export interface StoreSource extends SeriesSource {
  readonly view: MetricsView;
  getPlugin: MetricsView['getPlugin'];
  /** Gets a chart without its data. Rejects as the view does. */
  getChart(pluginId: number, chartId: string): Promise<StoreChart>;
  /** Returns the same source with other bounds. */
  within(bounds: LoadBounds | undefined): SeriesSource;
}

/** Makes a source; its queries run one after the other. */
export function storeSource(view: MetricsView, maxPoints = usualMaxPoints): StoreSource {
  const known = new Map<string, StoreChart>();
  let last: Promise<unknown> = Promise.resolve();
  const load = async (query: SeriesQuery, bounds?: LoadBounds) => {
    if (query.step !== null) return loadSeries(view, query, bounds, known);
    try {
      return await loadSeries(view, query, { ...bounds, maxValues: maxPoints }, known);
    } catch (error) {
      if (!(error instanceof TooManyValues)) throw error;
      return loadSeries(view, { ...query, step: '30m', hasBand: true }, bounds, known);
    }
  };
  const getChart = async (pluginId: number, chartId: string) => {
    const name = chartNamesText([{ pluginId, chartId }]);
    const found = known.get(name) ?? (await lookUp(view, pluginId, chartId));
    known.set(name, found);
    return found;
  };
  const source = (bounds?: LoadBounds): StoreSource => ({
    view,
    getPlugin: (id) => view.getPlugin(id),
    getChart,
    series(query) {
      const answer = last.then(async (): Promise<SeriesAnswer> => {
        const { step, times, series } = await load(query, bounds);
        return { step, times, series };
      });
      last = answer.catch(() => {});
      return answer;
    },
    within: source,
  });
  return source();
}

async function lookUp(view: MetricsView, pluginId: number, chartId: string): Promise<StoreChart> {
  const chart = await view.getChart(pluginId, chartId);
  const span = (await view.findSpans([chart.uid])).get(chart.uid);
  return { ...chart, pluginId, span, latest: span === undefined ? null : [span.last, span.lastValue] };
}

/**
 * Maximum length of settings to parse: longer ones would delay other requests, and no picture has room for so
 * many names.
 */
const maxSettingsLength = 64 * 1024;

/** Parses the settings of a chart; undefined if they are too long. */
export function parseSettings({ data }: Pick<Chart, 'data'>): unknown {
  return data.length > maxSettingsLength ? undefined : JSON.parse(data);
}
