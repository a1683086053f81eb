/** Reads a whole store on a server in one transaction, in pages. */
import { storageOf } from '../model/data-shapes.ts';
import type { Chunk } from '../series/chunk.ts';
import { chunkOf, integer, type Row, text } from '../store/rows.ts';
import type { Pages, StoredState } from '../store/stored-records.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { checkVersion } from './postgres-schema.ts';
import type { SeriesTable } from './write-series.ts';

const softwareSql = `
  select id, name, url, global_plugin_id, checksum from plugin_metrics.software
  where id > $1 order by id limit 1000`;

const pluginsSql = `
  select plugin.id, plugin.name, owner_id, owner.name as owner_name, software_id, is_global,
    plugin.checksum, owner.checksum as owner_checksum
  from plugin_metrics.plugin left join plugin_metrics.owner on owner.id = plugin.owner_id
  where plugin.id > $1
  order by plugin.id
  limit 1000`;

const chartsSql = `
  select plugin_id, uid, chart_id, type, position, title, is_default, settings, chart.checksum,
    json, snapshot.at, snapshot.checksum as json_checksum
  from plugin_metrics.chart left join plugin_metrics.snapshot on chart_uid = uid
  where (plugin_id, chart_id) > ($1, $2)
  order by plugin_id, chart_id
  limit 64`;

/** The most rows of a page. */
const pageRows = 4096;

/** The most chunks and blocks that are loaded at once: a chunk has up to some KB, a block up to some hundred. */
const seriesPageRows: Readonly<Record<SeriesTable, number>> = { chunk: pageRows, history: 64 };

const seriesIn = (table: SeriesTable) => `
  select chart_uid, first_timestamp, bytes
  from plugin_metrics.${table}
  where chart_uid = any ($1) and first_timestamp > $2
  order by chart_uid, first_timestamp
  limit ${seriesPageRows[table]}`;

const rowsIn = (table: SeriesTable) => `
  select chart_uid, plugin_id, chart_id, type, first_timestamp, bytes
  from plugin_metrics.${table} left join plugin_metrics.chart on uid = chart_uid
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit ${seriesPageRows[table]}`;

const hasPastSql = `
  select exists (select from plugin_metrics.history) or exists (select from plugin_metrics.event)
    or exists (select from plugin_metrics.old_name) or exists (select from plugin_metrics.removal) as has_past`;

const oldNamesSql = `
  select plugin_id, name, checksum from plugin_metrics.old_name
  where (plugin_id, name) > ($1, $2)
  order by plugin_id, name
  limit ${pageRows}`;

const eventsSql = `
  select plugin_id, time, title, url, checksum from plugin_metrics.event
  where (plugin_id, time, title) > ($1, $2, $3)
  order by plugin_id, time, title
  limit ${pageRows}`;

const removalsSql = `
  select plugin_id, chart_id, before_timestamp, checksum from plugin_metrics.removal
  where (plugin_id, chart_id) > ($1, $2)
  order by plugin_id, chart_id
  limit ${pageRows}`;

/**
 * Begins a transaction that sees one state of the store.
 * @throws AppError as `checkVersion`.
 */
export async function beginReading(connection: PostgresConnection, storeName: string): Promise<void> {
  await checkVersion(connection, storeName);
  await beginState(connection);
}

/** Begins a transaction that sees one state of a store whose version is known. */
export async function beginState(connection: PostgresConnection): Promise<void> {
  await connection.query(`
    begin isolation level repeatable read read only;
    -- The consumer of the rows may be slow.
    set local idle_in_transaction_session_timeout = 0`);
}

/** The state that the open transaction of a connection sees. */
export class PostgresState implements StoredState {
  readonly #connection: PostgresConnection;
  #chunks: SeriesPages | undefined;
  #blocks: SeriesPages | undefined;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  software(): Pages {
    return keysetPages(this.#connection, softwareSql, { id: smallestKey });
  }

  plugins(): Pages {
    return keysetPages(this.#connection, pluginsSql, { id: smallestKey });
  }

  async *charts(): Pages {
    const start = { plugin_id: smallestKey, chart_id: '' };
    for await (const page of keysetPages(this.#connection, chartsSql, start)) {
      const isLine = (row: Row) => storageOf(text(row['type'])) === 'series';
      this.#chunks = new SeriesPages(this.#connection, 'chunk', page.filter(isLine));
      this.#blocks = new SeriesPages(
        this.#connection,
        'history',
        page.filter((row) => !isLine(row)),
      );
      yield page;
    }
  }

  async hasPast(): Promise<boolean> {
    const [row] = await this.#connection.query(hasPastSql);
    return row?.['has_past'] === true;
  }

  oldNames(): Pages {
    return keysetPages(this.#connection, oldNamesSql, { plugin_id: smallestKey, name: '' });
  }

  events(): Pages {
    return keysetPages(this.#connection, eventsSql, { plugin_id: smallestKey, time: smallestKey, title: '' });
  }

  async loadSeries(uid: number): Promise<readonly Chunk[]> {
    const chunks = (await this.#chunks?.read(uid)) ?? [];
    return chunks.length > 0 ? chunks : ((await this.#blocks?.read(uid)) ?? []);
  }

  chunks(): Pages {
    const pagesOf = (table: SeriesTable) =>
      keysetPages(this.#connection, rowsIn(table), { chart_uid: smallestKey, first_timestamp: smallestKey });
    return mergedPages(pagesOf('chunk'), pagesOf('history'));
  }

  removals(): Pages {
    return keysetPages(this.#connection, removalsSql, { plugin_id: smallestKey, chart_id: '' });
  }
}

/** Merges the pages of tables that are each in the order of charts and times. */
async function* mergedPages(...tables: readonly Pages[]): AsyncGenerator<readonly Row[]> {
  const sources = tables.map((pages) => ({ pages: pages[Symbol.asyncIterator](), rows: noRows }));
  for (;;) {
    for (const source of sources) {
      if (source.rows.length > 0) continue;
      const next = await source.pages.next();
      source.rows = next.done === true ? noRows : next.value;
    }
    const filled = sources.filter(({ rows }) => rows.length > 0);
    // No page that is still to come has a row before the first of the last rows.
    const [until] = filled.flatMap(({ rows }) => rows.slice(-1)).sort(compareRows);
    if (until === undefined) return;
    const page: Row[] = [];
    for (const source of filled) {
      const later = source.rows.findIndex((row) => compareRows(row, until) > 0);
      const count = later === -1 ? source.rows.length : later;
      page.push(...source.rows.slice(0, count));
      source.rows = source.rows.slice(count);
    }
    yield filled.length === 1 ? page : page.sort(compareRows);
  }
}

const noRows: readonly Row[] = [];

/** Orders rows by chart, then by time. */
function compareRows(a: Row, b: Row): number {
  return (
    Number(a['chart_uid']) - Number(b['chart_uid']) ||
    Number(a['first_timestamp']) - Number(b['first_timestamp'])
  );
}

/** Loads the chunks or blocks of several charts: together if they are few, in pages if they are many. */
class SeriesPages {
  readonly #connection: PostgresConnection;
  readonly #table: SeriesTable;
  readonly #unread: Set<number>;
  readonly #read = new Map<number, Chunk[]>();

  constructor(connection: PostgresConnection, table: SeriesTable, charts: readonly Row[]) {
    this.#connection = connection;
    this.#table = table;
    this.#unread = new Set(charts.map((row) => integer(row['uid'])));
  }

  async read(uid: number): Promise<readonly Chunk[]> {
    if (this.#unread.has(uid)) await this.#readWith(uid);
    const chunks = this.#read.get(uid) ?? [];
    this.#read.delete(uid);
    return chunks;
  }

  async #readWith(uid: number): Promise<void> {
    const chunks = await this.#page([...this.#unread], smallestKey);
    const last = chunks.at(-1);
    if (chunks.length < seriesPageRows[this.#table] || last === undefined) {
      this.#unread.clear();
      this.#keep(chunks);
      return;
    }
    // A full page may end within the series of its last row; the series after it are not in it.
    this.#keep(chunks.filter((chunk) => chunk.uid < last.uid));
    for (const one of this.#unread) if (one < last.uid) this.#unread.delete(one);
    if (this.#unread.has(uid)) await this.#readAlone(uid);
  }

  async #readAlone(uid: number): Promise<void> {
    this.#unread.delete(uid);
    for (let after = smallestKey, isMore = true; isMore; ) {
      const chunks = await this.#page([uid], after);
      this.#keep(chunks);
      isMore = chunks.length === seriesPageRows[this.#table];
      after = chunks.at(-1)?.firstTimestamp ?? 0;
    }
  }

  async #page(uids: readonly number[], after: number) {
    return (await this.#connection.query(seriesIn(this.#table), [uids, after])).map(chunkOf);
  }

  #keep(chunks: readonly (Chunk & { readonly uid: number })[]): void {
    for (const chunk of chunks) {
      const kept = this.#read.get(chunk.uid);
      if (kept === undefined) this.#read.set(chunk.uid, [chunk]);
      else kept.push(chunk);
    }
  }
}
