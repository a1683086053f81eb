/**
 * The filter in the settings of a chart: bounds for the values of a line, or rules for the names of shares.
 */
import { RE2JS } from 're2js';
import type { JsonText } from '../model/json-text.ts';
import { isObject, type ReportFields } from './report.ts';
import { parseNumber } from './reported-value.ts';

/** Makes the function that clamps the values of a line. */
export function clampOf(settings: JsonText): (value: number) => number {
  const { minValue, maxValue } = filterOf(settings);
  const [one = Number.NEGATIVE_INFINITY, other = Number.POSITIVE_INFINITY] = [minValue, maxValue].map(
    parseNumber,
  );
  // Some charts have their bounds swapped.
  const [min, max] = [Math.min(one, other), Math.max(one, other)];
  return (value) => Math.min(Math.max(value, min), max);
}

/** Makes the function that tells if a share counts, by its name; for a drilldown pie, by its outer name. */
export function nameRuleOf(settings: JsonText): (name: string) => boolean {
  const { filter, useRegex, blacklist } = filterOf(settings);
  if (!Array.isArray(filter)) return () => true;
  const texts = filter.filter((entry) => typeof entry === 'string');
  const isNamed = useRegex === true ? patternRule(texts) : (name: string) => texts.includes(name);
  return blacklist === true ? (name) => !isNamed(name) : isNamed;
}

/**
 * Finds the enabled filter in the settings of a chart. Settings of charts that an author added may have the
 * members of the filter directly, without an object around them. Without a valid filter, everything passes.
 */
function filterOf(settings: JsonText): ReportFields {
  const all: unknown = JSON.parse(settings);
  const filter = isObject(all) && isObject(all['filter']) ? all['filter'] : all;
  return isObject(filter) && filter['enabled'] === true ? filter : {};
}

function patternRule(texts: readonly string[]): (name: string) => boolean {
  const patterns = texts.flatMap((text) => {
    try {
      return [RE2JS.compile(text)];
    } catch {
      // A malformed pattern matches nothing.
      return [];
    }
  });
  return (name) => patterns.some((pattern) => pattern.matches(name));
}
