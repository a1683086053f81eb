/**
 * A table, described once. The type of its rows, its definition in SQL, its checksums and its decoding follow
 * from the description. A column `ownerId` of the program is `owner_id` in SQL.
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

/** The row type of a table. */
export type RowOf<T extends Table> = T extends Table<infer K> ? RowOfKinds<K> : never;

/** Values of any kind by column name, for damaged rows as well. */
type Named = Readonly<Record<string, unknown>>;

interface Options<K extends Kinds> {
  readonly key: ReadonlyArray<keyof K & string>;
  /** The columns of a second key. */
  readonly unique?: ReadonlyArray<keyof K & string>;
  /** Columns that contain the key of another table. */
  readonly references?: { readonly [Name in keyof K]?: string };
  /** The columns of each further index, as SQL. */
  readonly indices?: readonly string[];
  /**
   * Names a row in messages. A table with this option stores a checksum of each row, in its last column.
   * @param beside the other columns that were read with the row.
   */
  readonly called?: (row: Named, beside: Named) => string;
  /** The remedy in addition to a backup; by default, to import the row again. */
  readonly wayOut?: (row: Named) => string;
}

/** A column in SQL. */
export interface Column {
  readonly name: string;
  readonly sqlName: string;
  readonly kind: Kind<unknown>;
}

/** A row as stored. */
export class StoredRow<R> {
  /** True if the checksum of the row is right. */
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

  /** Returns the row. @throws AppError `store-unavailable` if it is not intact. */
  intact(): R {
    if (!this.isIntact) throw this.damage();
    return this.#read();
  }

  /**
   * Returns the row without regard to its checksum.
   * @throws AppError `store-unavailable` for a column of a wrong kind.
   */
  asStored(): R {
    return this.#read();
  }

  /** The name of the row in messages. */
  get called(): string {
    return this.#table.called(...this.#named());
  }

  /** Makes the error `store-unavailable` for a damaged row. */
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
  /** The columns in order; the checksum is the last. */
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** The columns of all keys. */
  readonly keys: readonly string[];
  readonly isChecked: boolean;
  /** Selects all columns of a row, and verifies its checksum. */
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

  /** Selects some columns of a row, without its checksum. */
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

  /** Selects some columns of a row, or all but the checksum, as values of any kind. */
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

  /**
   * Selects a whole row as a property of the result.
   * @param as the name of the property, and, in snake case, the name or alias of the table in SQL.
   */
  as<const As extends string>(as: As): StatementPart<{ readonly [Name in As]: RowOfKinds<K> }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#readWhole(values, start, whole);
    });
  }

  /** Selects like {@link as} from an outer join; null if there is no row. */
  ifAny<const As extends string>(as: As): StatementPart<{ readonly [Name in As]: RowOfKinds<K> | null }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#isMissing(values, start) ? null : this.#readWhole(values, start, whole);
    });
  }

  /** Selects a whole row as a {@link StoredRow}, in the property `as`. */
  stored<const As extends string>(
    as: As,
  ): StatementPart<{ readonly [Name in As]: StoredRow<RowOfKinds<K>> }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#stored(values, start, whole);
    });
  }

  /** Selects like {@link stored} from an outer join; null if there is no row. */
  storedIfAny<const As extends string>(
    as: As,
  ): StatementPart<{ readonly [Name in As]: StoredRow<RowOfKinds<K>> | null }> {
    return this.#part(snakeCase(as), (row, values, start, whole) => {
      row[as] = this.#isMissing(values, start) ? null : this.#stored(values, start, whole);
    });
  }

  /** Makes the stored row of a row that has just been written. */
  storing(row: RowOfKinds<K>): StoredRow<RowOfKinds<K>> {
    return new StoredRow(this, { isIntact: true, read: () => row, named: () => [row, row] });
  }

  /** True if a row equals the stored row. A damaged row equals none, so that an import repairs it. */
  isSame(stored: StoredRow<RowOfKinds<K>> | undefined, row: RowOfKinds<K>): boolean {
    if (stored?.isIntact !== true) return false;
    const before = stored.intact();
    return this.#own.every(({ name }) => before[name] === row[name]);
  }

  /** Lists the values of all columns of a row. A flag becomes 0 or 1. */
  valuesOf(row: RowOfKinds<K>): Array<string | number | Uint8Array | null> {
    const values = this.#own.map(({ name }) => {
      const value = row[name];
      return (typeof value === 'boolean' ? Number(value) : value) as string | number | Uint8Array | null;
    });
    if (this.isChecked) values.push(this.checksumOf(values));
    return values;
  }

  /**
   * Computes the checksum of a row from its other values, which begin at index `start`: a CRC-32 of the
   * table's name and all values, the key included, as a signed 32-bit integer. It is the same in every store.
   */
  checksumOf(values: Values, start = 0): number {
    // Stored texts never contain NUL, so NUL separates the columns. Null counts as an empty text.
    let content = this.name;
    for (let index = 0; index < this.#own.length; index++) {
      const value = values[start + index];
      content += `\0${typeof value === 'string' ? value : value === null ? '' : Number(value)}`;
    }
    return crc32(content) | 0;
  }

  /**
   * Renders the statements that create the table and its indexes.
   * @param types the engine's types of columns.
   * @param end follows the columns.
   */
  createSql(types: Readonly<Record<ColumnType, string>>, end: string): string {
    const { unique, references = {}, indices = [] } = this.#options as Options<Kinds>;
    const list = (names: readonly string[]) => names.map(snakeCase).join(', ');
    const lines = this.columns.map(({ name, sqlName, kind }) => {
      const isNull = kind.isNullable ? '' : ' not null';
      const isKey = this.key.length === 1 && this.key[0] === name ? ' primary key' : isNull;
      const reference = references[name] === undefined ? '' : ` references ${references[name]}`;
      return `${sqlName} ${types[kind.type]}${isKey}${reference}`;
    });
    if (this.key.length > 1) lines.push(`primary key (${list(this.key)})`);
    if (unique !== undefined) lines.push(`unique (${list(unique)})`);
    const indexed = indices.map(
      (columns) =>
        `create index ${this.name}_${columns.replaceAll(', ', '_')} on ${this.name} (${columns});\n`,
    );
    return `create table ${this.name} (\n  ${lines.join(',\n  ')}\n)${end};\n${indexed.join('')}`;
  }

  /**
   * Renders the end of an insert that replaces the row with the same key. If the table has checksums, an
   * equal row is not written again.
   */
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

  /** Makes the error `store-unavailable` for a damaged row. */
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

  /** The values of the row by name, and all values that were read with it. */
  #named(values: Values, start: number, whole: StatementPart<unknown>): readonly [row: Named, beside: Named] {
    const row = Object.fromEntries(this.#own.map(({ name }, index) => [name, values[start + index]]));
    // If a name occurs twice, the first value counts: it belongs to the table that the statement is about.
    const beside = Object.fromEntries(
      whole.names.map((name, index) => [name, values[index]] as const).reverse(),
    );
    return [row, beside];
  }
}

const importAgain = 'import it again';
