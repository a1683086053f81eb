/**
 * The port for loading the series of charts, which a view of a store, `/api/v2` and published files
 * implement; and the steps of series.
 */

import type { ChartName } from './catalogue.ts';
import type { ShareFacts } from './chart-data.ts';
import type { Columns, Series } from './columns.ts';
import { type DataWindow, dayMs, monthMs, type Period, type Span, stepEnd, stepStart } from './window.ts';

const hourMs = dayMs / 24;

/** Steps with their lengths, shortest first. A month is a calendar month. */
export const seriesSteps = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '2h': 2 * hourMs,
  '3h': 3 * hourMs,
  '6h': 6 * hourMs,
  '12h': 12 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
  '1mo': monthMs,
} as const;

/** Name of a step. */
type SeriesStep = keyof typeof seriesSteps;

const stepNames = Object.keys(seriesSteps) as readonly SeriesStep[];

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: hourMs / 60,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
  mo: monthMs,
  y: 365 * dayMs,
};

/**
 * Parses a length such as `1d`. Other lengths are rounded up to the next step; longer ones than a month
 * become a month.
 */
export function parseStep(text: string): SeriesStep | undefined {
  const [, count, unit = ''] = /^0*([1-9]\d{0,14})(ms|s|m|h|d|w|mo|y)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const length = Number(count) * (units[unit] ?? 0);
  return stepNames.find((name) => seriesSteps[name] >= length) ?? '1mo';
}

/** Returns the smallest step that divides a window into at most `maxCount` steps, or else a month. */
export function stepFor({ from, to }: DataWindow, maxCount: number): SeriesStep {
  const countOf = (step: number) => (stepEnd(stepStart(to - 1, step), step) - stepStart(from, step)) / step;
  const fits = (name: SeriesStep) => from >= to || Math.round(countOf(seriesSteps[name])) <= maxCount;
  return stepNames.find(fits) ?? '1mo';
}

/** Ways to combine the values within a step. */
export type Aggregate = 'mean' | 'min' | 'max' | 'last' | 'count';

/** A window with or without steps, and how the values within a step are combined. */
export interface Stepping {
  readonly window: DataWindow;
  /** Length of a step in milliseconds; null for times as stored. */
  readonly step: number | null;
  readonly aggregate: Aggregate;
}

/** Query for series: charts, a window, steps, and how shares become series. */
export interface SeriesQuery {
  /** At least one chart, without duplicates. */
  readonly charts: readonly ChartName[];
  /** A period, or a window without an end; a range or open window ends at the newest time of all charts. */
  readonly window: Period | { readonly from: number; readonly to?: undefined };
  readonly step: SeriesStep | null;
  /** Alternative to `step`: the maximum number of steps in the window. */
  readonly points?: number | undefined;
  readonly aggregate: Aggregate;
  /** Number of shares that get their own series. */
  readonly top: number;
  /** 1 for the outer shares of drilldown pies, 2 for the inner ones. */
  readonly level: 1 | 2;
  /** `minor` groups the shares of versions into minor lines. */
  readonly group?: 'minor' | 'none' | undefined;
  /** Order of the shares of a chart: largest first, or newest version first. */
  readonly order?: 'size' | 'version' | undefined;
  /** True to add up all charts. */
  readonly isSum: boolean;
  /** True to add the lowest and highest value of each step of a line. */
  readonly hasBand?: boolean;
}

/** A series of a chart. */
export interface SeriesOfChart extends Series {
  /** The chart; undefined for a sum of several charts. */
  readonly chart?: ChartName;
  /** Set for the sum of the shares that are not among the largest. */
  readonly isOther?: true;
  /** Number of these shares, if the source knows it. */
  readonly otherCount?: number;
  /** Set for the sum of lines. */
  readonly isSum?: true;
  /** Only for a line with a band: the lowest and highest value of each step. */
  readonly lows?: Float64Array | undefined;
  readonly highs?: Float64Array | undefined;
}

/** Series over the same times. */
export interface SeriesAnswer extends Columns {
  /** Length of a step in milliseconds; null for times as stored. */
  readonly step: number | null;
  readonly series: readonly SeriesOfChart[];
}

/** A chart with its newest data. */
export interface SourceChart extends ChartName, Partial<ShareFacts> {
  readonly type: string;
  readonly title: string;
  readonly isDefault: boolean;
  readonly pluginName: string;
  /** Parsed settings; undefined if they are too long. */
  readonly settings: unknown;
  /** Undefined without points or a history. */
  readonly span: Span | undefined;
  /** Newest `[time, value]` of a line, or null; the data of any other chart. */
  readonly latest: unknown;
}

/** Source of series. */
export interface SeriesSource {
  /**
   * Reads series. If a line has more points than a picture can use, the source may return steps with a band
   * instead.
   */
  series(query: SeriesQuery & { readonly window: DataWindow }): Promise<SeriesAnswer>;
}
