/**
 * Tables of query parameters. Each parameter is defined once: its allowed values, its default, and its text.
 */
import {
  digitsFrom,
  oneOf,
  type Parameter,
  parseParameter,
  type Query,
  type Refuse,
  textUpTo,
} from '../../model/parameter.ts';
import type { QueryParameters } from '../address/paths.ts';

/** A member of a state, with its parameters in a query or its attributes. */
export interface Field<Value> {
  /**
   * Reads the member; `name` is the name of its parameter.
   * @throws AppError `invalid` for a value that is not allowed, unless `refuse` is given.
   */
  readonly read: (query: Query, name: string, refuse?: Refuse) => Value;
  /** Returns the parameters for a value; empty for the default. */
  readonly write: (value: Value, name: string) => QueryParameters;
}

/** Fields of a state, in the order of their parameters. */
export type Fields<State> = { readonly [Name in keyof State]: Field<State[Name]> };

/** State type of a table of fields. */
export type StateOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Field<infer Value> ? Value : never;
};

/**
 * Parses a query; ignores unknown parameters.
 * @throws AppError `invalid` for a value that is not allowed; if `refuse` is given, the default is used
 * instead.
 */
export function parse<State extends object>(fields: Fields<State>, query: Query, refuse?: Refuse): State {
  const names = Object.keys(fields) as (keyof State & string)[];
  return Object.fromEntries(names.map((name) => [name, fields[name].read(query, name, refuse)])) as State;
}

/** Reads a state from a query or attributes, with defaults for values that are not allowed. */
export function accept<State extends object>(fields: Fields<State>, search: URLSearchParams): State {
  const names = [...new Set(search.keys())];
  const query = names.map((name) => {
    const values = search.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  return parse(fields, Object.fromEntries(query), () => {});
}

/** Applies one change, in the notation of `data-set`: `range=7d`, `view=history`. */
export function changed<State extends object>(fields: Fields<State>, state: State, change: string): State {
  const [name = ''] = change.split('=');
  const member = (name === 'range' || name === 'from' ? 'window' : name) as keyof State;
  return { ...state, [member]: accept(fields, new URLSearchParams(change))[member] };
}

/** Returns the parameters of a state, without defaults and missing members. */
export function write<State extends object>(
  fields: Fields<State>,
  state: Partial<NoInfer<State>>,
): QueryParameters {
  const names = Object.keys(fields) as (keyof State & string)[];
  const parameters = names.map((name) => {
    const value = state[name];
    return value === undefined ? {} : fields[name].write(value, name);
  });
  return Object.assign({}, ...parameters);
}

/** Makes a field with one parameter. */
export function fieldOf<Value>(parameter: Parameter<Value>, usual: Value): Field<Value> {
  return {
    read: (query, name, refuse) => parseParameter(query, name, { parameter, fallback: usual, refuse }),
    write: (value, name) => (value === usual ? {} : { [name]: String(value) }),
  };
}

/** Gives the parameter of a field another name. */
export function named<Value>(name: string, { read, write }: Field<Value>): Field<Value> {
  return { read: (query, _, refuse) => read(query, name, refuse), write: (value) => write(value, name) };
}

/** Makes a field with a fixed set of words. `meant` maps other accepted words to these. */
export function wordField<Word extends string, Usual extends Word | undefined>(
  words: readonly Word[],
  usual: Usual,
  meant: Readonly<Record<string, Word>> = {},
): Field<Word | Usual> {
  const { allowed, parse } = oneOf(words);
  const wordOf = (text: string) => parse(Object.hasOwn(meant, text) ? (meant[text] ?? '') : text);
  const { read, write } = fieldOf<Word | Usual>({ allowed, parse: wordOf }, usual);
  return { read, write: (word, name) => write(word === undefined ? word : (wordOf(word) ?? word), name) };
}

/** Makes a field with a whole number. */
export function numberField(min: number, max: number, usual: number): Field<number> {
  return fieldOf(digitsFrom(min, max), usual);
}

/** Makes a field with one line of text, trimmed; empty by default. */
export function textField(maxLength: number): Field<string> {
  const { allowed, parse } = textUpTo(maxLength);
  return fieldOf({ allowed, parse: (given) => parse(given)?.trim() }, '');
}
