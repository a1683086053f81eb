/** A query for series: charts, a window of time, steps, and how shares become series. */
import type { ChartName } from '../model/chart.ts';
import type { Aggregate } from './steps.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Steps by name, in milliseconds. */
export const steps = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
} as const;

/** Lengths of the windows that end at the newest time, in milliseconds. */
export const ranges = {
  '1d': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
  all: Number.POSITIVE_INFINITY,
} as const;

export type RangeName = keyof typeof ranges;

/** Ways in which the values of a step become one. */
export const aggregates: readonly Aggregate[] = ['mean', 'min', 'max', 'last', 'count'];

/** The query of a request for series. */
export interface SeriesQuery {
  /** At least one; no two are the same. */
  readonly charts: readonly ChartName[];
  /** A window of two times, or one that ends at the newest time of all charts. */
  readonly window: { readonly from: number; readonly to: number } | { readonly range: RangeName };
  readonly step: keyof typeof steps | null;
  readonly aggregate: Aggregate;
  /** Number of shares that are series of their own. */
  readonly top: number;
  /** 1: the outer shares of drilldown pies; 2: the inner ones. */
  readonly level: 1 | 2;
  /** True to add up all line charts. */
  readonly isSum: boolean;
}
