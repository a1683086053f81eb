/** Query parameters: parsing within bounds, and the error for one that is not allowed. */

import { AppError, quote } from '../model/app-error.ts';
import type { EndpointRequest } from './endpoint.ts';

/** The query parameters of a request by name. */
export type Query = EndpointRequest['searchParams'];

/** One parameter. */
export interface Parameter<Value> {
  /** The allowed values in words: they follow "must be" in messages. */
  readonly allowed: string;
  /** Gives undefined for a text that is not allowed. */
  readonly parse: (text: string) => Value | undefined;
}

/** Handles a parameter that is not allowed or is given more than once. If it returns, the default is used. */
type Refuse = (error: AppError) => void;

/** Throws the error. */
export const refuseByThrowing: Refuse = (error) => {
  throw error;
};

/** Parses a parameter; the default if it is left out or blank. */
export function parseParameter<Value>(
  query: Query,
  name: string,
  {
    parameter: { parse, allowed },
    fallback,
    refuse = refuseByThrowing,
  }: { readonly parameter: Parameter<Value>; readonly fallback: Value; readonly refuse?: Refuse },
): Value {
  const given = query[name];
  if (given === undefined || (typeof given === 'string' && given.trim() === '')) return fallback;
  const value = typeof given === 'string' ? parse(given) : undefined;
  if (value === undefined) refuse(malformedQuery(name, allowed, given));
  return value ?? fallback;
}

/** Several parameters by name. */
export type ParameterTable<Values> = { readonly [Name in keyof Values & string]: Parameter<Values[Name]> };

/**
 * Parses several parameters. One that is left out or blank has its default; others in the query are ignored.
 * @throws AppError `invalid` for a parameter that is not allowed or is given more than once, unless `refuse` returns.
 */
export function parseParameters<Values extends object>(
  query: Query,
  parameters: ParameterTable<Values>,
  { defaults, refuse }: { readonly defaults: Values; readonly refuse: Refuse },
): Values {
  const names = Object.keys(parameters) as (keyof Values & string)[];
  if (names.every((name) => query[name] === undefined)) return defaults;
  const values = names.map((name) => {
    const parameter = parameters[name];
    return [name, parseParameter(query, name, { parameter, fallback: defaults[name], refuse })];
  });
  return Object.fromEntries(values);
}

/** Parameters beside those of a table, by name. */
export type OwnParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The shortest query for these values, with its question mark; '' for the defaults. `ownParameters` come first; one with several values is given
 * several times, and one that is undefined is left out.
 */
export function shortestQuery<Values extends object>(
  values: Values,
  defaults: Values,
  ownParameters: OwnParameters = {},
): string {
  const query = new URLSearchParams();
  for (const [name, values = []] of Object.entries(ownParameters))
    for (const value of [values].flat()) query.append(name, value);
  for (const name of Object.keys(defaults) as (keyof Values & string)[])
    if (values[name] !== defaults[name]) query.set(name, String(values[name]));
  return query.size === 0 ? '' : `?${query}`;
}

/**
 * Parses a parameter that is one of several words; `fallback` if it is left out.
 * @throws AppError `invalid` for another word.
 */
export function parseChoice<Word extends string, Fallback extends Word | undefined>(
  query: Query,
  name: string,
  { words, fallback }: { readonly words: readonly Word[]; readonly fallback: Fallback },
): Word | Fallback {
  return parseParameter<Word | Fallback>(query, name, { parameter: oneOf(words), fallback });
}

/** The longest text to search for: as long as a name. */
export const maxSearchLength = 200;

/**
 * Parses a search, trimmed; blank if it is left out.
 * @throws AppError `invalid` for more than {@link maxSearchLength} characters.
 */
export function parseSearch(query: Query, name: string): string {
  return parseParameter(query, name, { parameter: textUpTo(maxSearchLength), fallback: '' }).trim();
}

/** A parameter that is one of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): Parameter<Word> {
  return {
    allowed: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    parse: (text) => words.find((word) => word === text),
  };
}

/** A parameter of decimal digits within bounds. */
export function digitsFrom(min: number, max: number): Parameter<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** A parameter that is a line of text; its length is counted in code points, as that of names is. */
export function textUpTo(maxLength: number): Parameter<string> {
  const pattern = new RegExp(`^\\P{Cc}{0,${maxLength}}$`, 'u');
  return {
    allowed: `a text of at most ${maxLength} characters without control characters`,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

/** A text that fits a rule of the model, such as `nameSchema`. */
export function matching(rule: {
  readonly pattern: string;
  readonly description: string;
}): Parameter<string> {
  const pattern = new RegExp(rule.pattern, 'u');
  return { allowed: rule.description, parse: (text) => (pattern.test(text) ? text : undefined) };
}

/** The error for a query parameter that is not allowed; `given` is an array if it was given more than once. */
export function malformedQuery(name: string, allowed: string, given: string | readonly string[]): AppError {
  const rule =
    typeof given === 'string'
      ? `${allowed}; got ${quote(given)}`
      : `${allowed}, given once; it was given more than once`;
  return new AppError('invalid', `${name} must be ${rule}`, { kind: 'malformed-query' });
}
