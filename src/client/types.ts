/**
 * Types of the responses of the interface. Additional fields from the server are kept, untyped. Some servers
 * omit the optional fields.
 */

import type { chartTypes, KnownChartType } from '../model/chart-types.ts';

/** Owner of a plugin. */
export interface Owner {
  readonly id?: number;
  readonly name: string;
}

/** The software that a plugin belongs to. */
export interface SoftwareReference {
  readonly id: number;
  readonly name?: string;
  readonly url?: string;
}

/** Element of the plugin list. */
export interface PluginSummary {
  readonly id: number;
  readonly name: string;
  readonly owner: Owner;
  readonly software: SoftwareReference;
  readonly isGlobal: boolean;
}

/** One plugin with its charts. */
export interface Plugin {
  readonly id: number;
  readonly name: string;
  readonly owner: Owner;
  readonly charts: ChartRegistry;
}

/**
 * Charts by chart id. As in every JavaScript object, integer-like keys come first: sort by `position` for
 * display.
 */
export type ChartRegistry = Readonly<Record<string, Chart>>;

/** The definition of a chart. */
export interface Chart<Type extends string = string> {
  readonly uid: number;
  /**
   * Comparing this field narrows the type of the chart, and of the data that `readChartData` returns: see
   * {@link ChartData}.
   */
  readonly type: Type;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  /** Settings as received; their shape depends on the chart type and the server. */
  readonly data: unknown;
}

/** Element of the software list. */
export interface Software {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Null if the software has none; without a name if the server sends only the id. */
  readonly globalPlugin: { readonly id: number; readonly name?: string } | null;
}

/** Chart data by form. */
interface DataByForm {
  readonly line: readonly LinePoint[];
  readonly pie: readonly PieSlice[];
  readonly drilldown: DrilldownPie;
  readonly map: readonly Country[];
  readonly bars: readonly Bar[] | OldBars;
  readonly other: unknown;
}

/** Chart data by chart type of the interface. */
export type ChartDataByType = {
  readonly [Type in KnownChartType]: DataByForm[(typeof chartTypes)[Type]];
};

/** Data of a chart of the given type; unknown for types outside the interface. */
export type ChartData<Type extends string = string> = Type extends KnownChartType
  ? ChartDataByType[Type]
  : unknown;

/** A point of a line: Unix milliseconds and the value. */
export type LinePoint = readonly [timestamp: number, value: number];

/** A slice of a pie. */
export interface PieSlice {
  readonly name: string;
  readonly y: number;
}

/**
 * A pie whose slices expand into inner pies: the `drilldown` of a slice is the `id` of its inner pie in
 * `drilldownData`.
 */
export interface DrilldownPie {
  readonly seriesData: ReadonlyArray<PieSlice & { readonly drilldown: string }>;
  readonly drilldownData: ReadonlyArray<{
    readonly name: string;
    readonly id: string;
    readonly data: ReadonlyArray<readonly [name: string, y: number]>;
  }>;
}

/** A country of a map, by its code in ISO 3166-1 alpha-2. */
export interface Country {
  readonly code: string;
  readonly value: number;
}

/** A bar, or a stack of bars. */
export interface Bar {
  readonly name: string;
  readonly data: readonly number[];
}

/** Older format of bars, which some servers still send. */
export interface OldBars {
  readonly categories: readonly unknown[];
  readonly series: readonly unknown[];
}
