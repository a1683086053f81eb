/** Tables of query parameters. Each parameter is defined once: its allowed values, its default, and its text. */
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

/** A member of a state, and the parameters that it has in a query or in attributes. */
export interface Field<Value> {
  /**
   * Reads the member; `name` is that of the parameter.
   * @throws AppError `invalid` for a value that is not allowed, unless there is `refuse`.
   */
  readonly read: (query: Query, name: string, refuse?: Refuse) => Value;
  /** The parameters of a value; none for the default. */
  readonly write: (value: Value, name: string) => QueryParameters;
}

/** The fields of a state, in the order of its parameters. */
export type Fields<State> = { readonly [Name in keyof State]: Field<State[Name]> };

/** The state of some fields. */
export type StateOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Field<infer Value> ? Value : never;
};

/**
 * Parses a query; other parameters in it are ignored.
 * @throws AppError `invalid` for a value that is not allowed, unless there is `refuse`: the default is used then.
 */
export function parse<State extends object>(fields: Fields<State>, query: Query, refuse?: Refuse): State {
  const names = Object.keys(fields) as (keyof State & string)[];
  return Object.fromEntries(names.map((name) => [name, fields[name].read(query, name, refuse)])) as State;
}

/** Reads the state that a query or attributes have, with defaults for values that are not allowed. */
export function accept<State extends object>(fields: Fields<State>, search: URLSearchParams): State {
  const names = [...new Set(search.keys())];
  const query = names.map((name) => {
    const values = search.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  return parse(fields, Object.fromEntries(query), () => {});
}

/** A state with one change, as links name it in `data-set`: `range=7d`, `view=history`. */
export function changed<State extends object>(fields: Fields<State>, state: State, change: string): State {
  const [name = ''] = change.split('=');
  const member = (name === 'range' || name === 'from' ? 'window' : name) as keyof State;
  return { ...state, [member]: accept(fields, new URLSearchParams(change))[member] };
}

/** The parameters of a state; none for defaults, and for members that are left out. */
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

/** One parameter. */
export function fieldOf<Value>(parameter: Parameter<Value>, usual: Value): Field<Value> {
  return {
    read: (query, name, refuse) => parseParameter(query, name, { parameter, fallback: usual, refuse }),
    write: (value, name) => (value === usual ? {} : { [name]: String(value) }),
  };
}

/** A member whose parameter has another name. */
export function named<Value>(name: string, { read, write }: Field<Value>): Field<Value> {
  return { read: (query, _, refuse) => read(query, name, refuse), write: (value) => write(value, name) };
}

/** One of some words. Some may stand for others: `meant` replaces these. */
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

/** A whole number. */
export function numberField(min: number, max: number, usual: number): Field<number> {
  return fieldOf(digitsFrom(min, max), usual);
}

/** A line of text without spaces around it; empty by default. */
export function textField(maxLength: number): Field<string> {
  const { allowed, parse } = textUpTo(maxLength);
  return fieldOf({ allowed, parse: (given) => parse(given)?.trim() }, '');
}
