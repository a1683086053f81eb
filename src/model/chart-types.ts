/**
 * The table of chart types with the form of their data. A new type of a known form needs one entry here; all
 * other code (stores, pictures, badges, CSV, the client) depends on the form. This file imports nothing,
 * because browsers load it.
 */

/** Form of chart data. A new form is a member here, and a file in model/forms/. */
export type DataForm = 'line' | 'pie' | 'drilldown' | 'map' | 'bars' | 'other';

/** Chart types with a known form. */
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

/** A chart type with a known form. */
export type KnownChartType = keyof typeof chartTypes;

/** Returns the form of a type; `other` (any array or object) for types outside the table. */
export function formOf(typeName: string): DataForm {
  return Object.hasOwn(chartTypes, typeName) ? chartTypes[typeName as KnownChartType] : 'other';
}

/**
 * Form of the values that a server reports for a chart. `number`: a value of a line; `name`: one share, in
 * which the server counts once; `counts`: numbers by name; `groups`: numbers by outer and inner name; `row`:
 * one number per bar; `rows`: several numbers per bar.
 */
export type ReportForm = 'number' | 'name' | 'counts' | 'groups' | 'row' | 'rows';

/** Report form of each type. Types without an entry are not collected. */
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

/** Returns the report form of a type; undefined if the type is not collected. */
export function reportFormOf(typeName: string): ReportForm | undefined {
  return Object.hasOwn(reportForms, typeName) ? reportForms[typeName as KnownChartType] : undefined;
}

/** Returns the type with both forms. There is one for each combination that default charts use. */
export function typeWith(form: DataForm, reportForm: ReportForm): KnownChartType {
  for (const name of Object.keys(reportForms) as KnownChartType[])
    if (chartTypes[name] === form && reportForms[name] === reportForm) return name;
  throw new Error(`no chart type has the forms ${form} and ${reportForm}`);
}
