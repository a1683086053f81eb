/** The settings of the chart types. */
import type { JsonText } from './records.ts';

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
