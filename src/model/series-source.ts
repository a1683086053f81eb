/**
 * The port for loading charts: implemented by a view of a store on the server, and by `/api/v2` in a page.
 */

import type { ChartName } from './chart.ts';
import type { ShareFacts } from './chart-data.ts';
import type { Columns, Series } from './columns.ts';
import type { SeriesStep } from './series-steps.ts';
import type { DataWindow, Period, Span } from './window.ts';

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
  /** Gets a chart. Rejects if the chart does not exist. */
  chart(name: ChartName): Promise<SourceChart>;
  /**
   * Reads series. If a line has more points than a picture can use, the source may return steps with a band
   * instead.
   */
  series(query: SeriesQuery & { readonly window: DataWindow }): Promise<SeriesAnswer>;
}
