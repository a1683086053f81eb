/** The port that charts are loaded through: a view of a store on the server, the second interface in a page. */

import type { ChartName } from './chart.ts';
import type { ShareFacts } from './chart-data.ts';
import type { Columns, Series } from './columns.ts';
import type { SeriesStep } from './series-steps.ts';
import type { DataWindow, Period, Span } from './window.ts';

/** The way in which the values of a step become one. */
export type Aggregate = 'mean' | 'min' | 'max' | 'last' | 'count';

/** A window that is divided into steps or not, and the way in which the values of a step become one. */
export interface Stepping {
  readonly window: DataWindow;
  /** Length of a step in milliseconds; null for times as they are stored. */
  readonly step: number | null;
  readonly aggregate: Aggregate;
}

/** A query for series: charts, a window of time, steps, and how shares become series. */
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

/** A series of a chart. */
export interface SeriesOfChart extends Series {
  /** Names the chart; undefined for a sum of several. */
  readonly chart?: ChartName;
  /** Given for the sum of the shares that are not among the largest. */
  readonly isOther?: true;
  /** The number of these shares, where the source knows it. */
  readonly otherCount?: number;
  /** Given for the sum of lines. */
  readonly isSum?: true;
  /** Given for a line in its band: the lowest and the highest value of each step. */
  readonly lows?: Float64Array | undefined;
  readonly highs?: Float64Array | undefined;
}

/** Series over the same times. */
export interface SeriesAnswer extends Columns {
  /** Length of a step in milliseconds; null for times as they are stored. */
  readonly step: number | null;
  readonly series: readonly SeriesOfChart[];
}

/** A chart with its newest data. */
export interface SourceChart extends ChartName, Partial<ShareFacts> {
  readonly type: string;
  readonly title: string;
  readonly isDefault: boolean;
  readonly pluginName: string;
  /** Parsed; undefined if they are very long. */
  readonly settings: unknown;
  /** Undefined without points or a history. */
  readonly span: Span | undefined;
  /** The newest `[time, value]` of a line, or null; of any other chart its data. */
  readonly latest: unknown;
}

/** A source of series. */
export interface SeriesSource {
  /** Gets a chart. Rejects if it is not there. */
  chart(name: ChartName): Promise<SourceChart>;
  /** Reads series. Where a line has more points than a picture can use, a source may answer by step, with the band of the line. */
  series(query: SeriesQuery & { readonly window: DataWindow }): Promise<SeriesAnswer>;
}
