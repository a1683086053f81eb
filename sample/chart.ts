// What the sample says about a chart, and the settings that the chart types carry.

/**
 * JSON as text. Settings and data are written as text from the start: a JavaScript object would move members
 * named like integers to the front and would swallow one named `__proto__`.
 */
export type JsonText = string;

/** A point of a line: Unix milliseconds, value. */
export type Point = readonly [timestampMs: number, value: number];

/** A chart with everything that the archive holds of it. */
export interface SampleChart {
  readonly chartId: string;
  readonly type: string;
  readonly position: number;
  readonly title: string;
  readonly isDefault: boolean;
  readonly settings: JsonText;
  /** One text per `data` record: none without data, more than one only for a line. */
  readonly data: readonly JsonText[];
}

const noValueFilter = '{"enabled":false,"maxValue":null,"minValue":null}';
const noNameFilter = '{"enabled":false,"useRegex":false,"blacklist":false,"filter":[]}';

/** The settings of a `single_linechart` (`interface.md` 2.5). */
export function lineSettings(lineName: string, filter: JsonText = noValueFilter): JsonText {
  return `{"lineName":${JSON.stringify(lineName)},"filter":${filter}}`;
}

/** The settings of a pie that comes with every plugin. */
export function defaultPieSettings(): JsonText {
  return `{"filter":${noNameFilter}}`;
}

/** The settings of a `simple_pie` that the author of a plugin added: the filter lies bare. */
export function simplePieSettings(filter: JsonText = noNameFilter): JsonText {
  return filter;
}

/** The settings of an `advanced_pie`. */
export function advancedPieSettings(): JsonText {
  return '{"enabled":false,"maxValue":5,"useRegex":false,"blacklist":false,"filter":[]}';
}

/** The settings of a `simple_map` and of an `advanced_map`. */
export function mapSettings(valueName: string): JsonText {
  return `{"valueName":${JSON.stringify(valueName)},"filter":${noNameFilter}}`;
}

/** The settings of a `simple_bar` and of an `advanced_bar`: one bar name per number of a row. */
export function barSettings(valueName: string, barNames: readonly string[]): JsonText {
  return `{"valueName":${JSON.stringify(valueName)},"barNames":${JSON.stringify(barNames)},"filter":${noNameFilter}}`;
}
