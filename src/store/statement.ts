/**
 * Statements with typed rows: the parts of a SQL text name the columns that it selects, and the kind of each
 * column.
 */
import { AppError } from '../model/app-error.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';

/** Columns that a statement selects, and their SQL text. */
export interface StatementPart<R> {
  readonly text: string;
  /** The property names of the columns, one for each value. */
  readonly names: readonly string[];
  /**
   * Reads the values from index `start` on into a row.
   * @param statement the whole statement, which names all values.
   * @throws AppError `store-unavailable` for a value of another kind, and for a damaged row of a table.
   */
  readonly readInto: (
    row: Record<string, unknown>,
    values: Values,
    start: number,
    statement: StatementPart<unknown>,
  ) => void;
  /** Carries the row type; never set. */
  readonly row?: R;
}

/** The values of a row, in the order of the columns. */
export type Values = readonly unknown[];

/** A statement. It can also be a part of a longer statement. */
export type Statement<R> = StatementPart<R>;

/** A value of a statement. */
export type Value = string | number | Uint8Array | null;

/** A transaction or a connection that reads. */
export interface Reads {
  /** The name of the store in messages. */
  readonly storeName: string;
  /**
   * Runs a statement and reads its rows. The driver prepares each text once per connection, so texts must not
   * be made from data. Rejects with an AppError that names the store: `unavailable`, also if the statement
   * selects all columns of a damaged row, or `invalid` for a text that the engine cannot store.
   */
  read<R>(statement: Statement<R>, ...values: readonly Value[]): Promise<R[]>;
}

/** The row type of a statement. */
export type RowGiven<S> = S extends Statement<infer R> ? R : never;

type Text = string | number;

type RowOfParts<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? (First extends StatementPart<infer R> ? R : unknown) & RowOfParts<Rest>
  : unknown;

type Flat<R> = { readonly [Name in keyof R]: R[Name] };

/** Makes a statement. Everything that it selects must be a part. */
export function statement<const Parts extends ReadonlyArray<Text | StatementPart<unknown>>>(
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

/** A computed column; it names the expression before it: `count(*) as ${column('count', integer)}`. */
export function column<const Name extends string, T>(
  name: Name,
  kind: Kind<T>,
): StatementPart<{ readonly [N in Name]: T }> {
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

/**
 * The type of a column, for which each engine has its own name. `serial` numbers the rows; `checksum` is a
 * signed integer of four bytes.
 */
export type ColumnType = 'integer' | 'number' | 'text' | 'flag' | 'bytes' | 'serial' | 'checksum';

/** A kind of column. */
export interface Kind<T> {
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /**
   * Reads a value from a driver, which may give a boolean as 0 or 1, and an integer as a bigint.
   * @throws AppError `store-unavailable` for another kind of value.
   */
  readonly read: (value: unknown) => T;
}

/** Makes a kind whose values are never null. */
function kindOf<T>(type: ColumnType, read: Kind<T>['read']): Kind<T> {
  return { type, isNullable: false, read };
}

/** A safe integer; 64 bits in the store. */
export const integer: Kind<number> = kindOf('integer', readInteger);

/** A double. */
export const number: Kind<number> = kindOf('number', (value) =>
  typeof value === 'number' ? value : fail('a number', value),
);

/** A text, sorted bytewise. */
export const text: Kind<string> = kindOf('text', readText);

/** Compact JSON, stored as text. */
export const json: Kind<JsonText> = kindOf('text', (value) => trustedJson(readText(value)));

/** True or false; 1 or 0 in SQLite and in checksums. */
export const flag: Kind<boolean> = kindOf('flag', (value) => {
  if (typeof value === 'boolean') return value;
  const bit = Number(value);
  return bit === 0 || bit === 1 ? bit === 1 : fail('true or false', value);
});

/** Bytes. */
export const bytes: Kind<Uint8Array> = kindOf('bytes', (value) =>
  value instanceof Uint8Array ? value : fail('bytes', value),
);

/** A value by which a list is sorted. */
export const sortable: Kind<number | string> = kindOf('text', (value) =>
  typeof value === 'string' ? value : number.read(value),
);

/** A number that the engine gives each new row. */
export const serial: Kind<number> = kindOf('serial', readInteger);

/** A checksum of a row. */
export const checksum: Kind<number> = kindOf('checksum', readInteger);

/** Makes a kind whose values may be null. */
export function orNull<T>({ type, read }: Kind<T>): Kind<T | null> {
  return { type, isNullable: true, read: (value) => (value === null ? null : read(value)) };
}

function readInteger(value: unknown): number {
  const found = typeof value === 'bigint' ? Number(value) : value;
  return typeof found === 'number' && Number.isSafeInteger(found)
    ? found
    : fail('an integer of at most 2^53-1', value);
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : fail('a text', value);
}

function fail(expected: string, value: unknown): never {
  const found = value instanceof Uint8Array ? 'bytes' : String(value).slice(0, 40);
  throw new AppError(
    'store-unavailable',
    `the store is damaged: a row has ${found} where ${expected} belongs`,
  );
}
