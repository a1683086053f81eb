/** Loads the series of a request: a column for each line and each share, over the same times. */

import { AppError } from '../model/app-error.ts';
import type { Chart } from '../model/chart.ts';
import { formOf } from '../model/chart-types.ts';
import { hasShares, haveOneValueEach } from '../model/data-shares.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import { nextTurn } from '../model/next-turn.ts';
import type { ShareHistory } from '../model/share-history.ts';
import { ranges, steps, type TimeWindow } from '../model/window.ts';
import {
  type ChartColumns,
  LineSum,
  mergeTimes,
  overSameTimes,
  type Series,
  seriesOver,
} from './merge-series.ts';
import { roundMean } from './number-text.ts';
import type { SeriesQuery } from './series-query.ts';
import { outerShares, ShareSteps, ShareSums } from './share-steps.ts';
import { firstFrom, LineSteps, type Window } from './steps.ts';

/** The most values of an answer. */
const maxValues = 2_000_000;

/** Series over the same times. */
export interface SeriesAnswer {
  readonly window: Window;
  readonly times: Float64Array;
  readonly series: readonly Series[];
}

/** Loads series, in turns. @throws as {@link seriesParts}. */
export async function loadSeries(view: MetricsView, query: SeriesQuery): Promise<SeriesAnswer> {
  for await (const answer of seriesParts(view, query)) {
    if (answer !== undefined) return answer;
    await nextTurn();
  }
  throw new Error('series end with their answer');
}

/**
 * Loads series; each empty part ends a turn, and the last part is the answer.
 * @throws AppError `not_found` for a chart that is missing, `invalid` for one that has no series, and for too many values.
 */
export async function* seriesParts(
  view: MetricsView,
  query: SeriesQuery,
): AsyncGenerator<SeriesAnswer | undefined> {
  const charts: ChartOfPlugin[] = [];
  for (const { pluginId, chartId } of query.charts) {
    const chart = { ...(await view.getChart(pluginId, chartId)), pluginId };
    await refuseWithoutSeries(view, chart);
    charts.push(chart);
  }
  const window = await findWindow(view, charts, query);
  const maxSeries = mostSeries(charts, query);
  const columns: ChartColumns[] = [];
  const sum = query.isSum && charts.some(({ type }) => isLine(type)) ? new LineSum() : undefined;
  let seriesCount = sum === undefined ? 0 : 1;
  for (const chart of charts) {
    for await (const found of columnsOf(view, chart, { window, query, maxSeries })) {
      if (found === undefined) yield undefined;
      // Times count only if a series has them.
      if (found === undefined || found.series.length === 0) continue;
      if (found.isLine && sum !== undefined) {
        sum.add(found);
        refuseTooMany(sum.columns.times.length * seriesCount, window, maxSeries);
        yield undefined;
        continue;
      }
      seriesCount += found.series.length;
      refuseTooMany(found.times.length * seriesCount, window, maxSeries);
      columns.push(overSameTimes(found, columns.at(-1)));
    }
  }
  // The sum is the first of the series.
  if (sum !== undefined) columns.unshift(sum.columns);
  let times: Float64Array = new Float64Array(0);
  for (const column of columns) {
    times = mergeTimes(times, column.times);
    // Checked after each merge, so that merging many different times costs no more than the answer may.
    refuseTooMany(times.length * seriesCount, window, maxSeries);
    yield undefined;
  }
  const series = yield* seriesOver(times, columns);
  if (window.step !== null && window.aggregate === 'mean')
    for (const { values } of series)
      for (let start = 0; start < values.length; start += meansPerTurn) {
        const some = values.subarray(start, start + meansPerTurn);
        some.set(some.map(roundMean));
        yield undefined;
      }
  yield { window, times, series };
}

/** Means that are rounded without a break. */
const meansPerTurn = 8192;

/** The most series that the charts of a query can have. */
function mostSeries(charts: readonly Chart[], { isSum, top }: SeriesQuery): number {
  const lineCount = charts.filter(({ type }) => isLine(type)).length;
  return (isSum ? Math.min(1, lineCount) : lineCount) + (charts.length - lineCount) * (top + 1);
}

function isLine(typeName: string): boolean {
  return formOf(typeName) === 'line';
}

type ChartOfPlugin = Chart & { readonly pluginId: number };

async function refuseWithoutSeries(view: MetricsView, chart: ChartOfPlugin): Promise<void> {
  const { pluginId, chartId, type } = chart;
  if (isLine(type)) return;
  if (hasShares(type) && !(await areOtherBars(view, chart))) return;
  const reason = hasShares(type) ? 'its bars do not have one value each' : `it is a ${type}`;
  const message = `of chart ${pluginId}:${chartId} only the newest data are known, because ${reason}; series are of lines, pies, maps and bars of one value`;
  throw new AppError('invalid', message, { kind: 'malformed-query' });
}

/** True for bars that have no history and cannot have one as they are now. */
async function areOtherBars(
  view: MetricsView,
  { pluginId, chartId, uid, type }: ChartOfPlugin,
): Promise<boolean> {
  if (formOf(type) !== 'bars' || (await view.findSpans([uid])).has(uid)) return false;
  const data = await view.readChartData(pluginId, chartId, 0);
  return data.storage === 'snapshot' && !haveOneValueEach(type, data.json);
}

/** Finds the window in which the series are, from the newest time of all charts if need be. */
async function findWindow(view: MetricsView, charts: readonly Chart[], query: SeriesQuery): Promise<Window> {
  const { window, aggregate } = query;
  const step = query.step === null ? null : steps[query.step];
  if (typeof window !== 'string') return { ...window, step, aggregate };
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const spans = await view.findSpans(charts.map(({ uid }) => uid));
  for (const span of spans.values()) {
    first = Math.min(first, span.first);
    last = Math.max(last, span.last);
  }
  if (last === Number.NEGATIVE_INFINITY) return { from: 0, to: 0, step, aggregate };
  const to = last + 1;
  const from = window === 'all' ? first : Math.max(0, to - ranges[window]);
  return { from, to, step, aggregate };
}

interface ColumnsOptions {
  readonly window: Window;
  readonly query: SeriesQuery;
  readonly maxSeries: number;
}

/** Gathers the columns of a chart; undefined ends a turn. */
async function* columnsOf(
  view: MetricsView,
  chart: ChartOfPlugin,
  options: ColumnsOptions,
): AsyncGenerator<ChartColumns | undefined> {
  const { window, maxSeries } = options;
  const name = { pluginId: chart.pluginId, chartId: chart.chartId };
  if (!isLine(chart.type)) {
    yield* shareColumns(name, { ...options, readParts: () => view.readHistory(chart.uid, window) });
    return;
  }
  const line = new LineSteps(window);
  for await (const points of view.readPoints(chart.uid, window)) {
    line.add(points);
    refuseTooMany(line.stepCount, window, maxSeries);
    yield undefined;
  }
  const { times, values } = line.finish();
  yield { isLine: true, times, series: [{ chart: name, name: lineName(chart), values }] };
}

/** The name of a line: its `lineName`, or the title of its chart (interface.md 2.5). */
export function lineName({ data, title }: Chart): string {
  const settings: unknown = JSON.parse(data);
  const name =
    typeof settings === 'object' && settings !== null && 'lineName' in settings ? settings.lineName : '';
  return typeof name === 'string' && name !== '' ? name : title;
}

/** Most values that are kept between the search for the largest shares and their columns: 4 MB. */
const maxKeptWeight = 500_000;

type HistoryOptions = ColumnsOptions & { readonly readParts: () => AsyncIterable<ShareHistory> };

/** The largest shares of a history in a window. */
interface LargestShares extends ReturnType<ShareSums['finish']> {
  /** The parts of the history, unless they are too large to be kept. */
  readonly kept: readonly ShareHistory[] | undefined;
}

/** Finds the largest shares. The names of all others are forgotten when it returns; undefined ends a turn. */
async function* largestShares(options: HistoryOptions): AsyncGenerator<undefined, LargestShares> {
  const { readParts, window, query, maxSeries } = options;
  const sums = new ShareSums(window);
  let timeCount = 0;
  let weight = 0;
  let kept: ShareHistory[] | undefined = [];
  for await (const part of readParts()) {
    const history = atLevel(part, query);
    timeCount += firstFrom(history.times, window.to) - firstFrom(history.times, window.from);
    // A share takes as much as some values do.
    weight += (history.times.length + 64) * history.shares.length;
    sums.add(history);
    if (weight > maxKeptWeight) kept = undefined;
    kept?.push(history);
    yield undefined;
  }
  const { shares, hasOther } = sums.finish(query.top);
  if (window.step === null)
    refuseTooMany(timeCount * (shares.length + (hasOther ? 1 : 0)), window, maxSeries);
  return { shares, hasOther, kept };
}

function atLevel(part: ShareHistory, { level }: SeriesQuery): ShareHistory {
  return level === 1 && part.shares.some(({ group }) => group !== null) ? outerShares(part) : part;
}

async function* shareColumns(
  chart: { readonly pluginId: number; readonly chartId: string },
  options: HistoryOptions,
): AsyncGenerator<ChartColumns | undefined> {
  const { shares, hasOther, kept } = yield* largestShares(options);
  const { readParts, window, query } = options;
  const gathered = new ShareSteps(window, shares, hasOther);
  for await (const part of kept ?? readParts()) {
    gathered.add(kept === undefined ? atLevel(part, query) : part);
    yield undefined;
  }
  const { times, series } = gathered.finish();
  yield {
    isLine: false,
    times,
    series: series.map(({ share: { group, name }, isOther, values }) => ({
      chart,
      ...(group === null ? {} : { group }),
      name,
      ...(isOther ? { mark: 'isOther' as const } : {}),
      values,
    })),
  };
}

/** @throws AppError `invalid` that names a step which fits. */
function refuseTooMany(valueCount: number, { from, to }: TimeWindow, maxSeries: number): void {
  if (valueCount <= maxValues) return;
  const fits = Object.entries(steps).find(
    ([, step]) => ((to - from) / step + 1) * maxSeries <= maxValues,
  )?.[0];
  const advice =
    fits === undefined ? 'ask for a shorter window or for fewer charts' : `step=${fits} fits this window`;
  const message = `an answer may have ${maxValues} values, and this one would have more: ${advice}`;
  throw new AppError('invalid', message, { kind: 'malformed-query' });
}
