/** The store on a server as a reader. Every answer is one statement, and so sees one state of the store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, unknownChart, unknownPlugin } from '../model/app-error.ts';
import type { ReadChartData } from '../model/chart-data.ts';
import { chartTypeOf } from '../model/chart-types.ts';
import { trustedJson } from '../model/json-text.ts';
import type { LatestPoint } from '../model/latest-point.ts';
import { type ChangeScope, type MetricsReader, pluginsPerBatch } from '../model/metrics-reader.ts';
import type { MetricsRecord } from '../model/metrics-record.ts';
import type { PluginChart, PluginDetail, PluginSummary } from '../model/plugin.ts';
import type { Software } from '../model/software.ts';
import { type Chunk, decodeRuns, maxPointCount, pointCountOf } from '../series/chunk.ts';
import { chartKey } from '../store/apply-records.ts';
import {
  chunkOf,
  integer,
  latestPointsOf,
  pluginChartOf,
  pluginDetailOf,
  pluginSummaryOf,
  type Row,
  softwareOf,
  text,
} from '../store/rows.ts';
import { storedRecords } from '../store/stored-records.ts';
import { batchOptions, connect } from './connection/connect.ts';
import { ConnectionPool } from './connection/connection-pool.ts';
import type { PostgresSettings } from './connection/connection-settings.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';
import { isWorthRetry, postgresFault } from './connection/postgres-fault.ts';
import { GenerationWatch, watchOptions } from './generation-watch.ts';
import { keysetPages, smallestKey } from './keyset-pages.ts';
import { checkVersion } from './migrate.ts';
import { beginReading, PostgresState } from './postgres-state.ts';
import { catchUpMs, catchUpStepMs, readAlone } from './read-alone.ts';
import * as sql from './reader-statements.ts';

/**
 * Opens the store for reading.
 * @throws AppError `not_found` where there is none, `invalid` for one of another version, `unavailable` naming
 *   host and port where no server can be reached.
 */
export async function openPostgresReader(settings: PostgresSettings): Promise<MetricsReader> {
  const connection = await connect(settings, watchOptions);
  const reader = new PostgresReader(settings);
  try {
    await checkVersion(connection, settings.name);
    await reader.start(connection);
    return reader;
  } catch (error) {
    await connection.end();
    throw postgresFault(error, settings.name);
  }
}

/** How long the server may think about an answer. */
const statementTimeoutMs = 5000;
/** How long a query may take, including its way. */
const queryTimeoutMs = 7000;
const maxConnections = 4;
/** Uids that are kept in memory, each some hundred bytes. */
const maxKnownUids = 100_000;

class PostgresReader implements MetricsReader {
  readonly #settings: PostgresSettings;
  readonly #watch: GenerationWatch;
  readonly #pool: ConnectionPool;
  /** Connections that read what takes long. */
  readonly #listing = new Set<PostgresConnection>();
  /** Asked where standbys are behind. */
  readonly #primary: ConnectionPool;
  /**
   * The uid of a chart never changes; knowing it lets the data be read by the key that shards it. It is only a
   * hint: the answer says whether it is right.
   */
  readonly #uids = new Map<string, number>();

  constructor(settings: PostgresSettings) {
    this.#settings = settings;
    this.#watch = new GenerationWatch(settings, () => {
      this.#pool.cut();
      this.#primary.cut();
      for (const connection of this.#listing) connection.destroy();
    });
    const options = { statementTimeoutMs, queryTimeoutMs };
    this.#pool = new ConnectionPool(settings, { ...options, maxConnections });
    this.#primary = new ConnectionPool(settings, { ...options, maxConnections: 1, sessionKind: 'primary' });
  }

  /** Begins to watch the generation, on a connection that becomes the reader's. */
  start(connection: PostgresConnection): Promise<void> {
    return this.#watch.start(connection);
  }

  generation(of: ChangeScope): number {
    return this.#watch.changeCount(of);
  }

  /** Every answer brings the generation that it saw, and has been noted when a read resolves. */
  readState(): number {
    return this.#watch.changeCount('data');
  }

  unreachableMs(): number {
    return this.#watch.unreachableMs();
  }

  async listSoftware(): Promise<readonly Software[]> {
    // Without any software there is one row, which has the generation alone.
    return (await this.#ask(sql.software, [])).filter((row) => row['id'] !== null).map(softwareOf);
  }

  async *listPlugins(): AsyncGenerator<readonly PluginSummary[]> {
    yield* this.#readAlone(async function* (connection) {
      for await (const page of keysetPages(connection, sql.pluginsPage, { id: smallestKey })) {
        for (let start = 0; start < page.length; start += pluginsPerBatch)
          yield page.slice(start, start + pluginsPerBatch).map(pluginSummaryOf);
      }
    });
  }

  async *listLatestPoints(chartIds: readonly string[]): AsyncGenerator<readonly LatestPoint[]> {
    yield* this.#readAlone(async function* (connection) {
      const pages = keysetPages(connection, sql.latestPointsPage, { id: smallestKey }, [chartIds]);
      for await (const page of pages) yield latestPointsOf(page);
    });
  }

  async getPlugin(pluginId: number): Promise<PluginDetail> {
    const plugin = pluginDetailOf(await this.#ask(sql.plugin, [pluginId]));
    if (plugin === undefined) throw unknownPlugin(pluginId);
    return plugin;
  }

  async getChart(pluginId: number, chartId: string): Promise<PluginChart> {
    const [row] = await this.#ask(sql.chart, [pluginId, chartId]);
    if (row?.['uid'] == null) throw missing(row, pluginId, chartId);
    return pluginChartOf(row);
  }

  async readChartData(pluginId: number, chartId: string, latestCount: number): Promise<ReadChartData> {
    const known = this.#uids.get(chartKey(pluginId, chartId));
    if (known !== undefined) {
      const found = await this.#readData({ uid: known, pluginId, chartId, latestCount });
      if (found !== undefined) return found;
    }
    const uid = await this.#findUid(pluginId, chartId);
    const found = await this.#readData({ uid, pluginId, chartId, latestCount });
    if (found !== undefined) return found;
    throw unknownChart(pluginId, chartId);
  }

  async *records(): AsyncGenerator<readonly MetricsRecord[]> {
    const { name } = this.#settings;
    const connection = await connect(this.#settings, batchOptions);
    try {
      await beginReading(connection, name);
      yield* storedRecords(new PostgresState(connection), name);
    } catch (error) {
      throw postgresFault(error, name);
    } finally {
      await connection.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#watch.close(), this.#pool.close(), this.#primary.close()]);
  }

  async *#readAlone<T>(read: (connection: PostgresConnection) => AsyncIterable<T>): AsyncGenerator<T> {
    this.#refuseUnreachable();
    const reading = {
      settings: this.#settings,
      watch: this.#watch,
      options: { statementTimeoutMs, queryTimeoutMs },
      connections: this.#listing,
    };
    try {
      yield* readAlone(reading, read);
    } catch (error) {
      throw postgresFault(error, this.#settings.name);
    }
  }

  async #findUid(pluginId: number, chartId: string): Promise<number> {
    const [row] = await this.#ask(sql.uid, [pluginId, chartId]);
    if (row?.['uid'] == null) throw missing(row, pluginId, chartId);
    const uid = integer(row['uid']);
    if (this.#uids.size >= maxKnownUids) this.#uids.clear();
    this.#uids.set(chartKey(pluginId, chartId), uid);
    return uid;
  }

  /** Undefined where the chart has not this uid. */
  async #readData(wanted: {
    readonly uid: number;
    readonly pluginId: number;
    readonly chartId: string;
    readonly latestCount: number;
  }): Promise<ReadChartData | undefined> {
    const { uid, pluginId, chartId, latestCount } = wanted;
    // Chunks are full as a rule; the first one may have just begun.
    let rowLimit = Math.min(Math.ceil(latestCount / maxPointCount) + 1, maxRowLimit);
    for (;;) {
      const rows = await this.#ask(sql.data, [uid, pluginId, chartId, rowLimit]);
      const [first] = rows;
      if (first?.['type'] == null) return undefined;
      const { storage, emptyData } = chartTypeOf(text(first['type']));
      if (storage === 'snapshot')
        return { storage, json: first['json'] === null ? emptyData : trustedJson(text(first['json'])) };
      const chunks = chunksOf(rows);
      // Chunks that late points have cut hold less: it takes more of them, in one statement again.
      if (chunks.length === rowLimit && rowLimit < maxRowLimit && pointTotal(chunks) < latestCount)
        rowLimit = Math.min(4 * rowLimit, maxRowLimit);
      else return { storage, runs: decodeRuns(chunks, latestCount) };
    }
  }

  /**
   * One statement. Its answer is no older than what this node had shown when it was asked.
   * @throws AppError `unavailable` where no server can give such an answer in time.
   */
  async #ask(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    this.#refuseUnreachable();
    const shownBefore = this.#watch.shown?.value ?? 0;
    const startedAt = performance.now();
    let pool = this.#pool;
    for (;;) {
      const { rows, isStandby } = await this.#query(pool, statement, values);
      const [row] = rows;
      const value = integer(row?.['generation']);
      const generation = { value, token: integer(row?.['token']), catalogue: integer(row?.['catalogue']) };
      if (this.#watch.note(generation, isStandby) || value >= shownBefore) return rows;
      if (pool === this.#primary) throw this.#unavailable('its servers are behind what has been shown');
      if (performance.now() - startedAt > catchUpMs) pool = this.#primary;
      else await sleep(catchUpStepMs);
    }
  }

  /** A question that went under with its connection is asked once more, if there is still a server. */
  async #query(pool: ConnectionPool, statement: Statement, values: readonly unknown[]) {
    try {
      return await pool.query(statement, values);
    } catch (error) {
      if (!(error instanceof AppError && isWorthRetry(error.cause))) throw error;
      this.#watch.hurry();
      if (this.#watch.unreachableMs() > 0) throw error;
      return pool.query(statement, values);
    }
  }

  #refuseUnreachable(): void {
    if (this.#watch.unreachableMs() > 0) throw this.#unavailable('no server can be reached at the moment');
  }

  #unavailable(reason: string): AppError {
    return new AppError('unavailable', `the store ${this.#settings.name} cannot be used: ${reason}`, {
      kind: 'store-unavailable',
    });
  }
}

/** More rows than a series has chunks. */
const maxRowLimit = 1_000_000_000;

/** Chunks in ascending order, from rows that have the latest first. */
function chunksOf(rows: readonly Row[]): Chunk[] {
  return rows
    .filter((row) => row['bytes'] !== null)
    .map(chunkOf)
    .reverse();
}

function pointTotal(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + pointCountOf(chunk), 0);
}

function missing(row: Row | undefined, pluginId: number, chartId: string): AppError {
  return row?.['is_plugin_known'] === true ? unknownChart(pluginId, chartId) : unknownPlugin(pluginId);
}
