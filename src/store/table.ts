/**
 * A table, described once: the type of its rows, its definition, its checksums and how rows are read follow from the description. A column that is called
 * `ownerId` in the program is `owner_id` in SQL.
 */
import { crc32 } from 'node:zlib';
import { AppError } from '../model/app-error.ts';
import {
  type ColumnType,
  checksum,
  type Kind,
  type StatementPart,
  snakeCase,
  type Values,
} from './statement.ts';

/** The columns of a table by name. */
export type Kinds = Readonly<Record<string, Kind<unknown>>>;

/** A row of a table with these columns. */
export type RowOfKinds<K extends Kinds> = {
  readonly [Name in keyof K]: K[Name] extends Kind<infer T> ? T : never;
};

/** A row of a table. */
export type RowOf<T extends Table> = T extends Table<infer K> ? RowOfKinds<K> : never;

/** Values by the names of their columns, of whatever kind: those of a row that is not intact, too. */
type Named = Readonly<Record<string, unknown>>;

interface Options<K extends Kinds> {
  readonly key: ReadonlyArray<keyof K & string>;
  /** Columns that are another key together. */
  readonly unique?: ReadonlyArray<keyof K & string>;
  /** Columns that hold the key of another table. */
  readonly references?: { readonly [Name in keyof K]?: string };
  /** Columns of each index beside those of keys, as SQL. */
  readonly indices?: readonly string[];
  /**
   * Names a row in messages. A table with it has a checksum of each row in a last column.
   * @param beside has the other columns that were read with the row.
   */
  readonly called?: (row: Named, beside: Named) => string;
  /** The way out beside a backup; by default that the row is imported again. */
  readonly wayOut?: (row: Named) => string;
}

/** A column in SQL. */
export interface Column {
  readonly name: string;
  readonly sqlName: string;
  readonly kind: Kind<unknown>;
}

/** A row as it is stored. */
export class StoredRow<R> {
  /** True if it has the right checksum. */
  readonly isIntact: boolean;
  readonly #table: Table;
  readonly #read: () => R;
  readonly #named: () => readonly [row: Named, beside: Named];

  constructor(
    table: Table,
    {
      isIntact,
      read,
      named,
    }: Readonly<{ isIntact: boolean; read: () => R; named: () => readonly [Named, Named] }>,
  ) {
    this.isIntact = isIntact;
    this.#table = table;
    this.#read = read;
    this.#named = named;
  }

  /** The row. @throws AppError `store-unavailable` if it is not intact. */
  intact(): R {
    if (!this.isIntact) throw this.damage();
    return this.#read();
  }

  /** Its columns, whatever the checksum says. @throws AppError `store-unavailable` for a column of a wrong kind. */
  asStored(): R {
    return this.#read();
  }

  /** Its name in messages. */
  get called(): string {
    return this.#table.called(...this.#named());
  }

  /** Makes the error `store-unavailable` of one that is not intact. */
  damage(): AppError {
    return this.#table.damage(...this.#named());
  }
}

/** Describes a table. */
export function table<const K extends Kinds>(name: string, kinds: K, options: Options<K>): Table<K> {
  return new Table(name, kinds, options);
}

/** A table. */
export class Table<K extends Kinds = Kinds> {
  readonly name: string;
  /** The columns in their order, the checksum last. */
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** The columns of all keys. */
  readonly keys: readonly string[];
  readonly isChecked: boolean;
  /** All columns of a row. */
  readonly all: StatementPart<RowOfKinds<K>>;
  readonly #options: Options<K>;
  /** The columns of a row without the checksum. */
  readonly #own: readonly Column[];
  readonly #keyIndex: number;

  constructor(name: string, kinds: K, options: Options<K>) {
    this.name = name;
    this.key = options.key;
    this.keys = [...options.key, ...(options.unique ?? [])];
    this.isChecked = options.called !== undefined;
    this.#options = options;
    this.#own = Object.entries(kinds).map(([one, kind]) => ({ name: one, sqlName: snakeCase(one), kind }));
    this.columns = this.isChecked
      ? [...this.#own, { name: 'checksum', sqlName: 'checksum', kind: checksum }]
      : this.#own;
    this.#keyIndex = this.#own.findIndex((one) => one.name === options.key[0]);
    this.all = this.#part(name, (row, values, start, whole) => {
      this.#verify(values, start, whole);
      this.#readInto(row, values, start);
    });
  }

  /** Some columns of a row, which is not checked. */
  pick<Name extends keyof K & string>(...names: readonly Name[]): StatementPart<Pick<RowOfKinds<K>, Name>> {
    const picked = this.#own.filter((one) => names.includes(one.name as Name));
    return {
      text: picked.map(({ sqlName }) => `${this.name}.${sqlName}`).join(', '),
      names: picked.map((one) => one.name),
      readInto(row, values, start) {
        for (const [index, one] of picked.entries()) row[one.name] = one.kind.read(values[start + index]);
      },
    };
  }

  /** Some columns of a row, or all but the checksum, whatever is stored in them. */
  raw<Name extends keyof K & string>(
    ...names: readonly Name[]
  ): StatementPart<{ readonly [N in Name]: unknown }> {
    const all = this.#own.map(({ name }) => name as Name);
    const { text, names: picked } = this.pick(...(names.length === 0 ? all : names));
    return {
      text,
      names: picked,
      readInto(row, values, start) {
        for (const [index, name] of picked.entries()) row[name] = values[start + index];
      },
    };
  }

  /** A row of its own in the row. @param as its name there, and in SQL that of the table in the statement, or of its alias. */
  as<const As extends string>(as: As): StatementPart<{ readonly [Name in As]: RowOfKinds<K> }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#readWhole(values, start, whole);
    });
  }

  /** As {@link as}, of an outer join: null where there is none. */
  ifAny<const As extends string>(as: As): StatementPart<{ readonly [Name in As]: RowOfKinds<K> | null }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#isMissing(values, start) ? null : this.#readWhole(values, start, whole);
    });
  }

  /** A row as it is stored, under the name `as`. */
  stored<const As extends string>(
    as: As,
  ): StatementPart<{ readonly [Name in As]: StoredRow<RowOfKinds<K>> }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#stored(values, start, whole);
    });
  }

  /** As {@link stored}, of an outer join. */
  storedIfAny<const As extends string>(
    as: As,
  ): StatementPart<{ readonly [Name in As]: StoredRow<RowOfKinds<K>> | null }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#isMissing(values, start) ? null : this.#stored(values, start, whole);
    });
  }

  /** Makes what is stored when a row has been written. */
  storing(row: RowOfKinds<K>): StoredRow<RowOfKinds<K>> {
    return new StoredRow(this, { isIntact: true, read: () => row, named: () => [row, row] });
  }

  /** True if a row is the same as the stored one. One that is not intact never is, so that an import repairs it. */
  isSame(stored: StoredRow<RowOfKinds<K>> | undefined, row: RowOfKinds<K>): boolean {
    if (stored?.isIntact !== true) return false;
    const before = stored.intact();
    return this.#own.every(({ name }) => before[name] === row[name]);
  }

  /** Makes the values of the columns of a row. A flag is 0 or 1. */
  valuesOf(row: RowOfKinds<K>): Array<string | number | Uint8Array | null> {
    const values = this.#own.map(({ name }) => {
      const value = row[name];
      return (typeof value === 'boolean' ? Number(value) : value) as string | number | Uint8Array | null;
    });
    if (this.isChecked) values.push(this.checksumOf(values));
    return values;
  }

  /**
   * Computes the checksum of a row from the values of its other columns, the key included, which stand from `start` on: a CRC-32 of the name of the
   * table and all of them, as a signed integer of four bytes, the same in every store.
   */
  checksumOf(values: Values, start = 0): number {
    // No text in a store has a NUL, so it separates columns; null is the empty text.
    let content = this.name;
    for (let index = 0; index < this.#own.length; index++) {
      const value = values[start + index];
      content += `\0${typeof value === 'string' ? value : value === null ? '' : Number(value)}`;
    }
    return crc32(content) | 0;
  }

  /** Renders the statements that make it. @param typeOf the engine's type of a column. @param end follows the columns. */
  createSql(typeOf: (type: ColumnType) => string, end: string): string {
    const { unique, references = {}, indices = [] } = this.#options as Options<Kinds>;
    const list = (names: readonly string[]) => names.map(snakeCase).join(', ');
    const lines = this.columns.map(({ name, sqlName, kind }) => {
      const isNull = kind.isNullable ? '' : ' not null';
      const isKey = this.key.length === 1 && this.key[0] === name ? ' primary key' : isNull;
      const reference = references[name] === undefined ? '' : ` references ${references[name]}`;
      return `${sqlName} ${typeOf(kind.type)}${isKey}${reference}`;
    });
    if (this.key.length > 1) lines.push(`primary key (${list(this.key)})`);
    if (unique !== undefined) lines.push(`unique (${list(unique)})`);
    const indexed = indices.map(
      (columns) =>
        `create index ${this.name}_${columns.replaceAll(', ', '_')} on ${this.name} (${columns});\n`,
    );
    return `create table ${this.name} (\n  ${lines.join(',\n  ')}\n)${end};\n${indexed.join('')}`;
  }

  /** Renders the end of an insertion that replaces the row with the same key. A row of values that is the same already is not written again. */
  get onConflictSql(): string {
    const others = this.columns.filter(({ name }) => !this.key.includes(name)).map(({ sqlName }) => sqlName);
    const set = others.map((one) => `${one} = excluded.${one}`).join(', ');
    const differ = others.map((one) => `${this.name}.${one} is distinct from excluded.${one}`).join(' or ');
    const where = this.isChecked ? ` where ${differ}` : '';
    return `on conflict (${this.key.map(snakeCase).join(', ')}) do update set ${set}${where}`;
  }

  /** Names a row in messages. */
  called(row: Named, beside: Named = row): string {
    return this.#options.called?.(row, beside) ?? this.name;
  }

  /** Makes the error `store-unavailable` of a row that is not intact. */
  damage(row: Named, beside: Named = row): AppError {
    return new AppError(
      'store-unavailable',
      `the store is damaged: ${this.called(row, beside)} has a wrong checksum: restore a backup, or ` +
        `${this.#options.wayOut?.(row) ?? importAgain}; "plugin-metrics check" names all faults`,
    );
  }

  #part<R>(alias: string, readInto: StatementPart<R>['readInto']): StatementPart<R> {
    return {
      text: this.columns.map(({ sqlName }) => `${alias}.${sqlName}`).join(', '),
      names: this.columns.map(({ name }) => name),
      readInto,
    };
  }

  #readInto(row: Record<string, unknown>, values: Values, start: number): void {
    for (let index = 0; index < this.#own.length; index++) {
      const { name, kind } = this.#own[index] as Column;
      row[name] = kind.read(values[start + index]);
    }
  }

  #readWhole(values: Values, start: number, whole: StatementPart<unknown>): RowOfKinds<K> {
    this.#verify(values, start, whole);
    return this.#read(values, start);
  }

  #read(values: Values, start: number): RowOfKinds<K> {
    const row: Record<string, unknown> = {};
    this.#readInto(row, values, start);
    return row as RowOfKinds<K>;
  }

  #isMissing(values: Values, start: number): boolean {
    return values[start + this.#keyIndex] === null;
  }

  #isIntact(values: Values, start: number): boolean {
    return !this.isChecked || Number(values[start + this.#own.length]) === this.checksumOf(values, start);
  }

  #verify(values: Values, start: number, whole: StatementPart<unknown>): void {
    if (!this.#isIntact(values, start)) throw this.damage(...this.#named(values, start, whole));
  }

  #stored(values: Values, start: number, whole: StatementPart<unknown>): StoredRow<RowOfKinds<K>> {
    return new StoredRow(this, {
      isIntact: this.#isIntact(values, start),
      read: () => this.#read(values, start),
      named: () => this.#named(values, start, whole),
    });
  }

  /** The values of the row by name, and all that were read with it. */
  #named(values: Values, start: number, whole: StatementPart<unknown>): readonly [row: Named, beside: Named] {
    const row = Object.fromEntries(this.#own.map(({ name }, index) => [name, values[start + index]]));
    // The first of one name is the one that the statement is about.
    const beside = Object.fromEntries(
      whole.names.map((name, index) => [name, values[index]] as const).reverse(),
    );
    return [row, beside];
  }
}

const importAgain = 'import it again';
