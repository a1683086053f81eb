/** Statements that know the rows which they give: a text of SQL, in which parts say the columns that it selects. */
import type { Kind } from './kinds.ts';

/** Columns that a statement selects, in its text at the place of their values. */
export interface Part<R> {
  readonly text: string;
  /** The names of the columns in the rows of the program; one for each value. */
  readonly names: readonly string[];
  /**
   * Reads the values from `start` on into a row.
   * @param statement has the names of all values.
   * @throws AppError `store-unavailable` for a value of another kind, and for a row of a table that is not intact.
   */
  readonly readInto: (
    row: Record<string, unknown>,
    values: Values,
    start: number,
    statement: Part<unknown>,
  ) => void;
  /** Has the type alone. */
  readonly row?: R;
}

/** The values of a row, in the order of the columns. */
export type Values = readonly unknown[];

/** A statement. It may be a part of a longer one. */
export type Statement<R> = Part<R>;

/** A row that a statement gives. */
export type RowGiven<S> = S extends Statement<infer R> ? R : never;

type Text = string | number;

type RowOfParts<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? (First extends Part<infer R> ? R : unknown) & RowOfParts<Rest>
  : unknown;

type Flat<R> = { readonly [Name in keyof R]: R[Name] };

/** Makes a statement. All that it selects must be parts. */
export function statement<const Parts extends ReadonlyArray<Text | Part<unknown>>>(
  texts: TemplateStringsArray,
  ...parts: Parts
): Statement<Flat<RowOfParts<Parts>>> {
  const selected = parts.filter((part) => typeof part === 'object');
  return {
    text: String.raw({ raw: texts }, ...parts.map((part) => (typeof part === 'object' ? part.text : part))),
    names: selected.flatMap(({ names }) => names),
    readInto(row, values, start, whole) {
      let at = start;
      for (const part of selected) {
        part.readInto(row, values, at, whole);
        at += part.names.length;
      }
    },
  };
}

/** A column that is computed: stands behind its expression, as its name. */
export function column<const Name extends string, T>(
  name: Name,
  kind: Kind<T>,
): Part<{ readonly [N in Name]: T }> {
  return {
    text: snakeCase(name),
    names: [name],
    readInto(row, values, start) {
      row[name] = kind.read(values[start]);
    },
  };
}

/** Reads a row. @throws AppError `store-unavailable`. */
export function readRow<R>(of: Statement<R>, values: Values): R {
  const row: Record<string, unknown> = {};
  of.readInto(row, values, 0, of);
  return row as R;
}

/** The name of a column in SQL. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
