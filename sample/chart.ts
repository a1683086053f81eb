// A chart of the sample, and the settings of the chart types.

/**
 * JSON as text. Settings and data are text from the start: a JavaScript object would move members named like integers to the
 * front and would drop one named `__proto__`.
 */
export type JsonText = string;

/** A point of a line: Unix milliseconds, value. */
export type Point = readonly [timestampMs: number, value: number];

/** A chart without its position and uid. */
export interface SampleChart {
  readonly chartId: string;
  readonly type: string;
  readonly title: string;
  readonly settings: JsonText;
  /** One text for each `data` record: none without data, more than one only for a line. */
  readonly data: readonly JsonText[];
  /** Time of the data, for a chart with a history. */
  readonly at?: number;
  /** The members `times` and `series` of each `history` record. */
  readonly history?: readonly JsonText[];
  /** Position among the charts that its author added; by default the order in which they are listed. */
  readonly place?: number;
}

const noValueFilter = '{"enabled":false,"maxValue":null,"minValue":null}';

/** The settings of a `simple_pie` that the author of a plugin added: the filter without a name. */
export const simplePieSettings = '{"enabled":false,"useRegex":false,"blacklist":false,"filter":[]}';

/** The settings of a default pie and of a `drilldown_pie`. */
export const defaultPieSettings = `{"filter":${simplePieSettings}}`;

/** The settings of an `advanced_pie`. */
export const advancedPieSettings =
  '{"enabled":false,"maxValue":5,"useRegex":false,"blacklist":false,"filter":[]}';

/** The settings of a `single_linechart` (`interface.md` 2.5). */
export function lineSettings(lineName: string, filter = noValueFilter): JsonText {
  return `{"lineName":${JSON.stringify(lineName)},"filter":${filter}}`;
}

/** The settings of a `simple_map` and of an `advanced_map`. */
export function mapSettings(valueName: string): JsonText {
  return `{"valueName":${JSON.stringify(valueName)},"filter":${simplePieSettings}}`;
}

/** The settings of a `simple_bar` and of an `advanced_bar`: one bar name for each number of a row. */
export function barSettings(valueName: string, barNames: readonly string[]): JsonText {
  return `{"valueName":${JSON.stringify(valueName)},"barNames":${JSON.stringify(barNames)},"filter":${simplePieSettings}}`;
}
