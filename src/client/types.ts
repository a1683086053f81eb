/**
 * The answers of the interface as types. Fields outside the interface stay on the objects, untyped. Optional fields are those
 * that some servers leave out.
 */

import type { chartTypes, KnownChartType } from '../model/chart-types.ts';

/** The owner of a plugin. */
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

/** An element of the plugin list. */
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

/** Charts by chart id. Ids that look like integers come first, as in every object: sort by `position` to show them. */
export type ChartRegistry = Readonly<Record<string, Chart>>;

/** The definition of a chart. */
export interface Chart<Type extends string = string> {
  readonly uid: number;
  /** A comparison narrows it, and with it the data that `readChartData` gives: see {@link ChartData}. */
  readonly type: Type;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  /** Settings, as they came: their shape depends on the type and on the server. */
  readonly data: unknown;
}

/** An element of the software list. */
export interface Software {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Null for a software that has none; without a name where the server tells only the id. */
  readonly globalPlugin: { readonly id: number; readonly name?: string } | null;
}

/** The data of each form. */
interface DataByForm {
  readonly line: readonly LinePoint[];
  readonly pie: readonly PieSlice[];
  readonly drilldown: DrilldownPie;
  readonly map: readonly Country[];
  readonly bars: readonly Bar[] | OldBars;
  readonly other: unknown;
}

/** The data of each chart type that the interface knows. */
export type ChartDataByType = {
  readonly [Type in KnownChartType]: DataByForm[(typeof chartTypes)[Type]];
};

/** The data of a chart of this type; unknown for a type that the interface does not know. */
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

/** A pie whose slices open into pies: the `id` of one in `drilldownData` is the `drilldown` of its slice. */
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

/** Bars as some servers still send them. */
export interface OldBars {
  readonly categories: readonly unknown[];
  readonly series: readonly unknown[];
}
