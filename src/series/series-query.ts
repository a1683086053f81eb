/** A query for series: charts, a window of time, steps, and how shares become series. */
import type { ChartName } from '../model/chart.ts';
import type { Period } from '../model/window.ts';
import type { SeriesStep } from './series-steps.ts';
import type { Aggregate } from './steps.ts';

/** Ways in which the values of a step become one. */
export const aggregates: readonly Aggregate[] = ['mean', 'min', 'max', 'last', 'count'];

/** The query of a request for series. */
export interface SeriesQuery {
  /** At least one; no two are the same. */
  readonly charts: readonly ChartName[];
  /** A window of two times, or one that ends at the newest time of all charts: a range, or one with a beginning alone. */
  readonly window: Period | { readonly from: number; readonly to?: undefined };
  readonly step: SeriesStep | null;
  /** Replaces a step: the most steps that the window may have. */
  readonly points?: number | undefined;
  readonly aggregate: Aggregate;
  /** Number of shares that are series of their own. */
  readonly top: number;
  /** 1: the outer shares of drilldown pies; 2: the inner ones. */
  readonly level: 1 | 2;
  /** `minor` for the minor lines of versions in place of the names of shares. */
  readonly group?: 'minor' | 'none' | undefined;
  /** The order of the shares of a chart: the largest first, or the newest version. */
  readonly order?: 'size' | 'version' | undefined;
  /** True to add up all line charts. */
  readonly isSum: boolean;
  /** True for the lowest and the highest values of each step of a line too. */
  readonly hasBand?: boolean;
}
