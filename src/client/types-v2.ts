/** The answers of `/api/v2` as types, and what is asked for. Only servers that run this program have that interface. */
import type { chartTypes, KnownChartType } from '../model/chart-types.ts';
import type { ChartData, LinePoint } from './types.ts';

/** The plugins to list, and their order. */
export interface PluginPageQuery {
  /** A part of the name of the plugin or of its owner, without regard to case. */
  readonly q?: string | undefined;
  /** The url of a software. */
  readonly software?: string | undefined;
  /** The id of an owner. */
  readonly owner?: number | undefined;
  /** Up to 1,000 ids; unknown ones are left out. */
  readonly ids?: readonly number[] | undefined;
  /** True for global plugins alone, false for the others. */
  readonly global?: boolean | undefined;
  /** `servers` unless given. */
  readonly sort?: 'servers' | 'players' | 'name' | 'id' | undefined;
  /** Unless given, names and ids ascend and counts descend. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Plugins on a page, 1 to 1000; 100 unless given. */
  readonly limit?: number | undefined;
  /** The `next` of the page before; the first page unless given. */
  readonly after?: string | undefined;
}

/** A page of plugins. */
export interface PluginPage {
  /** The number of plugins on all pages. */
  readonly total: number;
  /** The `after` of the next page; null on the last one. */
  readonly next: string | null;
  readonly plugins: readonly PagedPlugin[];
}

/** A plugin on a page. */
export interface PagedPlugin extends PluginHead {
  /** The newest point of its line `servers`; null if there is none. */
  readonly servers: LinePoint | null;
  /** The newest point of its line `players`. */
  readonly players: LinePoint | null;
}

/** The fields of a plugin on a page and by itself. */
interface PluginHead {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly id: number; readonly name: string };
  readonly software: { readonly id: number; readonly name: string; readonly url: string };
  readonly isGlobal: boolean;
}

/** A plugin with everything that is known of it now. */
export interface PluginNow extends PluginHead {
  readonly charts: readonly ChartNow[];
  /** Events, such as releases; `time` in Unix milliseconds. */
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
  /** `isChartOfType` narrows it, and with it the type of `latest`. */
  readonly type: Type;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  /** Settings: their shape depends on the type. */
  readonly settings: unknown;
  /** The first time of its points or of its history, in Unix milliseconds; null if it has none. */
  readonly first: number | null;
  /** The last time of its points or of its history. */
  readonly last: number | null;
  /** The newest point of a line, or null; the data of any other chart. */
  readonly latest: Type extends LineType ? LinePoint | null : ChartData<Type>;
  /** For a chart of shares: the 12 largest by their sum over the whole history. Servers before 0.3.0 have none. */
  readonly colours?: readonly string[] | undefined;
  /** For a chart of shares: the largest one, and the beginning of the UTC day since which it has been; null without a history. */
  readonly mostUsed?: { readonly name: string; readonly since: number } | null | undefined;
}

type LineType = {
  [Type in KnownChartType]: (typeof chartTypes)[Type] extends 'line' ? Type : never;
}[KnownChartType];

/** The insights of a plugin. Ratios have four decimals, and are null where there is none. */
export interface Insights {
  /** The newest time of the plugin, in Unix milliseconds; null without data. */
  readonly at: number | null;
  /** One each for `servers` and `players`, if it has them. */
  readonly lines: ReadonlyArray<{
    readonly chartId: string;
    readonly now: LinePoint;
    /** The last 7 and 28 days compared with as many days before, and the last 28 days with 364 days earlier: 0.1 is a tenth more. */
    readonly changes: {
      readonly '7d': number | null;
      readonly '28d': number | null;
      readonly '1y': number | null;
    };
    readonly peak30d: LinePoint;
    readonly record: LinePoint;
  }>;
  /** By servers, among the plugins of its software; counts are null beyond 10,000. Null without servers, and for a global plugin. */
  readonly standing: {
    readonly rank: number | null;
    readonly of: number | null;
    /** Its share of the servers of the global plugin. */
    readonly share: number | null;
  } | null;
  /** Charts of versions. */
  readonly versions: ReadonlyArray<{
    readonly chartId: string;
    readonly at: number | null;
    readonly total: number;
    /** Minor lines, the newest first. */
    readonly lines: ReadonlyArray<
      VersionShare & {
        readonly name: string;
        readonly value: number;
        /** 90 days earlier. */
        readonly before: (VersionShare & { readonly at: number }) | null;
      }
    >;
    /** Names that are not versions. */
    readonly other: { readonly value: number; readonly share: number | null };
  }>;
  /** The newest 20, the newest first. */
  readonly releases: ReadonlyArray<{
    readonly time: number;
    readonly title: string;
    readonly url: string | null;
    readonly version: string;
    /** The means of the 7 days before and after its day. */
    readonly servers: { readonly before: number; readonly after: number } | null;
    /** The share of its version, 7 and 30 days later and now. */
    readonly share: {
      readonly '7d': number | null;
      readonly '30d': number | null;
      readonly now: number | null;
    };
    /** Days until its version and newer ones had at least half. */
    readonly halfAfterDays: number | null;
  }>;
}

interface VersionShare {
  readonly share: number | null;
  /** The share of this minor line and of all newer ones. */
  readonly atLeast: number | null;
}

/** A time: Unix milliseconds (servers refuse fewer than twelve digits but 0, as they look like seconds), a `Date`, or ISO 8601 (a date means 00:00 UTC). */
export type SeriesTime = number | string | Date;

/** A window of events; open at an end that is left out. */
export interface EventWindow {
  /** Inclusive. */
  readonly from?: SeriesTime | undefined;
  /** Exclusive. */
  readonly to?: SeriesTime | undefined;
}

/** A server software as of now. */
export interface SoftwareNow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly globalPlugin: { readonly id: number; readonly name: string } | null;
  /** The number of its plugins. */
  readonly plugins: number;
  /** The newest point of the line `servers` of its global plugin. */
  readonly servers: LinePoint | null;
}

/** A window of time: two times, or a length that is counted back from the newest time of all charts; 30 days unless given. */
export type SeriesWindow =
  | {
      /** Inclusive. */
      readonly from: SeriesTime;
      /** Exclusive. */
      readonly to: SeriesTime;
      readonly range?: undefined;
    }
  | {
      readonly range?: '1d' | '7d' | '30d' | '90d' | '1y' | 'all' | undefined;
      readonly from?: undefined;
      readonly to?: undefined;
    };

/** The series to read. */
export type SeriesSelection = SeriesWindow & {
  /** Up to 50 charts by plugin id and chart id: `['1337:players', '42:os']`. */
  readonly charts: readonly `${number}:${string}`[];
  /**
   * Times as they are stored unless given: `30m`, `1h`, `2h`, `3h`, `6h`, `12h`, `1d`, `7d` or `1mo`. Another length counts as the next longer one.
   * Servers before 0.4.0 know `30m`, `1h`, `6h`, `1d` and `7d`.
   */
  readonly step?: `${number}${'s' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'y'}` | undefined;
  /** Replaces a step: the server takes the smallest one with which the window has at most this many times, 1 to 10,000. */
  readonly points?: number | undefined;
  /** The value of a step; `mean` unless given. */
  readonly aggregate?: 'mean' | 'min' | 'max' | 'last' | 'count' | undefined;
  /** Number of shares of a chart that are series of their own, 1 to 100; 20 unless given. */
  readonly top?: number | undefined;
  /** 2 for the inner shares of drilldown pies. */
  readonly level?: 1 | 2 | undefined;
  /** `minor` for the minor lines of versions in place of the names of shares. */
  readonly group?: 'minor' | 'none' | undefined;
  /** The order of the shares of a chart: `size` unless given; `version` for the newest first. */
  readonly order?: 'size' | 'version' | undefined;
  /** True to add up all lines, and the shares of charts of one form by their names. */
  readonly sum?: boolean | undefined;
  /** True, with a step and without `sum`, for the lowest and the highest value of each step of a line too. */
  readonly band?: boolean | undefined;
};

/** Series over the same times. */
export interface SeriesSet {
  /** The window that was used. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds; null for times as they are stored. */
  readonly step: number | null;
  readonly aggregate: string | null;
  /** With a step: true where the window begins within the first one, and where it or the values end within the last one. Servers before 0.4.0 have none. */
  readonly partial?: { readonly first: boolean; readonly last: boolean } | undefined;
  /** Unix milliseconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly (ChartSeries | SumSeries)[];
}

/** A line, or a share of a chart. */
export interface ChartSeries extends SeriesValues {
  /** Null, like `chartId`, for a share of several charts that are added up. */
  readonly pluginId: number | null;
  readonly chartId: string | null;
  /** The outer share that an inner one belongs to. */
  readonly group?: string;
  /** True for the sum of the shares that are no series of their own. */
  readonly isOther?: true;
  readonly isSum?: never;
  /** With `band`, of a line: its lowest and its highest values, one for each of the times. */
  readonly lows?: readonly (number | null)[];
  readonly highs?: readonly (number | null)[];
}

/** The sum of all lines. */
export interface SumSeries extends SeriesValues {
  readonly isSum: true;
}

interface SeriesValues {
  readonly name: string;
  /** A value for each of the times; null where there is none. */
  readonly values: readonly (number | null)[];
}
