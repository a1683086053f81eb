/** Chart data, the content of `/data`, in one of two storage forms. */

import type { Columns } from './columns.ts';
import type { JsonText } from './json-text.ts';
import type { Span } from './window.ts';

/** Size limit for settings, and for data other than points, in bytes of UTF-8. */
export const maxJsonBytes = 1024 * 1024;

/** Data of a chart: points in ascending order of time, or JSON text for all other types. */
export type ChartData =
  | { readonly storage: 'points'; readonly points: Columns }
  | { readonly storage: 'latest'; readonly json: JsonText };

/** First and last time of the points or the history of a chart, in Unix milliseconds. */
export interface StoredSpan extends Span {
  /** Value at the last time; NaN for a history of shares. */
  readonly lastValue: number;
}

/** Chart data from a store. Points come in ascending runs of bounded size, each decoded on demand. */
export type ReadChartData =
  | {
      readonly storage: 'points';
      readonly pointCount: number;
      /** Each run is valid until the next one is taken. */
      readonly runs: Iterable<Columns>;
    }
  | {
      readonly storage: 'latest';
      readonly json: JsonText;
      /** Time of the data, in Unix milliseconds; null without data, or for data without a time. */
      readonly at: number | null;
      /** False if the chart never received data. */
      readonly isStored: boolean;
    };

/** Facts about a chart of shares; for a drilldown pie, about its outer shares. */
export interface ShareFacts {
  /**
   * Names of the 12 largest shares by their sum over the whole history, then bytewise; colours are assigned
   * in this order.
   */
  readonly colours: readonly string[];
  /**
   * The largest share, and the start of the UTC day since which it has been the largest, in Unix
   * milliseconds; null without a history.
   */
  readonly mostUsed: { readonly name: string; readonly since: number } | null;
}
