/**
 * Parameters of requests, options and attributes: bounded parsing, and the error for a value that is not
 * allowed.
 */

import { AppError, quote } from './app-error.ts';
import { type ChartName, parseChartName } from './catalogue.ts';
import { digitsHint, endOfTimes, parseTime } from './iso-time.ts';

/** Query parameters of a request by name; an array if a parameter is repeated. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Defines a parameter. */
export interface Parameter<Value> {
  /** The allowed values in words that follow "must be" in messages. */
  readonly allowed: string;
  /** Returns undefined for a text that is not allowed. */
  readonly parse: (text: string) => Value | undefined;
  /** Guesses what a disallowed text means; messages append the hint to the text. */
  readonly hint?: (text: string) => string | undefined;
}

/** Handles an invalid or repeated parameter; the default is then used. */
export type Refuse = (error: AppError) => void;

/**
 * Parses a parameter; returns the default if it is missing or blank.
 * @throws AppError `invalid` if the parameter is invalid or repeated and there is no `refuse`.
 */
export function parseParameter<Value>(
  query: Query,
  name: string,
  {
    parameter: { parse, allowed, hint },
    fallback,
    refuse,
  }: {
    readonly parameter: Parameter<Value>;
    readonly fallback: Value;
    readonly refuse?: Refuse | undefined;
  },
): Value {
  const given = query[name];
  if (given === undefined || (typeof given === 'string' && given.trim() === '')) return fallback;
  const value = typeof given === 'string' ? parse(given) : undefined;
  if (value !== undefined) return value;
  const error = malformedQuery(name, allowed, given, hint);
  if (refuse === undefined) throw error;
  refuse(error);
  return fallback;
}

/** Maximum length of a search text, the same as for names. */
export const maxSearchLength = 200;

/** Defines a parameter with a fixed set of words. */
export function oneOf<Word extends string>(words: readonly Word[]): Parameter<Word> {
  return {
    allowed: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    parse: (text) => words.find((word) => word === text),
  };
}

/** Defines a parameter of decimal digits within bounds. */
export function digitsFrom(min: number, max: number): Parameter<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** Defines a parameter with one line of text; its length is counted in code points, as for names. */
export function textUpTo(maxLength: number): Parameter<string> {
  const pattern = new RegExp(`^\\P{Cc}{0,${maxLength}}$`, 'u');
  return {
    allowed: `a text of at most ${maxLength} characters without control characters`,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

/** A parameter that is a time; its value is in Unix milliseconds. */
export const anyTime: Parameter<number> = {
  allowed:
    'a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z (UTC without a zone), or Unix milliseconds of 12 digits or more, from the year 1970 to the year 9999',
  parse(text) {
    // A plus sign in a query is decoded as a space.
    const { timestamp = -1 } = parseTime(text) ?? parseTime(text.replace(/ (?=[\d:]+$)/, '+')) ?? {};
    return timestamp >= 0 && timestamp < endOfTimes ? timestamp : undefined;
  },
  hint: digitsHint,
};

/** Defines a parameter that lists charts. @param what describes the charts: `line charts`. */
export function chartsUpTo(maxCount: number, what: string): Parameter<readonly ChartName[]> {
  return {
    allowed: `1 to ${maxCount} ${what}, such as 1337:players,42:players, each once`,
    parse(text) {
      const parts = text.trim().split(',');
      const names = parts.map(parseChartName).filter((name) => name !== undefined);
      const areNames = names.length === parts.length && new Set(parts).size === parts.length;
      return areNames && parts.length <= maxCount ? names : undefined;
    },
    hint(text) {
      const parts = text.trim().split(',').filter(Boolean);
      const count = `${parts.length} ${parts.length === 1 ? 'chart' : 'charts'}`;
      if (parts.length === 0 || parts.length > maxCount) return count;
      const wrong = parts.find((part) => parseChartName(part) === undefined);
      if (wrong !== undefined) return `${count}, of which ${quote(wrong)} is not PLUGIN:CHART`;
      const twice = parts.find((part, index) => parts.indexOf(part) < index);
      return twice === undefined
        ? `${count}, and a comma too many`
        : `${count}, of which ${twice} is there twice`;
    },
  };
}

/** Defines a parameter by a rule of the model, such as `nameSchema`. */
export function matching(rule: {
  readonly pattern: string;
  readonly description: string;
}): Parameter<string> {
  const pattern = new RegExp(rule.pattern, 'u');
  return { allowed: rule.description, parse: (text) => (pattern.test(text) ? text : undefined) };
}

/** Makes the error for an invalid query parameter; `given` is an array if it was repeated. */
export function malformedQuery(
  name: string,
  allowed: string,
  given: string | readonly string[],
  hint?: Parameter<unknown>['hint'],
): AppError {
  const rule =
    typeof given === 'string'
      ? `${allowed}; got ${[quote(given), hint?.(given)].filter(Boolean).join(', ')}`
      : `${allowed}, given once; it was given more than once`;
  return new AppError('malformed-query', `${name} must be ${rule}`);
}
