/** A view of the store as a source of series. */

import type { Chart } from '../../model/chart.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import type { SeriesAnswer, SeriesQuery, SeriesSource } from '../../model/series-source.ts';
import { type LoadBounds, loadSeries, TooManyValues } from '../../series/load-series.ts';
import { loadFacts } from './load-facts.ts';

/** More points than this are drawn by the shortest step. */
const usualMaxPoints = 250_000;

/** Makes a source; its queries are read one after another, within bounds. */
export function storeSource(
  view: MetricsView,
  { maxPoints = usualMaxPoints, ...bounds }: LoadBounds & { readonly maxPoints?: number } = {},
): SeriesSource {
  let last: Promise<unknown> = Promise.resolve();
  const load = async (query: SeriesQuery) => {
    if (query.step !== null) return loadSeries(view, query, bounds);
    try {
      return await loadSeries(view, query, { ...bounds, maxValues: maxPoints });
    } catch (error) {
      if (!(error instanceof TooManyValues)) throw error;
      return loadSeries(view, { ...query, step: '30m', hasBand: true }, bounds);
    }
  };
  return {
    async chart({ pluginId, chartId }) {
      const chart = await view.getChart(pluginId, chartId);
      const { uid, type, title, isDefault, pluginName } = chart;
      const span = (await view.findSpans([uid])).get(uid);
      const ends = span && { first: span.first, last: span.last };
      const about = { pluginId, chartId, type, title, isDefault, pluginName, span: ends };
      const settings = parseSettings(chart);
      const data = formOf(type) === 'line' ? undefined : await view.readChartData(pluginId, chartId, 0);
      if (data?.storage !== 'latest')
        return { ...about, settings, latest: span === undefined ? null : [span.last, span.lastValue] };
      const facts = await loadFacts(view, { ...chart, pluginId });
      await nextTurn();
      return { ...about, ...facts, settings, latest: JSON.parse(data.json) };
    },
    series(query) {
      const answer = last.then(async (): Promise<SeriesAnswer> => {
        const { step, times, series } = await load(query);
        return { step, times, series };
      });
      last = answer.catch(() => {});
      return answer;
    },
  };
}

/** Longer settings are not parsed: they would hold up other requests, and no picture has room for so many names. */
const maxSettingsLength = 64 * 1024;

/** Parses the settings of a chart; undefined if they are very long. */
export function parseSettings({ data }: Pick<Chart, 'data'>): unknown {
  return data.length > maxSettingsLength ? undefined : JSON.parse(data);
}
