/** Removes from the embedded store, in one transaction. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { ChartName } from '../../model/chart.ts';
import { trustedJson } from '../../model/json-text.ts';
import type { MetricsRemover, Pruned, PruneOptions, Removed } from '../../model/metrics-remover.ts';
import { type Chunk, headBytes } from '../../series/chunk.ts';
import { prune } from '../../store/keeping/prune.ts';
import * as removal from '../../store/keeping/removal.ts';
import { chunkOf, integer, type Row, text } from '../../store/rows.ts';
import { type Columns, snapshotColumns } from '../../store/stored-columns.ts';
import { guarded, openForWriting, sqliteFault } from '../sqlite-database.ts';
import { findSqliteChartName } from '../sqlite-tables.ts';
import { changeCatalogueGeneration, endWriting } from '../sqlite-writer.ts';

/**
 * Begins a transaction on the store in a file.
 * @throws AppError as `openForWriting`; `unavailable` if another writer does not finish.
 */
export function openSqliteRemover(path: string): MetricsRemover {
  const db = openForWriting(path);
  try {
    return guarded(path, () => {
      db.exec('pragma cache_size = -65536; begin immediate');
      return new SqliteRemover(path, db);
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

class SqliteRemover implements MetricsRemover {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #tables: SqliteRemovalTables;
  #isCatalogueChanged = false;

  constructor(path: string, db: DatabaseSync) {
    this.#path = path;
    this.#db = db;
    this.#tables = new SqliteRemovalTables(db, path);
  }

  removePlugin(pluginId: number): Promise<Removed> {
    this.#isCatalogueChanged = true;
    return this.#working(removal.removePluginRows(this.#tables, pluginId));
  }

  removeChart(pluginId: number, chartId: string): Promise<Removed> {
    this.#isCatalogueChanged = true;
    return this.#working(removal.removeChartRows(this.#tables, pluginId, chartId));
  }

  prune(options: PruneOptions): Promise<Pruned> {
    return this.#working(prune(this.#tables, options));
  }

  async commit(): Promise<void> {
    guarded(this.#path, () => {
      if (this.#isCatalogueChanged) changeCatalogueGeneration(this.#db);
      this.#db.exec('commit');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    endWriting(this.#db);
  }

  async #working<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw sqliteFault(error, this.#path);
    }
  }
}

const sql = {
  plugin: 'select id, owner_id from plugin where id = ?',
  charts: 'select uid from chart where plugin_id = :pluginId and (:chartId is null or chart_id = :chartId)',
  softwareOf: 'select id, name, url, global_plugin_id, checksum from software where global_plugin_id = ?',
  putSoftware: `
    update software set name = ?2, url = ?3, global_plugin_id = ?4, checksum = ?5 where id = ?1`,
  removeChunks: `
    delete from chunk where chart_uid = ? and first_timestamp > ? and first_timestamp < ?
    returning chart_uid, first_timestamp, substr(bytes, 1, ${headBytes}) as head`,
  putChunk: 'insert or replace into chunk (chart_uid, first_timestamp, bytes) values (?, ?, ?)',
  shown: 'select chart_uid, json from snapshot where chart_uid = ? and at > ? and at < ?',
  forgetShownTime: 'update snapshot set at = ?3, checksum = ?4 where chart_uid = ?1 and json = ?2',
  removeData: 'delete from chunk where chart_uid = ?',
  removeSnapshot: 'delete from snapshot where chart_uid = ?',
  removeChart: 'delete from chart where uid = ?',
  removeOldNames: 'delete from old_name where plugin_id = ?',
  removeEvents: 'delete from event where plugin_id = ?',
  removePlugin: 'delete from plugin where id = ?',
  removal:
    'select plugin_id, chart_id, before_timestamp, checksum from removal where plugin_id = ? and chart_id = ?',
  putRemoval:
    'insert or replace into removal (plugin_id, chart_id, before_timestamp, checksum) values (?, ?, ?, ?)',
  forgetRemovals: 'delete from removal where plugin_id = ?',
  removeOwner: 'delete from owner where id = :id and not exists (select 1 from plugin where owner_id = :id)',
  page: `
    select uid from chart
    where uid > :uid and (:pluginId is null or plugin_id = :pluginId) and (:chartId is null or chart_id = :chartId)
    order by uid
    limit 256`,
  edges: `
    select chart_uid, first_timestamp, bytes from chunk
    where chart_uid = :uid and first_timestamp in (
      (select max(first_timestamp) from chunk where chart_uid = :uid and first_timestamp < :before),
      (select max(first_timestamp) from chunk where chart_uid = :uid and first_timestamp <= :after))
    order by first_timestamp`,
};

class SqliteRemovalTables implements removal.RemovalTables {
  readonly storeName: string;
  readonly #db: DatabaseSync;
  readonly #statements: { readonly [name in keyof typeof sql]: StatementSync };

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.storeName = path;
    const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]);
    this.#statements = Object.fromEntries(prepared);
  }

  async findPlugin(pluginId: number): Promise<Row | undefined> {
    return this.#statements.plugin.get(pluginId);
  }

  async findCharts(pluginId: number, chartId: string | null = null): Promise<Row[]> {
    return this.#statements.charts.all({ pluginId, chartId });
  }

  async findSoftwareOf(globalPluginId: number): Promise<Row[]> {
    return this.#statements.softwareOf.all(globalPluginId);
  }

  async putSoftware(software: Columns): Promise<void> {
    this.#statements.putSoftware.run(...software);
  }

  async removeChunks(uids: readonly number[], { after, before }: removal.TimeRange): Promise<Row[]> {
    return uids.flatMap((uid) => this.#statements.removeChunks.all(uid, after, before));
  }

  async putChunks(chunks: readonly Chunk[]): Promise<void> {
    for (const { uid, firstTimestamp, bytes } of chunks)
      this.#statements.putChunk.run(uid, firstTimestamp, bytes);
  }

  async forgetShownTimes(uids: readonly number[], { after, before }: removal.TimeRange): Promise<void> {
    const { shown, forgetShownTime } = this.#statements;
    for (const uid of uids)
      for (const row of shown.all(uid, after, before))
        forgetShownTime.run(...snapshotColumns(uid, trustedJson(text(row['json'])), null));
  }

  async findRemoval(pluginId: number, chartId: string): Promise<Row | undefined> {
    return this.#statements.removal.get(pluginId, chartId);
  }

  async putRemoval(removal: Columns): Promise<void> {
    this.#statements.putRemoval.run(...removal);
  }

  async removeCharts(uids: readonly number[]): Promise<void> {
    for (const uid of uids) {
      // A row with a damaged key may be left.
      this.#statements.removeData.run(uid);
      this.#statements.removeSnapshot.run(uid);
      this.#statements.removeChart.run(uid);
    }
  }

  async removeEvents(pluginId: number): Promise<number> {
    return Number(this.#statements.removeEvents.run(pluginId).changes);
  }

  async removePlugin(pluginId: number, ownerId: number): Promise<void> {
    this.#statements.removeOldNames.run(pluginId);
    this.#statements.removePlugin.run(pluginId);
    this.#statements.forgetRemovals.run(pluginId);
    this.#statements.removeOwner.run({ id: ownerId });
  }

  async *seriesPages(options: PruneOptions) {
    const { page, edges } = this.#statements;
    const names = { pluginId: options.pluginId ?? null, chartId: options.chartId ?? null };
    const times = { before: options.beforeTimestamp ?? null, after: options.afterTimestamp ?? null };
    for (let uid = -1; ; ) {
      const uids = page.all({ uid, ...names }).map((row) => integer(row['uid']));
      const last = uids.at(-1);
      if (last === undefined) return;
      yield { uids, edges: uids.flatMap((one) => edges.all({ uid: one, ...times })).map(chunkOf) };
      uid = last;
      // Lets timers run, such as that of the progress.
      await setImmediate();
    }
  }

  async findChartName(uid: number): Promise<ChartName | undefined> {
    return findSqliteChartName(this.#db, uid);
  }
}
