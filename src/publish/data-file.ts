/**
 * `data.json` of a plugin: the answer of `/api/v2/plugins/{pluginId}`, and in `series`, by chart id, the
 * values of lines and shares: `recent` as stored, and before that `days`, the mean of each day. A drilldown
 * pie has its inner shares in `inner`.
 */
import { formOf } from '../model/chart-types.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { SeriesQuery } from '../model/series-source.ts';
import { dayMs, dayStart, type Span, spanOver } from '../model/window.ts';
import { loadSeries, TooManyValues } from '../series/load-series.ts';

/** Days before the newest time of a plugin of which all points are kept: charts show these as points. */
const recentDays = 60;

/** Shares of a chart that have names; a picture of more cannot be read. */
const top = 100;

/** Renders the file, in parts. @param now the answer about the plugin. */
export async function* renderDataFile(
  view: MetricsView,
  pluginId: number,
  now: string,
): AsyncGenerator<string> {
  const charts: { readonly chartId: string; readonly type: string; readonly span: Span }[] = [];
  for await (const batch of view.listCharts(pluginId)) {
    const spans = await view.findSpans(batch.map(({ uid }) => uid));
    for (const { chartId, type, uid } of batch) {
      const span = spans.get(uid);
      if (span !== undefined) charts.push({ chartId, type, span });
    }
  }
  const newest = spanOver(charts.map(({ span }) => span))?.last ?? 0;
  const from = Math.max(0, dayStart(newest - recentDays * dayMs));
  yield `${now.slice(0, -1)},"series":{`;
  let separator = '';
  for (const { chartId, type, span } of charts) {
    const form = formOf(type);
    const load = async (level: 1 | 2) => {
      const asked = { charts: [{ pluginId, chartId }], top, level, isSum: false, aggregate: 'mean' } as const;
      const before = { from: span.first, to: from };
      return {
        recent: await loadColumns(view, { ...asked, window: { from, to: newest + 1 }, step: null }),
        ...(span.first < from && {
          days: await loadColumns(view, { ...asked, window: before, step: '1d', hasBand: form === 'line' }),
        }),
      };
    };
    const inner = form === 'drilldown' && { inner: await load(2) };
    yield `${separator}${JSON.stringify(chartId)}:${JSON.stringify({ ...(await load(1)), ...inner })}`;
    separator = ',';
  }
  yield '}}';
}

/** Loads values as JSON; of more points than an answer of the server may have, the means of half hours. */
async function loadColumns(view: MetricsView, query: SeriesQuery) {
  const { times, series } = await loadSeries(view, query).catch((error: unknown) => {
    if (error instanceof TooManyValues) return loadSeries(view, { ...query, step: '30m', hasBand: false });
    throw error;
  });
  return {
    times: [...times],
    series: series.map(({ chart: _, values, lows, highs, ...one }) => ({
      ...one,
      values: [...values],
      ...(lows && highs && { lows: [...lows], highs: [...highs] }),
    })),
  };
}
