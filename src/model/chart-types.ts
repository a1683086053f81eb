/**
 * The table of chart types: the name of each and the form of its data. A new type of a known form is one entry here; everything
 * else (stores, pictures, badges, CSV, the client) asks for the form. This file imports nothing, because browsers load it.
 */

/** The form of chart data. A new form has a shape in data-shapes.ts; the compiler then names each place that must handle it. */
export type DataForm = 'line' | 'pie' | 'drilldown' | 'map' | 'bars' | 'other';

/** The types with a known form. */
export const chartTypes = {
  single_linechart: 'line',
  simple_pie: 'pie',
  advanced_pie: 'pie',
  drilldown_pie: 'drilldown',
  simple_map: 'map',
  advanced_map: 'map',
  simple_bar: 'bars',
  advanced_bar: 'bars',
} as const satisfies Readonly<Record<string, DataForm>>;

/** A chart type whose data has a known form. */
export type KnownChartType = keyof typeof chartTypes;

/** The form of the data of a type; `other` for a name outside the table: any array or object. */
export function formOf(typeName: string): DataForm {
  return Object.hasOwn(chartTypes, typeName) ? chartTypes[typeName as KnownChartType] : 'other';
}
