/** Finds and writes rows of the embedded store within a write transaction, one at a time. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ChartName } from '../model/chart.ts';
import { maxCountedId } from '../model/identifier.ts';
import { type ShareHistory, spanOf } from '../model/share-history.ts';
import type { Changes } from '../store/changes.ts';
import { mergeSeries, type SeriesTables } from '../store/damaged-chart.ts';
import type { ImportTables } from '../store/import-batch.ts';
import { chunkOf, integer, type Row, text } from '../store/rows.ts';
import type { Columns } from '../store/stored-columns.ts';

const sql = {
  softwareById: 'select id, name, url, global_plugin_id, checksum from software where id = ?',
  softwareByUrl: 'select id, name, url, global_plugin_id, checksum from software where url = ?',
  owner: 'select id, name, checksum from owner where id = ?',
  plugin: 'select id, name, owner_id, software_id, is_global, checksum from plugin where id = ?',
  oldNames: 'select plugin_id, name, checksum from old_name where plugin_id = ?',
  chartByName: `
    select uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum,
      exists (select 1 from snapshot where chart_uid = uid)
        or exists (select 1 from chunk where chart_uid = uid) as has_data
    from chart where plugin_id = ? and chart_id = ?`,
  chartByUid: 'select uid, plugin_id, chart_id, type from chart where uid = ?',
  chartType: 'select uid, plugin_id, chart_id, type from chart where plugin_id = ? and chart_id = ?',
  openGlobalPlugin: `
    select software.id, global_plugin_id from software
    left join plugin on plugin.id = global_plugin_id
    where global_plugin_id is not null and plugin.id is null
    order by software.id limit 1`,
  largestIds: `
    select
      (select max(id) from software where id <= :max) as software_id,
      (select max(id) from owner where id <= :max) as owner_id,
      (select max(id) from plugin where id <= :max) as plugin_id,
      (select max(plugin_id) from removal where plugin_id <= :max) as removed_plugin_id,
      (select max(uid) from chart where uid <= :max) as chart_uid`,
  putSoftware: `
    insert into software (id, name, url, global_plugin_id, checksum) values (?, ?, ?, ?, ?)
    on conflict (id) do update set name = excluded.name, url = excluded.url,
      global_plugin_id = excluded.global_plugin_id, checksum = excluded.checksum`,
  putOwner: `
    insert into owner (id, name, checksum) values (?, ?, ?)
    on conflict (id) do update set name = excluded.name, checksum = excluded.checksum`,
  putPlugin: `
    insert into plugin (id, name, owner_id, software_id, is_global, checksum) values (?, ?, ?, ?, ?, ?)
    on conflict (id) do update set name = excluded.name, owner_id = excluded.owner_id,
      software_id = excluded.software_id, is_global = excluded.is_global, checksum = excluded.checksum`,
  putOldName: `
    insert into old_name (plugin_id, name, checksum) values (?, ?, ?)
    on conflict (plugin_id, name) do update set checksum = excluded.checksum`,
  putChart: `
    insert into chart (uid, plugin_id, chart_id, type, position, title, is_default, settings, checksum)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (uid) do update set type = excluded.type, position = excluded.position, title = excluded.title,
      is_default = excluded.is_default, settings = excluded.settings, checksum = excluded.checksum`,
  shownTime: 'select chart_uid, json, at, checksum from snapshot where chart_uid = ? and at is not null',
  putSnapshot: `
    insert into snapshot (chart_uid, json, at, checksum) values (?, ?, ?, ?)
    on conflict (chart_uid) do update set json = excluded.json, at = excluded.at, checksum = excluded.checksum`,
  putEvent: `
    insert into event (plugin_id, time, title, url, checksum) values (?, ?, ?, ?, ?)
    on conflict (plugin_id, time, title) do update set url = excluded.url, checksum = excluded.checksum
      where url is not excluded.url or checksum <> excluded.checksum`,
  hasRemovals: 'select exists (select 1 from removal) as has_removals',
  removal:
    'select plugin_id, chart_id, before_timestamp, checksum from removal where plugin_id = ? and chart_id = ?',
  putRemoval: `
    insert into removal (plugin_id, chart_id, before_timestamp, checksum) values (?, ?, ?, ?)
    on conflict (plugin_id, chart_id) do update
      set before_timestamp = excluded.before_timestamp, checksum = excluded.checksum`,
  endRemoval: 'delete from removal where plugin_id = ? and chart_id = ?',
  touched: `
    select chart_uid, first_timestamp, bytes from chunk
    where chart_uid = :uid
      and first_timestamp >= :from
      and first_timestamp <= max(:from, :last)
    order by first_timestamp`,
  firstTouched: `
    select coalesce(
      (select max(first_timestamp) from chunk where chart_uid = :uid and first_timestamp <= :first),
      (select min(first_timestamp) from chunk where chart_uid = :uid)) as first_timestamp`,
  putChunk: `
    insert into chunk (chart_uid, first_timestamp, bytes) values (?, ?, ?)
    on conflict (chart_uid, first_timestamp) do update set bytes = excluded.bytes`,
  removeChunk: 'delete from chunk where chart_uid = ? and first_timestamp = ?',
};

/** The tables on one connection. */
export class SqliteTables implements ImportTables, SeriesTables {
  readonly storeName: string;
  readonly #db: DatabaseSync;
  readonly #statements: Statements<typeof sql>;
  /** Undefined until it is asked for; most stores have none. */
  #hasRemovals: boolean | undefined;

  /** @param path the name of the store in messages. */
  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.storeName = path;
    this.#statements = prepareAll(db, sql);
  }

  async findSoftware(ids: readonly number[], urls: readonly string[]): Promise<Row[]> {
    const { softwareById, softwareByUrl } = this.#statements;
    return [...findAll(softwareById, ids), ...findAll(softwareByUrl, urls)];
  }

  async findOwners(ids: readonly number[]): Promise<Row[]> {
    return findAll(this.#statements.owner, ids);
  }

  async findPlugins(ids: readonly number[]): Promise<Row[]> {
    return findAll(this.#statements.plugin, ids);
  }

  async findOldNames(pluginIds: readonly number[]): Promise<Row[]> {
    return pluginIds.flatMap((id) => this.#statements.oldNames.all(id));
  }

  async findCharts(names: readonly ChartName[], uids: readonly number[]): Promise<Row[]> {
    // Charts found by name come last, because only theirs are whole rows and the last row of a chart counts.
    return [...findAll(this.#statements.chartByUid, uids), ...findNamed(this.#statements.chartByName, names)];
  }

  async findChartTypes(names: readonly ChartName[]): Promise<Row[]> {
    return findNamed(this.#statements.chartType, names);
  }

  async findOpenGlobalPlugin(): Promise<Row | undefined> {
    return this.#statements.openGlobalPlugin.get();
  }

  async findLargestIds(): Promise<Row> {
    return this.#statements.largestIds.get({ max: maxCountedId }) ?? {};
  }

  async write(changes: Changes): Promise<void> {
    const { putSoftware, putOwner, putPlugin, putOldName, putChart, putSnapshot } = this.#statements;
    putAll(putSoftware, changes.software);
    putAll(putOwner, changes.owners.values());
    putAll(putPlugin, changes.plugins.values());
    putAll(putOldName, changes.oldNames);
    putAll(putChart, changes.charts.values());
    putAll(putSnapshot, changes.snapshots.values());
    for (const [uid, histories] of changes.histories) await this.#merge(uid, histories);
    const { putEvent, putRemoval, endRemoval } = this.#statements;
    putAll(putEvent, changes.events);
    for (const { pluginId, chartId } of changes.endedRemovals) endRemoval.run(pluginId, chartId);
    putAll(putRemoval, changes.removals);
    if (changes.removals.length > 0) this.#hasRemovals = true;
  }

  async findShownTimes(uids: readonly number[]): Promise<Row[]> {
    return findAll(this.#statements.shownTime, uids);
  }

  async findChartName(uid: number): Promise<ChartName | undefined> {
    return findSqliteChartName(this.#db, uid);
  }

  async findRemovals(names: readonly ChartName[]): Promise<Row[]> {
    const { hasRemovals, removal } = this.#statements;
    this.#hasRemovals ??= hasRemovals.get()?.['has_removals'] === 1;
    return this.#hasRemovals ? findNamed(removal, names) : [];
  }

  async #merge(uid: number, histories: readonly ShareHistory[]): Promise<void> {
    const { firstTouched, touched, removeChunk, putChunk } = this.#statements;
    const { first, last } = spanOf(histories);
    const from = firstTouched.get({ uid, first })?.['first_timestamp'] ?? null;
    const chunks = from === null ? [] : touched.all({ uid, from, last }).map(chunkOf);
    const { removed, written } = await mergeSeries(this, uid, chunks, histories);
    for (const firstTimestamp of removed) removeChunk.run(uid, firstTimestamp);
    for (const { firstTimestamp, bytes } of written) putChunk.run(uid, firstTimestamp, bytes);
  }
}

/** Finds the name of a chart, for messages. */
export function findSqliteChartName(db: DatabaseSync, uid: number): ChartName | undefined {
  const row = db.prepare('select plugin_id, chart_id from chart where uid = ?').get(uid);
  return row && { pluginId: integer(row['plugin_id']), chartId: text(row['chart_id']) };
}

type Statements<Sql> = { readonly [name in keyof Sql]: StatementSync };

function prepareAll<Sql extends Readonly<Record<string, string>>>(
  db: DatabaseSync,
  sql: Sql,
): Statements<Sql> {
  const prepared = Object.entries(sql).map(([name, text]) => [name, db.prepare(text)]);
  return Object.fromEntries(prepared);
}

function findAll(statement: StatementSync, keys: readonly (number | string)[]): Row[] {
  return keys.map((key) => statement.get(key)).filter((row) => row !== undefined);
}

function findNamed(statement: StatementSync, names: readonly ChartName[]): Row[] {
  return names
    .map(({ pluginId, chartId }) => statement.get(pluginId, chartId))
    .filter((row) => row !== undefined);
}

function putAll(statement: StatementSync, rows: Iterable<Columns>): void {
  for (const row of rows) statement.run(...row);
}
