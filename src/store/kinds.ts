/** The kinds of columns: the type of a value, and how it is read from a row. */
import { AppError } from '../model/app-error.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';

/** The type of a column, for which each engine has its own name. `serial` numbers the rows; `checksum` is a signed integer of four bytes. */
export type ColumnType = 'integer' | 'number' | 'text' | 'flag' | 'bytes' | 'serial' | 'checksum';

/** A kind of column. */
export interface Kind<T> {
  readonly type: ColumnType;
  readonly isNullable: boolean;
  /** Reads a value as a driver gives it: a boolean may be 0 or 1, an integer a bigint. @throws AppError `store-unavailable` for another one. */
  readonly read: (value: unknown) => T;
}

/** A safe integer; 64 bits in the store. */
export const integer: Kind<number> = { type: 'integer', isNullable: false, read: readInteger };

/** A double. */
export const number: Kind<number> = {
  type: 'number',
  isNullable: false,
  read: (value) => (typeof value === 'number' ? value : fail('a number', value)),
};

/** A text, in the order of its bytes. */
export const text: Kind<string> = { type: 'text', isNullable: false, read: readText };

/** Compact JSON in a text. */
export const json: Kind<JsonText> = {
  type: 'text',
  isNullable: false,
  read: (value) => trustedJson(readText(value)),
};

/** True or false; 1 or 0 in SQLite and in checksums. */
export const flag: Kind<boolean> = {
  type: 'flag',
  isNullable: false,
  read: (value) => {
    if (typeof value === 'boolean') return value;
    const bit = Number(value);
    return bit === 0 || bit === 1 ? bit === 1 : fail('true or false', value);
  },
};

/** Bytes. */
export const bytes: Kind<Uint8Array> = {
  type: 'bytes',
  isNullable: false,
  read: (value) => (value instanceof Uint8Array ? value : fail('bytes', value)),
};

/** A value by which a list is sorted. */
export const sortable: Kind<number | string> = {
  type: 'text',
  isNullable: false,
  read: (value) => (typeof value === 'string' ? value : number.read(value)),
};

/** A number that the engine gives each new row. */
export const serial: Kind<number> = { type: 'serial', isNullable: false, read: readInteger };

/** A checksum of a row. */
export const checksum: Kind<number> = { type: 'checksum', isNullable: false, read: readInteger };

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
