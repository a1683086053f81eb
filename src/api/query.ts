/** Query parameters: each is one definition, for parsing and for the OpenAPI document. */
import { digitsFrom, oneOf, type Parameter, parseParameter, type Query } from '../http/query-parameter.ts';
import { AppError, quote } from '../model/app-error.ts';
import { parseIsoTime } from '../model/iso-time.ts';

/** One query parameter. */
export interface QueryParameter<Value, Fallback = Value> extends Parameter<Value> {
  readonly description: string;
  /** Schema of its value. */
  readonly schema: object;
  /** Value of a parameter that is left out or blank. */
  readonly fallback: Fallback;
  readonly isRequired?: boolean;
}

/** The query parameters of an endpoint, by name. */
export type QueryParameters = Readonly<Record<string, QueryParameter<unknown, unknown>>>;

/** The values of some parameters. */
export type QueryValues<Parameters extends QueryParameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends QueryParameter<infer Value, infer Fallback>
    ? Value | Fallback
    : never;
};

/**
 * Parses a query of the second interface.
 * @throws AppError `invalid` for a parameter that is not allowed, given twice, or not known: that is most likely a mistake.
 */
export function parseQuery<Parameters extends QueryParameters>(
  query: Query,
  parameters: Parameters,
): QueryValues<Parameters> {
  const names = Object.keys(parameters);
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'this path has none' : `it has ${names.join(', ')}`;
    throw malformed(`there is no parameter ${quote(unknown)}: ${known}`);
  }
  const values = Object.entries(parameters).map(([name, parameter]) => {
    const { fallback } = parameter;
    return [name, parseParameter(query, name, { parameter, fallback })];
  });
  return Object.fromEntries(values);
}

/** The error for a query whose parameters do not fit together. */
export function malformed(message: string): AppError {
  return new AppError('invalid', message, { kind: 'malformed-query' });
}

/** A parameter that is one of some words. */
export function choice<Word extends string, const Fallback>(
  words: readonly Word[],
  fallback: Fallback,
  description: string,
): QueryParameter<Word, Fallback> {
  return {
    ...oneOf(words),
    description,
    schema: withDefault({ type: 'string', enum: words }, fallback),
    fallback,
  };
}

/** A parameter that is `true` or `false`. */
export function yesOrNo<Fallback>(
  fallback: Fallback,
  description: string,
): QueryParameter<boolean, Fallback> {
  return {
    allowed: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    description,
    schema: withDefault({ type: 'boolean' }, fallback),
    fallback,
  };
}

/** A parameter of decimal digits within bounds; `allowed` says them in other words. */
export function boundedInteger<Fallback>(
  { min, max, ...words }: { readonly min: number; readonly max: number; readonly allowed?: string },
  fallback: Fallback,
  description: string,
): QueryParameter<number, Fallback> {
  return {
    ...digitsFrom(min, max),
    ...words,
    description,
    schema: withDefault({ type: 'integer', minimum: min, maximum: max }, fallback),
    fallback,
  };
}

function withDefault(schema: object, fallback: unknown): object {
  return fallback == null ? schema : { ...schema, default: fallback };
}

/** The year 10000. */
const endOfTimes = 253_402_300_800_000;

/** A parameter that is a time, in Unix milliseconds once it is parsed. */
export function time<Fallback>(fallback: Fallback, description: string): QueryParameter<number, Fallback> {
  return {
    allowed:
      'a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z (UTC without a zone), or Unix milliseconds, from the year 1970 to the year 9999',
    parse: (text) => {
      // A plus sign in a query is a space.
      const timestamp = /^\d{1,15}$/.test(text)
        ? Number(text)
        : parseIsoTime(text.replace(' ', '+'))?.timestamp;
      const isWithin = timestamp !== undefined && timestamp >= 0 && timestamp < endOfTimes;
      return isWithin ? timestamp : undefined;
    },
    description: `${description} A date, or a date with a time of day (ISO 8601, UTC without a zone), or Unix milliseconds.`,
    schema: { type: 'string' },
    fallback,
  };
}
