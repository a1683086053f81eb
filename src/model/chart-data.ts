/** Chart data, the content of `/data`, in one of the two storages. */

import type { Columns } from './columns.ts';
import type { JsonText } from './json-text.ts';
import type { Span } from './window.ts';

/** The largest settings, and the largest data that are not points, in bytes of UTF-8. */
export const maxJsonBytes = 1024 * 1024;

/** The data of a chart: points in ascending order of time, or JSON text for every other type. */
export type ChartData =
  | { readonly storage: 'points'; readonly points: Columns }
  | { readonly storage: 'latest'; readonly json: JsonText };

/** The first and the last time of a chart's points or history, in Unix milliseconds. */
export interface StoredSpan extends Span {
  /** The value at the last time; NaN for a history of shares. */
  readonly lastValue: number;
}

/** Chart data from a store: points come in ascending runs of bounded size, each decoded when it is taken. */
export type ReadChartData =
  | {
      readonly storage: 'points';
      readonly pointCount: number;
      /** Each is valid until the next one is taken. */
      readonly runs: Iterable<Columns>;
    }
  | {
      readonly storage: 'latest';
      readonly json: JsonText;
      /** Time of the data, in Unix milliseconds; null for data that came without one, and for none. */
      readonly at: number | null;
      /** False for a chart to which no data came. */
      readonly isStored: boolean;
    };

/** The facts of a chart of shares; of a drilldown pie, those of its outer shares. */
export interface ShareFacts {
  /** The names of the 12 largest shares by their sum over the whole history, then bytewise: the order in which they get colours. */
  readonly colours: readonly string[];
  /** The share that is the largest now, and the beginning of the UTC day since which it has been, in Unix milliseconds; null without a history. */
  readonly mostUsed: { readonly name: string; readonly since: number } | null;
}
