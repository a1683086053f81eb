/** Query parameters with bounds: how their text is read, and what is said of one that is not allowed. */
import type { EndpointRequest } from '../http/endpoint.ts';
import { AppError, quote } from '../model/app-error.ts';

/** The query parameters of a request by name. */
export type Query = EndpointRequest['searchParams'];

/** One parameter. */
export interface Parameter<Value> {
  /** What it may be, in words. */
  readonly allowed: string;
  /** Undefined for what is not allowed. */
  readonly parse: (text: string) => Value | undefined;
}

/** What is done about a parameter that is not allowed, or is given more than once; if it returns, the default is taken. */
export type Refuse = (error: AppError) => void;

/** Throws the error. */
export const refuseByThrowing: Refuse = (error) => {
  throw error;
};

/** The value of a parameter; the default where it is left out or blank. */
export function readParameter<Value>(
  query: Query,
  name: string,
  {
    parameter: { parse, allowed },
    fallback,
    refuse,
  }: { readonly parameter: Parameter<Value>; readonly fallback: Value; readonly refuse: Refuse },
): Value {
  const given = query[name];
  if (given === undefined || (typeof given === 'string' && given.trim() === '')) return fallback;
  const value = typeof given === 'string' ? parse(given) : undefined;
  if (value === undefined) refuse(malformedQuery(name, allowed, given));
  return value ?? fallback;
}

/** One of some words. */
export function oneOf<Word extends string>(words: readonly Word[]): Parameter<Word> {
  return {
    allowed: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    parse: (text) => words.find((word) => word === text),
  };
}

/** Decimal digits within bounds. */
export function wholeNumber(min: number, max: number): Parameter<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** A line of text; characters are counted as those of names are, not as UTF-16 counts them. */
export function textUpTo(maxLength: number): Parameter<string> {
  const pattern = new RegExp(`^\\P{Cc}{0,${maxLength}}$`, 'u');
  return {
    allowed: `a text of at most ${maxLength} characters without control characters`,
    parse: (text) => (pattern.test(text) ? text : undefined),
  };
}

/** The error for a query parameter that is not allowed; `given` is an array where it is there more than once. */
export function malformedQuery(name: string, allowed: string, given: string | readonly string[]): AppError {
  const found = typeof given === 'string' ? `got ${quote(given)}` : 'it was given more than once';
  return new AppError('invalid', `${name} must be ${allowed}, given once; ${found}`, {
    kind: 'malformed-query',
  });
}
