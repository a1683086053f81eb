/** Types of requests and responses of `/api/v2`, which only servers that run this program have. */
import type { chartTypes, KnownChartType } from '../model/chart-types.ts';
import type { ChartData, LinePoint } from './types.ts';

/** Selects the plugins to list, and their order. */
export interface PluginPageQuery {
  /** Part of the name of the plugin or its owner, ignoring case. */
  readonly q?: string | undefined;
  /** `url` of a software. */
  readonly software?: string | undefined;
  /** Id of an owner. */
  readonly owner?: number | undefined;
  /** Up to 1,000 ids; unknown ids are ignored. An empty list selects no plugin. */
  readonly ids?: readonly number[] | undefined;
  /** True for global plugins only, false for all others. */
  readonly global?: boolean | undefined;
  /** Sort key; `servers` by default. */
  readonly sort?: 'servers' | 'players' | 'name' | 'id' | undefined;
  /** By default, names and ids ascend and counts descend. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Page size, 1 to 1000; 100 by default. */
  readonly limit?: number | undefined;
  /** The `next` of the previous page; omit it for the first page. */
  readonly after?: string | undefined;
}

/** A page of plugins. */
export interface PluginPage {
  /** Number of plugins on all pages. */
  readonly total: number;
  /** Value of `after` for the next page; null on the last page. */
  readonly next: string | null;
  readonly plugins: readonly PagedPlugin[];
}

/** A plugin on a page. */
export interface PagedPlugin extends PluginHead {
  /** Newest point of the line `servers`; null without points. */
  readonly servers: LinePoint | null;
  /** Newest point of the line `players`; null without points. */
  readonly players: LinePoint | null;
}

/** Fields common to a plugin on a page and a single plugin. */
interface PluginHead {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly id: number; readonly name: string };
  readonly software: { readonly id: number; readonly name: string; readonly url: string };
  readonly isGlobal: boolean;
}

/** A plugin with the newest data of its charts. */
export interface PluginNow extends PluginHead {
  readonly charts: readonly ChartNow[];
  /** Events, such as releases. */
  readonly events: readonly PluginEvent[];
}

/** An event, such as a release. */
export interface PluginEvent {
  /** Unix milliseconds. */
  readonly time: number;
  readonly title: string;
  readonly url: string | null;
}

/** A chart with its newest data. */
export interface ChartNow<Type extends string = string> {
  readonly chartId: string;
  readonly uid: number;
  /** `isChartOfType` narrows the type of the chart and of `latest`. */
  readonly type: Type;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  /** Settings; their shape depends on the type. */
  readonly settings: unknown;
  /** First time of the points or the history, in Unix milliseconds; null without any. */
  readonly first: number | null;
  /** Last time of the points or the history. */
  readonly last: number | null;
  /** Newest point of a line, or null; the data of any other chart. */
  readonly latest: Type extends LineType ? LinePoint | null : ChartData<Type>;
  /**
   * Only for charts of shares: the 12 largest shares by their sum over the whole history. Servers before
   * 0.3.0 omit it.
   */
  readonly colours?: readonly string[] | undefined;
  /**
   * Only for charts of shares: the largest share, and the start of the UTC day since which it has been the
   * largest; null without a history.
   */
  readonly mostUsed?: { readonly name: string; readonly since: number } | null | undefined;
}

type LineType = {
  [Type in KnownChartType]: (typeof chartTypes)[Type] extends 'line' ? Type : never;
}[KnownChartType];

/** Insights of a plugin. Ratios have four decimals, and are null if they cannot be computed. */
export interface Insights {
  /** Newest time of the plugin, in Unix milliseconds; null without data. */
  readonly at: number | null;
  /** One element each for `servers` and `players`, if the plugin has the chart. */
  readonly lines: ReadonlyArray<{
    readonly chartId: string;
    readonly now: LinePoint;
    /**
     * Changes of the mean: the last 7 and 28 days against the 7 and 28 days before, and the last 28 days
     * against the same days 364 days earlier. 0.1 means 10% more.
     */
    readonly changes: {
      readonly '7d': number | null;
      readonly '28d': number | null;
      readonly '1y': number | null;
    };
    readonly peak30d: LinePoint;
    readonly record: LinePoint;
  }>;
  /**
   * Rank by servers among the plugins of the same software; counts are null beyond 10,000. Null without
   * servers and for global plugins.
   */
  readonly standing: {
    readonly rank: number | null;
    readonly of: number | null;
    /** Share of the servers of the global plugin. */
    readonly share: number | null;
  } | null;
  /** Charts of versions. */
  readonly versions: ReadonlyArray<{
    readonly chartId: string;
    readonly at: number | null;
    readonly total: number;
    /** Minor lines, newest first. */
    readonly lines: ReadonlyArray<
      VersionShare & {
        readonly name: string;
        readonly value: number;
        /** Shares 90 days earlier. */
        readonly before: (VersionShare & { readonly at: number }) | null;
      }
    >;
    /** Names that are not versions. */
    readonly other: { readonly value: number; readonly share: number | null };
  }>;
  /** The 20 newest releases, newest first. */
  readonly releases: ReadonlyArray<{
    readonly time: number;
    readonly title: string;
    readonly url: string | null;
    readonly version: string;
    /** Means of the 7 days before and after the day of the release. */
    readonly servers: { readonly before: number; readonly after: number } | null;
    /** Share of the released version 7 and 30 days after the release, and now. */
    readonly share: {
      readonly '7d': number | null;
      readonly '30d': number | null;
      readonly now: number | null;
    };
    /** Days until this and newer versions reached half of the total. */
    readonly halfAfterDays: number | null;
  }>;
}

interface VersionShare {
  readonly share: number | null;
  /** Share of this minor line and all newer ones. */
  readonly atLeast: number | null;
}

/**
 * A time: Unix milliseconds, a `Date`, or ISO 8601 (a date means 00:00 UTC). Servers refuse numbers other
 * than 0 with fewer than twelve digits, because those look like seconds.
 */
export type SeriesTime = number | string | Date;

/** Window of events; an omitted end is open. */
export interface EventWindow {
  /** Inclusive. */
  readonly from?: SeriesTime | undefined;
  /** Exclusive. */
  readonly to?: SeriesTime | undefined;
}

/** A server software in its current state. */
export interface SoftwareNow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPlugin: { readonly id: number; readonly name: string } | null;
  /** Number of plugins for this software. */
  readonly plugins: number;
  /** Newest point of the line `servers` of the global plugin. */
  readonly servers: LinePoint | null;
}

/** Window of time: two times, or a length that ends at the newest time of all charts; 30 days by default. */
export type SeriesWindow =
  | {
      /** Inclusive. */
      readonly from: SeriesTime;
      /** Exclusive; after the newest time by default. */
      readonly to?: SeriesTime | undefined;
      readonly range?: undefined;
    }
  | {
      readonly range?: '1d' | '7d' | '30d' | '90d' | '1y' | 'all' | undefined;
      readonly from?: undefined;
      readonly to?: undefined;
    };

/** The series to read. */
export type SeriesSelection = SeriesChoice & {
  /** True to add the lowest and highest value of each step of a line; needs a step, and excludes `sum`. */
  readonly band?: boolean | undefined;
};

/** The series to read as CSV. */
export type SeriesCsvSelection = SeriesChoice & CsvOptions;

/** Options of CSV. */
export interface CsvOptions {
  /** True for a leading byte order mark, which Excel needs to recognize UTF-8. */
  readonly bom?: boolean | undefined;
}

/** Options of an archive. */
export interface ArchiveOptions {
  /** Earliest time of points and histories; no limit by default. */
  readonly since?: SeriesTime | undefined;
}

type SeriesChoice = SeriesWindow & {
  /** Up to 50 charts, as plugin id and chart id: `['1337:players', '42:os']`. */
  readonly charts: readonly `${number}:${string}`[];
  /**
   * Step of the times: `30m`, `1h`, `2h`, `3h`, `6h`, `12h`, `1d`, `7d` or `1mo`; other lengths are rounded
   * up to one of these. By default, times are returned as stored. Servers before 0.4.0 know only `30m`, `1h`,
   * `6h`, `1d` and `7d`.
   */
  readonly step?: `${number}${'ms' | 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'y'}` | undefined;
  /**
   * Alternative to `step`: the server chooses the smallest step that gives at most this many times, 1 to
   * 10,000.
   */
  readonly points?: number | undefined;
  /** Combines the values within a step; `mean` by default. */
  readonly aggregate?: 'mean' | 'min' | 'max' | 'last' | 'count' | undefined;
  /** Number of shares per chart that get their own series, 1 to 100; 20 by default. */
  readonly top?: number | undefined;
  /** 2 for the inner shares of drilldown pies. */
  readonly level?: 1 | 2 | undefined;
  /** `minor` groups the shares of versions into minor lines. */
  readonly group?: 'minor' | 'none' | undefined;
  /** Order of the shares of a chart: `size` by default; `version` puts the newest version first. */
  readonly order?: 'size' | 'version' | undefined;
  /** True to add up all lines, and the shares of charts of one form by name. */
  readonly sum?: boolean | undefined;
};

/** The plugins whose newest values to read; at least one of the three. */
export interface MetricsSelection {
  /** Up to 1,000 ids; unknown ones are left out. An empty list selects no plugin. */
  readonly plugin?: readonly number[] | undefined;
  /** The id of an owner. */
  readonly owner?: number | undefined;
  /** The url of a software. */
  readonly software?: string | undefined;
}

/** Series over the same times. */
export interface SeriesSet {
  /** The window used. */
  readonly from: number;
  readonly to: number;
  /** Step in milliseconds; null for times as stored. */
  readonly step: number | null;
  readonly aggregate: string | null;
  /**
   * Only with a step. `first`: the window begins within the first step; `last`: the window or the values end
   * within the last step. Servers before 0.4.0 omit it.
   */
  readonly partial?: { readonly first: boolean; readonly last: boolean } | undefined;
  /** Times in Unix milliseconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly (ChartSeries | SumSeries)[];
}

/** A line, or a share of a chart. */
export interface ChartSeries extends SeriesValues {
  /** Null, like `chartId`, for a share summed over several charts. */
  readonly pluginId: number | null;
  readonly chartId: string | null;
  /** The outer share that contains this inner share. */
  readonly group?: string;
  /** True for the sum of the shares that have no series of their own. */
  readonly isOther?: true;
  readonly isSum?: never;
  /** Only for lines, with `band`: the lowest and highest value of each step. */
  readonly lows?: readonly (number | null)[];
  readonly highs?: readonly (number | null)[];
}

/** The sum of all lines. */
export interface SumSeries extends SeriesValues {
  readonly isSum: true;
}

interface SeriesValues {
  readonly name: string;
  /** One value per time; null for no value. */
  readonly values: readonly (number | null)[];
}
