/** Removes from the store on a server, in one transaction. */
import type { ChartName } from '../../model/chart.ts';
import { trustedJson } from '../../model/json-text.ts';
import type { MetricsRemover, Pruned, PruneOptions, Removed } from '../../model/metrics-remover.ts';
import { type Chunk, headBytes } from '../../series/chunk.ts';
import { prune } from '../../store/keeping/prune.ts';
import * as removal from '../../store/keeping/removal.ts';
import { chunkOf, integer, type Row, text } from '../../store/rows.ts';
import { type Columns, snapshotColumns } from '../../store/stored-columns.ts';
import type { PostgresSettings } from '../connection/connection-settings.ts';
import type { PostgresConnection, Statement } from '../connection/postgres-connection.ts';
import { keysetPages, smallestKey } from '../keyset-pages.ts';
import { putColumns, putRemovalsSql, putSnapshotsSql } from '../postgres-tables.ts';
import { PostgresTransaction } from '../postgres-transaction.ts';
import { findPostgresChartName, putChunks } from '../write-series.ts';

/**
 * Begins a transaction.
 * @throws AppError as `PostgresTransaction.begin`.
 */
export async function openPostgresRemover(settings: PostgresSettings): Promise<MetricsRemover> {
  return new PostgresRemover(await PostgresTransaction.begin(settings, 'existing'));
}

class PostgresRemover implements MetricsRemover {
  readonly #transaction: PostgresTransaction;
  readonly #tables: PostgresRemovalTables;
  #isCatalogueChanged = false;

  constructor(transaction: PostgresTransaction) {
    this.#transaction = transaction;
    this.#tables = new PostgresRemovalTables(transaction.connection, transaction.storeName);
  }

  removePlugin(pluginId: number): Promise<Removed> {
    this.#isCatalogueChanged = true;
    return this.#transaction.run(() => removal.removePluginRows(this.#tables, pluginId));
  }

  removeChart(pluginId: number, chartId: string): Promise<Removed> {
    this.#isCatalogueChanged = true;
    return this.#transaction.run(() => removal.removeChartRows(this.#tables, pluginId, chartId));
  }

  prune(options: PruneOptions): Promise<Pruned> {
    return this.#transaction.run(() => prune(this.#tables, options));
  }

  commit(): Promise<void> {
    return this.#transaction.commit({ isCatalogueChanged: this.#isCatalogueChanged });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#transaction[Symbol.asyncDispose]();
  }
}

const removeChunks: Statement = {
  name: 'remove-between',
  text: `
  delete from plugin_metrics.chunk where chart_uid = any ($1) and first_timestamp > $2 and first_timestamp < $3
  returning chart_uid, first_timestamp, substring(bytes for ${headBytes}) as head`,
};

const shownSql = `
  select chart_uid, json from plugin_metrics.snapshot where chart_uid = any ($1) and at > $2 and at < $3`;

const pageSql = `
  select uid from plugin_metrics.chart
  where uid > $1 and ($2::bigint is null or plugin_id = $2) and ($3::text is null or chart_id = $3)
  order by uid
  limit 256`;

const edgesSql = `
  select edge.* from unnest($1::bigint[]) as page (uid)
  cross join lateral (
    (
      select chart_uid, first_timestamp, bytes from plugin_metrics.chunk
      where chart_uid = page.uid and first_timestamp < $2
      order by first_timestamp desc limit 1
    )
    union
    (
      select chart_uid, first_timestamp, bytes from plugin_metrics.chunk
      where chart_uid = page.uid and first_timestamp <= $3
      order by first_timestamp desc limit 1
    )
  ) as edge`;

class PostgresRemovalTables implements removal.RemovalTables {
  readonly storeName: string;
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection, storeName: string) {
    this.storeName = storeName;
    this.#connection = connection;
  }

  async findPlugin(pluginId: number): Promise<Row | undefined> {
    const sql = 'select id, owner_id from plugin_metrics.plugin where id = $1';
    return (await this.#connection.query(sql, [pluginId]))[0];
  }

  findCharts(pluginId: number, chartId: string | null = null): Promise<Row[]> {
    const sql =
      'select uid from plugin_metrics.chart where plugin_id = $1 and ($2::text is null or chart_id = $2)';
    return this.#connection.query(sql, [pluginId, chartId]);
  }

  findSoftwareOf(globalPluginId: number): Promise<Row[]> {
    const sql =
      'select id, name, url, global_plugin_id, checksum from plugin_metrics.software where global_plugin_id = $1 order by id';
    return this.#connection.query(sql, [globalPluginId]);
  }

  async putSoftware(software: Columns): Promise<void> {
    const sql =
      'update plugin_metrics.software set name = $2, url = $3, global_plugin_id = $4, checksum = $5 where id = $1';
    await this.#connection.query(sql, software);
  }

  async removeChunks(uids: readonly number[], { after, before }: removal.TimeRange): Promise<Row[]> {
    return this.#connection.query(removeChunks, [uids, after, before]);
  }

  putChunks(chunks: readonly Chunk[]): Promise<void> {
    return putChunks(this.#connection, chunks);
  }

  async forgetShownTimes(uids: readonly number[], { after, before }: removal.TimeRange): Promise<void> {
    const shown = await this.#connection.query({ name: 'shown-between', text: shownSql }, [
      uids,
      after,
      before,
    ]);
    await putColumns(
      this.#connection,
      putSnapshotsSql,
      shown.map((row) => snapshotColumns(integer(row['chart_uid']), trustedJson(text(row['json'])), null)),
    );
  }

  async findRemoval(pluginId: number, chartId: string): Promise<Row | undefined> {
    const sql = `select plugin_id, chart_id, before_timestamp, checksum from plugin_metrics.removal
      where plugin_id = $1 and chart_id = $2`;
    return (await this.#connection.query(sql, [pluginId, chartId]))[0];
  }

  async putRemoval(removal: Columns): Promise<void> {
    await putColumns(this.#connection, putRemovalsSql, [removal]);
  }

  async removeCharts(uids: readonly number[]): Promise<void> {
    // A row with a damaged key may be left.
    await this.#connection.query('delete from plugin_metrics.chunk where chart_uid = any ($1)', [uids]);
    await this.#connection.query('delete from plugin_metrics.snapshot where chart_uid = any ($1)', [uids]);
    await this.#connection.query('delete from plugin_metrics.chart where uid = any ($1)', [uids]);
  }

  async removeEvents(pluginId: number): Promise<number> {
    const sql = 'delete from plugin_metrics.event where plugin_id = $1 returning time';
    return (await this.#connection.query(sql, [pluginId])).length;
  }

  async removePlugin(pluginId: number, ownerId: number): Promise<void> {
    await this.#connection.query('delete from plugin_metrics.old_name where plugin_id = $1', [pluginId]);
    await this.#connection.query('delete from plugin_metrics.plugin where id = $1', [pluginId]);
    await this.#connection.query('delete from plugin_metrics.removal where plugin_id = $1', [pluginId]);
    const sql = `delete from plugin_metrics.owner
      where id = $1 and not exists (select from plugin_metrics.plugin where owner_id = $1)`;
    await this.#connection.query(sql, [ownerId]);
  }

  async *seriesPages(options: PruneOptions) {
    const names = [options.pluginId ?? null, options.chartId ?? null];
    const times = [options.beforeTimestamp ?? null, options.afterTimestamp ?? null];
    const pages = keysetPages(this.#connection, pageSql, { uid: smallestKey }, names);
    for await (const page of pages) {
      const uids = page.map((row) => integer(row['uid']));
      const edges = await this.#connection.query({ name: 'edges', text: edgesSql }, [uids, ...times]);
      yield { uids, edges: edges.map(chunkOf) };
    }
  }

  findChartName(uid: number): Promise<ChartName | undefined> {
    return findPostgresChartName(this.#connection, uid);
  }
}
