/** Parses the query parameters of pages, pictures and badges, and writes them in the addresses of these. */
import {
  maxSearchLength,
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
  type Refuse,
  textUpTo,
} from '../../http/query-parameter.ts';

/** Several parameters by name. */
export type ParameterTable<Values> = { readonly [Name in keyof Values & string]: Parameter<Values[Name]> };

/**
 * Parses several parameters. One that is left out or blank has its default; others in the query are ignored.
 * @throws AppError `invalid` for a parameter that is not allowed or is given more than once, unless there is `refuse`.
 */
export function parseParameters<Values extends object>(
  query: Query,
  parameters: ParameterTable<Values>,
  { defaults, refuse }: { readonly defaults: Values; readonly refuse: Refuse | undefined },
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

/**
 * Parses a search, trimmed; blank if it is left out.
 * @throws AppError `invalid` for more than {@link maxSearchLength} characters.
 */
export function parseSearch(query: Query, name: string): string {
  return parseParameter(query, name, { parameter: textUpTo(maxSearchLength), fallback: '' }).trim();
}
