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

/**
 * The form of what one server reports for a chart. `number`: a value of a line; `name`: one share, which it counts for; `counts`: numbers
 * by name; `groups`: numbers by outer and inner name; `row`: one number for each bar; `rows`: several numbers for each bar.
 */
export type ReportForm = 'number' | 'name' | 'counts' | 'groups' | 'row' | 'rows';

/** The form of reports for each type. A type without an entry is not collected. */
const reportForms: Readonly<Partial<Record<KnownChartType, ReportForm>>> = {
  single_linechart: 'number',
  simple_pie: 'name',
  advanced_pie: 'counts',
  drilldown_pie: 'groups',
  simple_map: 'name',
  advanced_map: 'counts',
  simple_bar: 'row',
  advanced_bar: 'rows',
};

/** The form of what servers report for charts of a type; undefined for a type that is not collected. */
export function reportFormOf(typeName: string): ReportForm | undefined {
  return Object.hasOwn(reportForms, typeName) ? reportForms[typeName as KnownChartType] : undefined;
}

/** The type whose data and reports have these forms; there is one for each pair that default charts have. */
export function typeWith(form: DataForm, reportForm: ReportForm): KnownChartType {
  for (const name of Object.keys(reportForms) as KnownChartType[])
    if (chartTypes[name] === form && reportForms[name] === reportForm) return name;
  throw new Error(`no chart type has the forms ${form} and ${reportForm}`);
}
