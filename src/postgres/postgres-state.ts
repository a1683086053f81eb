/** Reads a whole store on a server in one transaction, in pages. */
import type { Chunk } from '../series/chunk.ts';
import { chunkOf, integer, type Row } from '../store/rows.ts';
import { lineTypesSql } from '../store/stored-columns.ts';
import type { Pages, StoredState } from '../store/stored-records.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { checkVersion } from './postgres-schema.ts';

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

/** The most chunks that are loaded at once: one of a line has up to some KB, one of shares up to some hundred. */
const chunkPageRows = 1024;

const seriesSql = `
  select chart_uid, first_timestamp, bytes
  from plugin_metrics.chunk
  where chart_uid = any ($1) and first_timestamp > $2
  order by chart_uid, first_timestamp
  limit ${chunkPageRows}`;

const chunksSql = `
  select chart_uid, plugin_id, chart_id, type, first_timestamp, bytes
  from plugin_metrics.chunk left join plugin_metrics.chart on uid = chart_uid
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit ${chunkPageRows}`;

const hasPastSql = `
  select exists (
      select from plugin_metrics.chart
      where type not in (${lineTypesSql}) and exists (select from plugin_metrics.chunk where chart_uid = uid))
    or exists (select from plugin_metrics.event)
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
  #series: SeriesPages | undefined;

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
      this.#series = new SeriesPages(this.#connection, page);
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
    return (await this.#series?.read(uid)) ?? [];
  }

  chunks(): Pages {
    const start = { chart_uid: smallestKey, first_timestamp: smallestKey };
    return keysetPages(this.#connection, chunksSql, start);
  }

  removals(): Pages {
    return keysetPages(this.#connection, removalsSql, { plugin_id: smallestKey, chart_id: '' });
  }
}

/** Loads the chunks of several charts: together if they fit a page, and otherwise each alone, in pages. */
class SeriesPages {
  readonly #connection: PostgresConnection;
  readonly #uids: readonly number[];
  #together: ReadonlyMap<number, readonly Chunk[]> | 'too many' | undefined;

  constructor(connection: PostgresConnection, charts: readonly Row[]) {
    this.#connection = connection;
    this.#uids = charts.map((row) => integer(row['uid']));
  }

  async read(uid: number): Promise<readonly Chunk[]> {
    this.#together ??= await this.#readTogether();
    return this.#together === 'too many' ? this.#readAlone(uid) : (this.#together.get(uid) ?? []);
  }

  async #readTogether() {
    const chunks = await this.#page(this.#uids, smallestKey);
    return chunks.length === chunkPageRows ? 'too many' : Map.groupBy(chunks, (chunk) => chunk.uid);
  }

  async #readAlone(uid: number): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    for (let page: Chunk[] | undefined; page === undefined || page.length === chunkPageRows; ) {
      page = await this.#page([uid], chunks.at(-1)?.firstTimestamp ?? smallestKey);
      chunks.push(...page);
    }
    return chunks;
  }

  async #page(uids: readonly number[], after: number): Promise<Chunk[]> {
    return (await this.#connection.query(seriesSql, [uids, after])).map(chunkOf);
  }
}
