/** The filter in the settings of a chart: bounds for the values of a line, or rules for the names of shares. */
import { RE2JS } from 're2js';
import type { JsonText } from '../model/json-text.ts';
import { isObject, type ReportFields } from './report.ts';
import { parseNumber } from './reported-value.ts';

/** A filter. */
export interface ChartFilter {
  /** Moves the value of a line that is out of bounds to the nearer one. */
  readonly clamp: (value: number) => number;
  /** False for the name of a share that is not counted. Of a drilldown pie these are the outer names. */
  readonly allows: (name: string) => boolean;
}

/**
 * Makes the filter of a chart from its settings. The settings of charts that an author has added may hold the members of the filter
 * themselves, without an object around them. What is no filter lets everything pass.
 */
export function chartFilterOf(settings: JsonText): ChartFilter {
  const all: unknown = JSON.parse(settings);
  const members = isObject(all) && isObject(all['filter']) ? all['filter'] : all;
  const filter = isObject(members) && members['enabled'] === true ? members : {};
  let rule: ChartFilter['allows'] | undefined;
  const allows = (name: string) => {
    // Patterns are compiled when the first name comes.
    rule ??= nameRule(filter);
    return rule(name);
  };
  return { clamp: clampOf(filter), allows };
}

function clampOf({ minValue, maxValue }: ReportFields): ChartFilter['clamp'] {
  const [one = Number.NEGATIVE_INFINITY, other = Number.POSITIVE_INFINITY] = [minValue, maxValue].map(
    parseNumber,
  );
  // Some charts have their bounds swapped.
  const [min, max] = [Math.min(one, other), Math.max(one, other)];
  return (value) => Math.min(Math.max(value, min), max);
}

function nameRule({ filter, useRegex, blacklist }: ReportFields): ChartFilter['allows'] {
  if (!Array.isArray(filter)) return () => true;
  const texts = filter.filter((entry) => typeof entry === 'string');
  const isNamed = useRegex === true ? patternRule(texts) : (name: string) => texts.includes(name);
  return blacklist === true ? (name) => !isNamed(name) : isNamed;
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
