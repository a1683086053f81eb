/** Loads the series of a request: one for each line and share, over the same times. */

import { AppError } from '../model/app-error.ts';
import { type Chart, chartNamesText } from '../model/catalogue.ts';
import { hasShares, haveOneValueEach } from '../model/chart-forms.ts';
import { formOf } from '../model/chart-types.ts';
import { type Columns, compareShares, valuesOf } from '../model/columns.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import {
  type SeriesAnswer,
  type SeriesQuery,
  type Stepping,
  seriesSteps,
  stepFor,
} from '../model/series-source.ts';
import { newestFirst } from '../model/versions.ts';
import { type DataWindow, firstFrom, ranges, type Span, spanOver, stepEnd } from '../model/window.ts';
import { nextTurn } from '../runtime/next-turn.ts';
import { free } from '../runtime/releasable-memory.ts';
import {
  type ChartColumns,
  columnCountOf,
  mergeTimes,
  overSameTimes,
  SeriesSum,
  seriesOver,
} from './merge-series.ts';
import { roundMean } from './number-text.ts';
import { type LargestShares, minorShares, outerShares, ShareSteps, ShareSums } from './share-steps.ts';
import { StepTimes, StepValues } from './steps.ts';

/** Maximum number of values in a response. */
const usualMaxValues = 2_000_000;

/** Series with the window and steps used. */
export interface SteppedSeries extends SeriesAnswer, Stepping {
  readonly step: number | null;
  /**
   * `first`: the window begins within the first step; `last`: the window or the values end within the last
   * step.
   */
  readonly partial: { readonly first: boolean; readonly last: boolean };
}

/** Limits on reading. */
export interface LoadBounds {
  /**
   * Weight of a history: its values, plus 64 for each share of a part. A weight of 10 million takes about a
   * second.
   */
  readonly maxWeight?: number;
  /** Distinct shares of a history. */
  readonly maxShares?: number;
  /** Values in the response. */
  readonly maxValues?: number;
}

/** Thrown if the series exceed the limits of a response or the bounds on reading. */
export class TooManyValues extends AppError {}

/** A chart that has been looked up and has series. */
interface ChartWithSpan extends Chart {
  readonly pluginId: number;
  readonly span: Span | undefined;
}

/**
 * Loads series, in turns.
 * @param known charts that have already been looked up, by names such as `1337:players`.
 * @throws AppError `not_found` for an unknown chart, `invalid` for a chart that has no series; TooManyValues.
 */
export async function loadSeries(
  view: MetricsView,
  query: SeriesQuery,
  bounds: LoadBounds = {},
  known: ReadonlyMap<string, ChartWithSpan> = new Map(),
): Promise<SteppedSeries> {
  const charts: ChartOfPlugin[] = [];
  const spans: Span[] = [];
  const unknown: number[] = [];
  for (const name of query.charts) {
    const found = known.get(chartNamesText([name]));
    const chart = found ?? { ...(await view.getChart(name.pluginId, name.chartId)), pluginId: name.pluginId };
    charts.push(chart);
    if (found?.span !== undefined) spans.push(found.span);
    if (found !== undefined) continue;
    await refuseWithoutSeries(view, chart);
    unknown.push(chart.uid);
  }
  if (unknown.length > 0) spans.push(...(await view.findSpans(unknown)).values());
  const span = spanOver(spans);
  const window = findWindow(span, query);
  const stepName = query.points === undefined ? query.step : stepFor(window, query.points);
  const step = stepName === null ? null : seriesSteps[stepName];
  const stepping: Stepping = { window, step, aggregate: query.aggregate };
  const limits = {
    window,
    maxSeries: mostSeries(charts, query),
    maxValues: bounds.maxValues ?? usualMaxValues,
  };
  const columns: ChartColumns[] = [];
  let seriesCount = 0;
  for (const some of query.isSum ? byForm(charts) : charts.map((chart) => [chart])) {
    const load = some.some(({ type }) => isLine(type)) ? lineColumns : shareColumns;
    const found = await load(view, some, { stepping, query, limits, bounds });
    // Times count only if they have a series.
    if (found.series.length === 0) continue;
    seriesCount += found.series.reduce((count, one) => count + columnCountOf(one), 0);
    refuseTooMany(found.times.length * seriesCount, limits);
    columns.push(overSameTimes(found, columns.at(-1)));
  }
  let times: Float64Array = new Float64Array(0);
  for (const column of columns) {
    times = mergeTimes(times, column.times);
    // This check follows each merge, to bound the cost of merging charts with many different times.
    refuseTooMany(times.length * seriesCount, limits);
    await nextTurn();
  }
  const series = await seriesOver(times, columns);
  if (step !== null && query.aggregate === 'mean')
    for (const { values } of series)
      for (let start = 0; start < values.length; start += meansPerTurn) {
        const some = values.subarray(start, start + meansPerTurn);
        some.set(some.map(roundMean));
        await nextTurn();
      }
  return { ...stepping, partial: partialOf(times, stepping, span), times, series };
}

/** Usual interval of points: a step is complete once its last half-hour has a point. */
const usualIntervalMs = seriesSteps['30m'];

function partialOf(
  times: Float64Array,
  { window, step }: Stepping,
  span: Span | undefined,
): SteppedSeries['partial'] {
  const [first, last] = [times[0], times.at(-1)];
  if (step === null || first === undefined || last === undefined || span === undefined)
    return { first: false, last: false };
  const end = stepEnd(last, step);
  return { first: window.from > first, last: window.to < end || span.last + usualIntervalMs < end };
}

/** Number of means to round before ending the turn. */
const meansPerTurn = 8192;

/** Returns the maximum number of series that the charts of a query can produce. */
function mostSeries(charts: readonly ChartOfPlugin[], { isSum, hasBand, top }: SeriesQuery): number {
  const each = isSum ? byForm(charts).flatMap((some) => some.slice(0, 1)) : charts;
  const lineCount = each.filter(({ type }) => isLine(type)).length;
  return lineCount * (hasBand ? 3 : 1) + (each.length - lineCount) * (top + 1);
}

/** Groups charts by form; each form is added up separately. Lines come first. */
function byForm(charts: readonly ChartOfPlugin[]): ReadonlyArray<readonly ChartOfPlugin[]> {
  const { line = [], ...others } = Object.groupBy(charts, ({ type }) => formOf(type));
  return [line, ...Object.values(others)].filter((some) => some.length > 0);
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
  const message = `chart ${pluginId}:${chartId} has only its newest data, because ${reason}; lines, pies, maps and bars of one value have series`;
  throw new AppError('malformed-query', message);
}

/** True for bars without a history whose current data cannot be stored in one. */
async function areOtherBars(
  view: MetricsView,
  { pluginId, chartId, uid, type }: ChartOfPlugin,
): Promise<boolean> {
  if (formOf(type) !== 'bars' || (await view.findSpans([uid])).has(uid)) return false;
  const data = await view.readChartData(pluginId, chartId, 0);
  return data.storage === 'latest' && !haveOneValueEach(type, data.json);
}

/** Finds the window of the series; a range or open window ends at the newest time of all charts. */
function findWindow(span: Span | undefined, { window }: SeriesQuery): DataWindow {
  if (typeof window !== 'string')
    return {
      from: window.from,
      to: window.to ?? Math.max(window.from, (span?.last ?? Number.NEGATIVE_INFINITY) + 1),
    };
  if (span === undefined) return { from: 0, to: 0 };
  const to = span.last + 1;
  const from = window === 'all' ? span.first : Math.max(0, to - ranges[window]);
  return { from, to };
}

interface ColumnsOptions {
  readonly stepping: Stepping;
  readonly query: SeriesQuery;
  readonly limits: ValueLimits;
  readonly bounds: LoadBounds;
}

/** Reads a line, or the sum of several lines. */
async function lineColumns(
  view: MetricsView,
  charts: readonly ChartOfPlugin[],
  options: ColumnsOptions,
): Promise<ChartColumns> {
  const sum = new SeriesSum();
  for (const chart of charts) {
    const line = await readLine(view, chart, options);
    if (!options.query.isSum) return line;
    sum.add(line);
    refuseTooMany(sum.times.length, options.limits);
    await nextTurn();
  }
  return sum.columns([{ group: null, name: 'Sum', isSum: true }]);
}

async function readLine(
  view: MetricsView,
  chart: ChartOfPlugin,
  { stepping, query, limits }: ColumnsOptions,
): Promise<ChartColumns> {
  const { window, aggregate } = stepping;
  const found = new StepTimes(stepping);
  const aggregates = query.hasBand ? ([aggregate, 'min', 'max'] as const) : [aggregate];
  const columns = aggregates.map((one) => new StepValues({ ...stepping, aggregate: one }));
  for await (const points of view.readColumns(chart, window)) {
    const range = found.add(points.times);
    for (const column of columns) column.add(range, valuesOf(points));
    refuseTooMany(found.times.length, limits);
    await nextTurn();
  }
  const [values = new Float64Array(0), lows, highs] = columns.map((column) => column.finish(found));
  const line = { chart, group: null, name: lineName(chart), values, ...(lows && highs && { lows, highs }) };
  return { times: found.times.take(), series: [line] };
}

/** Returns the name of a line: its `lineName`, or else the title of its chart (interface.md 2.5). */
export function lineName({ data, title }: Chart): string {
  const settings: unknown = JSON.parse(data);
  const name =
    typeof settings === 'object' && settings !== null && 'lineName' in settings ? settings.lineName : '';
  return typeof name === 'string' && name !== '' ? name : title;
}

/**
 * Maximum weight of a history that is kept in memory between finding its largest shares and reading their
 * values: 4 MB.
 */
const maxKeptWeight = 500_000;

/** Overhead of a share in a part, expressed in values. */
const valuesPerShare = 64;

/** Reads the largest shares of a chart, or of the sum of several charts; all other shares form one series. */
async function shareColumns(
  view: MetricsView,
  charts: readonly ChartOfPlugin[],
  options: ColumnsOptions,
): Promise<ChartColumns> {
  const { largest, kept } = await findLargest(view, charts, options);
  const sum = new SeriesSum();
  let about: ChartColumns['series'] = [];
  for (const chart of charts) {
    const gathered = new ShareSteps(options.stepping, largest);
    for await (const part of kept ?? partsOf(view, chart, options)) {
      gathered.add(part);
      freePart(part);
      await nextTurn();
    }
    const found = gathered.finish();
    if (!options.query.isSum) return { ...found, series: found.series.map((one) => ({ chart, ...one })) };
    about = found.series;
    sum.add(found);
    refuseTooMany(sum.times.length * about.length, options.limits);
    await nextTurn();
  }
  return sum.columns(about);
}

/** Reads a history at the requested level of shares. */
async function* partsOf(
  view: MetricsView,
  chart: Chart,
  { stepping: { window }, query }: ColumnsOptions,
): AsyncGenerator<Columns> {
  for await (const part of view.readColumns(chart, window)) {
    const isOuter = query.level === 1 && part.series.some(({ group }) => group !== null);
    const level = isOuter ? replaced(part, outerShares) : part;
    yield query.group === 'minor' ? replaced(level, minorShares) : level;
  }
}

/** Makes a new part from a part, which is then freed. */
function replaced(part: Columns, make: (part: Columns) => Columns): Columns {
  const made = make(part);
  freePart(part);
  return made;
}

/**
 * Frees the numbers of a part at once: left as garbage, many parts would trigger repeated garbage
 * collections.
 */
function freePart({ times }: Columns): void {
  free(times.buffer);
}

/**
 * Finds the largest shares over all charts. If there is a single chart with a small history, also returns its
 * parts.
 */
async function findLargest(
  view: MetricsView,
  charts: readonly ChartOfPlugin[],
  options: ColumnsOptions,
): Promise<{ readonly largest: LargestShares; readonly kept: readonly Columns[] | undefined }> {
  const {
    stepping: { window, step },
    query,
    limits,
    bounds: { maxWeight = Number.POSITIVE_INFINITY, maxShares = Number.POSITIVE_INFINITY },
  } = options;
  using sums = new ShareSums(window);
  let mostTimes = 0;
  let weight = 0;
  let kept: Columns[] | undefined = charts.length > 1 ? undefined : [];
  for (const chart of charts) {
    let timeCount = 0;
    for await (const part of partsOf(view, chart, options)) {
      timeCount += firstFrom(part.times, window.to) - firstFrom(part.times, window.from);
      weight += (part.times.length + valuesPerShare) * part.series.length;
      await sums.makeRoom(part);
      sums.add(part);
      if (weight > maxWeight || sums.shareCount > maxShares)
        throw new TooManyValues('invalid', 'the history has too many values or shares');
      if (weight > maxKeptWeight) kept = undefined;
      if (kept === undefined) freePart(part);
      else kept.push(part);
      await nextTurn();
    }
    mostTimes = Math.max(mostTimes, timeCount);
  }
  for (const chart of charts)
    for await (const part of kept ?? partsOf(view, chart, options)) {
      sums.look(part, query.top);
      if (kept === undefined) freePart(part);
      await nextTurn();
    }
  const largest = query.order === 'version' ? newestShares(sums.largest) : sums.largest;
  if (step === null)
    refuseTooMany(mostTimes * (largest.shares.length + Math.min(largest.otherCount, 1)), limits);
  return { largest, kept };
}

/** Orders the largest shares by version, newest first. */
function newestShares({ shares, ...others }: LargestShares): LargestShares {
  return { ...others, shares: shares.toSorted((a, b) => newestFirst(a.name, b.name) || compareShares(a, b)) };
}

/** Limits on the values of a response, for its window and its maximum number of series. */
interface ValueLimits {
  readonly window: DataWindow;
  readonly maxSeries: number;
  readonly maxValues: number;
}

/** @throws TooManyValues; the message suggests a step that fits. */
function refuseTooMany(valueCount: number, { window, maxSeries, maxValues }: ValueLimits): void {
  if (valueCount <= maxValues) return;
  const { from, to } = window;
  const fits = Object.entries(seriesSteps).find(
    ([, step]) => ((to - from) / step + 1) * maxSeries <= maxValues,
  )?.[0];
  const advice =
    fits === undefined ? 'ask for a shorter window or for fewer charts' : `step=${fits} fits this window`;
  const message = `an answer may have at most ${maxValues} values: ${advice}`;
  throw new TooManyValues('malformed-query', message);
}
