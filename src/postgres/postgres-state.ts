/** Reads a whole store on a server in one transaction, in pages. */
import { storageOf } from '../model/data-shapes.ts';
import type { Chunk } from '../series/chunk.ts';
import { chunkOf, integer, text } from '../store/rows.ts';
import type { Pages, StoredState } from '../store/stored-records.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { checkVersion } from './postgres-migrate.ts';

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
    json, snapshot.checksum as json_checksum
  from plugin_metrics.chart left join plugin_metrics.snapshot on chart_uid = uid
  where (plugin_id, chart_id) > ($1, $2)
  order by plugin_id, chart_id
  limit 64`;

/** The most chunks held in memory. */
const pageRows = 4096;

const seriesSql = `
  select chart_uid, first_timestamp, bytes
  from plugin_metrics.chunk
  where chart_uid = any ($1) and first_timestamp > $2
  order by chart_uid, first_timestamp
  limit ${pageRows}`;

const chunksSql = `
  select chart_uid, plugin_id, chart_id, type, first_timestamp, bytes
  from plugin_metrics.chunk left join plugin_metrics.chart on uid = chart_uid
  where (chart_uid, first_timestamp) > ($1, $2)
  order by chart_uid, first_timestamp
  limit ${pageRows}`;

const talliesSql = `
  select uid, plugin_id, chart_id, tally,
    exists (select from plugin_metrics.snapshot where chart_uid = uid) as has_snapshot
  from plugin_metrics.chart
  where uid > $1
  order by uid
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
  #series: SeriesPages;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
    this.#series = new SeriesPages(connection, []);
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
      const series = page.filter((row) => storageOf(text(row['type'])) === 'series');
      this.#series = new SeriesPages(
        this.#connection,
        series.map((row) => integer(row['uid'])),
      );
      yield page;
    }
  }

  loadSeries(uid: number): Promise<readonly Chunk[]> {
    return this.#series.read(uid);
  }

  chunks(): Pages {
    return keysetPages(this.#connection, chunksSql, { chart_uid: smallestKey, first_timestamp: smallestKey });
  }

  tallies(): Pages {
    return keysetPages(this.#connection, talliesSql, { uid: smallestKey });
  }

  removals(): Pages {
    return keysetPages(this.#connection, removalsSql, { plugin_id: smallestKey, chart_id: '' });
  }
}

/** Loads the chunks of several charts: together if they are few, in pages if they are many. */
class SeriesPages {
  readonly #connection: PostgresConnection;
  readonly #unread: Set<number>;
  readonly #read = new Map<number, Chunk[]>();

  constructor(connection: PostgresConnection, uids: readonly number[]) {
    this.#connection = connection;
    this.#unread = new Set(uids);
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
    if (chunks.length < pageRows || last === undefined) {
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
      isMore = chunks.length === pageRows;
      after = chunks.at(-1)?.firstTimestamp ?? 0;
    }
  }

  async #page(uids: readonly number[], after: number) {
    return (await this.#connection.query(seriesSql, [uids, after])).map(chunkOf);
  }

  #keep(chunks: readonly (Chunk & { readonly uid: number })[]): void {
    for (const chunk of chunks) {
      const kept = this.#read.get(chunk.uid);
      if (kept === undefined) this.#read.set(chunk.uid, [chunk]);
      else kept.push(chunk);
    }
  }
}
