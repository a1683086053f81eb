/**
 * The port to a SQL engine. A store is written once over it; a driver runs its statements on SQLite, another on PostgreSQL.
 *
 * Statements are in the part of SQL that both know: `?1` is the first value, a list is one value, a JSON text that `json_each(?1)` takes apart
 * into rows with the column `value` (`value->>0` of an array within), and a parameter whose type does not follow says it (`cast(?1 as bigint)`).
 */
import type { ChartName } from '../model/chart.ts';
import { chartTypes } from '../model/chart-types.ts';
import { storageOf } from '../model/data-shapes.ts';
import type { ChangeScope } from '../model/metrics-reader.ts';
import type { ReportStore } from '../model/report-store.ts';
import type { CheckRecord, Compacted, OnProgress, Unused, Upgraded, UpgradeOptions } from '../model/store.ts';
import type { Reads, Statement, Value } from './statement.ts';
import type { RowOf, Table } from './table.ts';
import type { WantedStore } from './wanted-store.ts';

/** One transaction. It has its connection for itself until it ends; every call after that rejects. */
export interface Sql extends Reads {
  readonly engine: 'sqlite' | 'postgres';
  /** Runs a statement without rows. Rejects as {@link read}. */
  run(text: string, ...values: readonly Value[]): Promise<void>;
  /** Writes rows in place of those with the same key. No key may come twice. */
  put<T extends Table>(table: T, rows: ReadonlyArray<RowOf<T>>): Promise<void>;
}

/** A transaction that sees one state. */
export interface ReadTransaction {
  readonly sql: Sql;
  /** Ends it. */
  release(): void;
}

/** The connections of a reader. */
export interface Connections extends AsyncDisposable {
  /** As `MetricsReader.generation`. */
  generation(of: ChangeScope): number;
  /** As `MetricsReader.unreachableMs`. */
  unreachableMs(): number;
  /** Begins a transaction of the newest state, with its first statement at the latest. @throws AppError `unavailable`. */
  begin(): ReadTransaction;
}

/** A transaction on a connection of its own, which may last. Disposing of it without `commit` leaves the store as it was. */
export interface Transaction extends AsyncDisposable {
  readonly sql: Sql;
  /** Makes everything durable and visible. */
  commit(): Promise<void>;
}

/** One engine at one place. Each method connects for itself. */
export interface Engine {
  /** Loads what its methods load when they are called; left out by an engine that has loaded everything. */
  readonly preload?: () => Promise<unknown>;
  /** Opens the connections of a reader. @throws AppError `not_found`, `invalid` for another version, `unavailable`. */
  connect(): Promise<Connections>;
  /** Begins to read the whole store. Rejects as `connect`. */
  beginRead(): Promise<Transaction>;
  /**
   * Begins to write; other writers wait until it ends, and call `onWait` first.
   * Rejects as `connect`; with `not_found` or `conflict` if the store is not as it is wanted; with `unavailable` if another writer does not end.
   */
  beginWrite(wanted: WantedStore, onWait: () => void): Promise<Transaction>;
  /** As `Store.upgrade`. */
  upgrade(options: UpgradeOptions): Promise<Upgraded>;
  /** Opens the reports of the slots that are not closed. */
  openReports(): Promise<ReportStore>;
  /** As `Store.check`. */
  check(checkRecord: CheckRecord, onProgress?: OnProgress): AsyncIterable<string>;
  /** Measures the size on disk. */
  sizeBytes(sql: Sql): Promise<number>;
  /** As `Store.compact`. */
  compact(): Promise<Compacted>;
  /** As `Store.measure`. */
  measure(): Promise<Unused>;
}

/** The types of charts that are lines, as a list of SQL. */
export const lineTypesSql = Object.keys(chartTypes)
  .filter((type) => storageOf(type) === 'points')
  .map((type) => `'${type}'`)
  .join();

/** Renders the ids of a list that is the value with this number. */
export function idsIn(position: number): string {
  return `(select cast(value->>0 as bigint) from json_each(?${position}))`;
}

/** Renders the texts of a list. */
export function textsIn(position: number): string {
  return `(select value->>0 from json_each(?${position}))`;
}

/** Renders the pairs of a plugin id and a chart id of a list. */
export function namesIn(position: number): string {
  return `(select cast(value->>0 as bigint), value->>1 from json_each(?${position}))`;
}

/** Makes the list of {@link idsIn} and {@link textsIn}. */
export function keyList(keys: Iterable<number | string>): string {
  return JSON.stringify(Array.from(keys, (key) => [key]));
}

/** Makes the list of {@link namesIn}. */
export function nameList(names: Iterable<ChartName>): string {
  return JSON.stringify(Array.from(names, ({ pluginId, chartId }) => [pluginId, chartId]));
}

/** An integer below every key. */
export const smallestKey = -Number.MAX_SAFE_INTEGER;

/** A statement that takes a key as its first values and selects the rows after it, in order, and the most rows of a page. */
export interface PagedStatement<R> extends Statement<R> {
  readonly limit: number;
}

/** Makes a statement of pages from one without a limit. */
export function paged<R>(select: Statement<R>, limit: number): PagedStatement<R> {
  const { names, readInto } = select;
  return { text: `${select.text}\nlimit ${limit}`, names, readInto, limit };
}

/**
 * Yields all rows of a statement, page by page, so that no statement stays open from one page to the next.
 * @param select one statement for all pages, or a function that chooses it by the page before; there is none before the first.
 * @param start the columns of the key, with values below every key.
 * @param values those after the key.
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
