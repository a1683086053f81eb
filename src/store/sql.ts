/**
 * The port to a SQL engine. The store is written once against it; one driver runs its statements on SQLite,
 * another on PostgreSQL.
 *
 * Statements use the SQL that both engines understand. `?1` is the first value. A list is one value, a JSON
 * text, which `json_each(?1)` turns into rows with the column `value` (`value->>0` for an array within). A
 * parameter whose type cannot be inferred is cast (`cast(?1 as bigint)`).
 */
import type { ChartName } from '../model/catalogue.ts';
import { storageOf } from '../model/chart-forms.ts';
import { chartTypes } from '../model/chart-types.ts';
import type { ChangeScope } from '../model/metrics-reader.ts';
import type { ReportStore } from '../model/report-store.ts';
import type { CheckRecord, Compacted, OnProgress, Unused, Upgraded, UpgradeOptions } from '../model/store.ts';
import { type Reads, type Statement, statement, type Value } from './statement.ts';
import type { Kinds, RowOf, RowOfKinds, StoredRow, Table } from './table.ts';
import type { WantedStore } from './wanted-store.ts';

/** One transaction. It uses its connection alone until it ends; later calls reject. */
export interface Sql extends Reads {
  readonly engine: 'sqlite' | 'postgres';
  /** Runs a statement without rows. Rejects like {@link read}. */
  run(text: string, ...values: readonly Value[]): Promise<void>;
  /** Inserts rows, and replaces those with the same key. No key may occur twice. */
  put<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): Promise<void>;
}

/** A transaction that sees one state. */
export interface ReadTransaction {
  readonly sql: Sql;
  /** Ends the transaction. */
  release(): void;
}

/** The connections of a reader. */
export interface Connections extends AsyncDisposable {
  /** See `MetricsReader.generation`. */
  generation(of: ChangeScope): number;
  /** See `MetricsReader.unreachableMs`. */
  unreachableMs(): number;
  /**
   * Begins a transaction. It sees the newest state at this call, or at its first statement.
   * @throws AppError `unavailable`.
   */
  begin(): ReadTransaction;
}

/**
 * A transaction on a connection of its own, which may run for long. Disposing of it without `commit` rolls it
 * back.
 */
export interface Transaction extends AsyncDisposable {
  readonly sql: Sql;
  /** Makes everything durable and visible. */
  commit(): Promise<void>;
}

/** One database of an engine. Each method opens a connection of its own. */
export interface Engine {
  /** Loads the modules that methods would otherwise load on their first call; absent if there are none. */
  readonly preload?: () => Promise<unknown>;
  /**
   * Opens the connections of a reader.
   * @throws AppError `not_found`, `invalid` for another version, `unavailable`.
   */
  connect(): Promise<Connections>;
  /** Opens and closes the database, without leaving a file beside it. Rejects like `connect`. */
  probe(): Promise<void>;
  /** Begins to read the whole store. Rejects like `connect`. */
  beginRead(): Promise<Transaction>;
  /**
   * Begins to write. If there is another writer, it calls `onWait`, and waits.
   * Rejects like `connect`; with `not_found` or `conflict` if the store is not in the wanted state; with
   * `unavailable` if the other writer does not end.
   */
  beginWrite(wanted: WantedStore, onWait: () => void): Promise<Transaction>;
  /** See `Store.upgrade`. */
  upgrade(options: UpgradeOptions): Promise<Upgraded>;
  /** Opens the stored reports of open slots. */
  openReports(): Promise<ReportStore>;
  /** See `Store.check`. */
  check(checkRecord: CheckRecord, onProgress?: OnProgress): AsyncIterable<string>;
  /** Measures the size on disk. */
  sizeBytes(sql: Sql): Promise<number>;
  /** See `Store.compact`. */
  compact(): Promise<Compacted>;
  /** See `Store.measure`. */
  measure(): Promise<Unused>;
}

/** The types of charts that are lines, as a SQL list. */
export const lineTypesSql = Object.keys(chartTypes)
  .filter((type) => storageOf(type) === 'points')
  .map((type) => `'${type}'`)
  .join();

/** Renders a subquery of the ids in a list, as `id`; the list is the value at this position. */
export function idsIn(position: number): string {
  return `(select cast(value->>0 as bigint) as id from json_each(?${position}))`;
}

/** Renders a subquery of the texts in a list. */
export function textsIn(position: number): string {
  return `(select value->>0 from json_each(?${position}))`;
}

/** Renders a subquery of the pairs of plugin id and chart id in a list. */
export function namesIn(position: number): string {
  return `(select cast(value->>0 as bigint), value->>1 from json_each(?${position}))`;
}

/** Makes the list for {@link idsIn} and {@link textsIn}. */
export function keyList(keys: Iterable<number | string>): string {
  return JSON.stringify(Array.from(keys, (key) => [key]));
}

/** Makes the list for {@link namesIn}. */
export function nameList(names: Iterable<ChartName>): string {
  return JSON.stringify(Array.from(names, ({ pluginId, chartId }) => [pluginId, chartId]));
}

/**
 * Reads the rows of a table. Rejects for a damaged row.
 * @param condition as of {@link storedWhere}.
 */
export function rowsWhere<K extends Kinds>(
  sql: Reads,
  table: Table<K>,
  condition: string,
  ...values: readonly Value[]
): Promise<ReadonlyArray<RowOfKinds<K>>> {
  return sql.read(statement`select ${table.all} from ${table.name} where ${condition}`, ...values);
}

/**
 * Reads the rows of a table as stored, even if they are damaged.
 * @param condition follows `where`, and may end with an order and a limit.
 */
export async function storedWhere<K extends Kinds>(
  sql: Reads,
  table: Table<K>,
  condition: string,
  ...values: readonly Value[]
): Promise<ReadonlyArray<StoredRow<RowOfKinds<K>>>> {
  const rows = await sql.read(
    statement`select ${table.stored('one')} from ${table.name} as one where ${condition}`,
    ...values,
  );
  return rows.map(({ one }) => one);
}

/** An integer below every key. */
export const smallestKey = -Number.MAX_SAFE_INTEGER;

/** A statement that selects the rows after a key, in order, up to a limit. Its first values are the key. */
export interface PagedStatement<R> extends Statement<R> {
  readonly limit: number;
}

/** Makes a paged statement from a statement without a limit. */
export function paged<R>(select: Statement<R>, limit: number): PagedStatement<R> {
  const { names, readInto } = select;
  return { text: `${select.text}\nlimit ${limit}`, names, readInto, limit };
}

/**
 * Yields all rows of a statement, page by page, so that no statement stays open between two pages.
 * @param select one statement for all pages, or a function that chooses the statement by the previous page,
 * if there is one.
 * @param start the columns of the key, with values below every key.
 * @param values the values after the key.
 */
export async function* keysetPages<R extends object>(
  sql: Pick<Reads, 'read'>,
  select: PagedStatement<R> | ((before?: readonly R[]) => PagedStatement<R>),
  start: { readonly [Name in keyof R]?: Value },
  ...values: readonly Value[]
): AsyncGenerator<R[]> {
  const columns = Object.keys(start) as (keyof R)[];
  const choose = typeof select === 'function' ? select : () => select;
  let after = Object.values(start) as Value[];
  for (let next: PagedStatement<R> | undefined = choose(); next !== undefined; ) {
    const page: R[] = await sql.read(next, ...after, ...values);
    const last = page.at(-1);
    if (last === undefined) return;
    after = columns.map((name) => last[name] as Value);
    next = page.length < next.limit ? undefined : choose(page);
    yield page;
  }
}
