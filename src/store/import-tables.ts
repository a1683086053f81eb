/** Finds and writes the rows of an import, with few statements for a batch. */
import type { ChartName } from '../model/chart.ts';
import { maxCountedId } from '../model/identifier.ts';
import type { FreeIds } from '../model/metrics-writer.ts';
import { type ShareHistory, spanOf } from '../model/share-history.ts';
import type { Chunk } from '../series/chunk.ts';
import { mergeIntoChunks } from '../series/merge-chunks.ts';
import type { Changes } from './changes.ts';
import { damagedChart } from './damaged-chart.ts';
import { computeCharts, Facts, type MergedChart } from './facts.ts';
import { selecting, whole } from './intact-row.ts';
import { chunkOf, integer, type Row } from './rows.ts';
import {
  idsIn,
  keyList,
  keysetPages,
  nameList,
  namesIn,
  paged,
  type Sql,
  smallestKey,
  textsIn,
} from './sql.ts';
import { type Columns, columnsSql } from './tables.ts';

// Rows as they are stored: a record that brings all of one replaces it, also if it is not intact.
const softwareSql = `
  select ${columnsSql('software')} from software where id in ${idsIn(1)} or url in ${textsIn(2)}`;

const ownersSql = `select ${columnsSql('owner')} from owner where id in ${idsIn(1)}`;

const pluginsSql = `select ${columnsSql('plugin')} from plugin where id in ${idsIn(1)}`;

const oldNamesSql = `select ${columnsSql('old_name')} from old_name where plugin_id in ${idsIn(1)}`;

const pluginsOfSql = paged(
  `select id from plugin where id > ?1 and owner_id in ${idsIn(2)} order by id`,
  1024,
);

// Not `exists`, for which PostgreSQL may read all snapshots at once.
const chartsSql = `
  select ${columnsSql('chart')},
    (select 1 from snapshot where chart_uid = uid) is not null
      or (select 1 from chunk where chart_uid = uid limit 1) is not null as has_data
  from chart
  where uid in (
    select uid from chart where (plugin_id, chart_id) in ${namesIn(1)}
    union all select cast(value->>0 as bigint) from json_each(?2))`;

// What a record says of a chart depends on its type.
const chartsOfDataSql = selecting`
  select ${whole('chart')} from chart where (plugin_id, chart_id) in ${namesIn(1)}`;

const shownSql = `select ${columnsSql('snapshot')} from snapshot where chart_uid in ${idsIn(1)}`;

const hasRemovalsSql = 'select exists (select 1 from removal) as has_removals';

const removalsSql = `
  select ${columnsSql('removal')} from removal where (plugin_id, chart_id) in ${namesIn(1)}`;

const endRemovalsSql = `delete from removal where (plugin_id, chart_id) in ${namesIn(1)}`;

/** Selects software whose global plugin does not exist. */
export const openGlobalPluginsSql = selecting`
  select ${whole('software')} from software left join plugin on plugin.id = global_plugin_id
  where global_plugin_id is not null and plugin.id is null
  order by software.id`;

const largestIdsSql = `
  select
    (select max(id) from software where id <= ?1) as software_id,
    (select max(id) from owner where id <= ?1) as owner_id,
    (select max(id) from plugin where id <= ?1) as plugin_id,
    (select max(plugin_id) from removal where plugin_id <= ?1) as removed_plugin_id,
    (select max(plugin_id) from plugin_now where plugin_id <= ?1) as known_plugin_id,
    (select max(uid) from chart where uid <= ?1) as chart_uid,
    (select max(chart_uid) from chart_now where chart_uid <= ?1) as known_chart_uid`;

// From the last chunk that begins at or before the first time, or the first chunk of all, to the last that begins by the last time.
const touchedSql = `
  with asked as (
    select cast(value->>0 as bigint) as uid, cast(value->>1 as bigint) as first_time,
      cast(value->>2 as bigint) as last_time
    from json_each(?1)
  ), touched as materialized (
    select uid, last_time, coalesce(
      (select max(first_timestamp) from chunk where chart_uid = uid and first_timestamp <= first_time),
      (select min(first_timestamp) from chunk where chart_uid = uid)) as start
    from asked
  )
  select touched.uid as chart_uid, chunk.first_timestamp, chunk.bytes
  from touched join chunk on chunk.chart_uid = touched.uid and chunk.first_timestamp >= touched.start
    and chunk.first_timestamp <= case when last_time > start then last_time else start end`;

const removeChunksSql = `
  delete from chunk where (chart_uid, first_timestamp) in (
    select cast(value->>0 as bigint), cast(value->>1 as bigint) from json_each(?1))`;

/** Charts that are merged together: the chunks of a chart of shares, of some KB each, are in memory. */
const chartsPerMerge = 256;

/** The tables within a write transaction. Rows have the columns of their tables. */
export class ImportTables {
  readonly #sql: Sql;
  readonly #facts: Facts;
  /** Undefined until it is asked for; most stores have none. */
  #hasRemovals: boolean | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#facts = new Facts(sql);
  }

  /** Finds software with one of the ids or one of the urls. */
  findSoftware(ids: Iterable<number>, urls: Iterable<string>): Promise<Row[]> {
    return this.#sql.all(softwareSql, keyList(ids), keyList(urls));
  }

  findOwners(ids: Iterable<number>): Promise<Row[]> {
    return this.#sql.all(ownersSql, keyList(ids));
  }

  findPlugins(ids: Iterable<number>): Promise<Row[]> {
    return this.#sql.all(pluginsSql, keyList(ids));
  }

  /** Finds the names that these plugins had. */
  findOldNames(pluginIds: Iterable<number>): Promise<Row[]> {
    return this.#sql.all(oldNamesSql, keyList(pluginIds));
  }

  /** Finds charts with one of the names or one of the uids, with a column `has_data`. */
  findCharts(names: Iterable<ChartName>, uids: Iterable<number>): Promise<Row[]> {
    return this.#sql.all(chartsSql, nameList(names), keyList(uids));
  }

  /** Finds charts with one of the names. Rejects for one that is not intact. */
  async findChartsOfData(names: readonly ChartName[]): Promise<Row[]> {
    const found: Row[] = [];
    // Settings of a chart have up to a megabyte.
    for (let start = 0; start < names.length; start += chartsPerMerge)
      found.push(
        ...(await this.#sql.all(chartsOfDataSql, nameList(names.slice(start, start + chartsPerMerge)))),
      );
    return found;
  }

  /** Finds the data that charts show. */
  findShown(uids: Iterable<number>): Promise<Row[]> {
    return this.#sql.all(shownSql, keyList(uids));
  }

  /** Finds the last times of the histories of charts in their chunks, by uid. */
  async findLastTimes(uids: Iterable<number>): Promise<ReadonlyMap<number, number>> {
    return new Map(
      (await computeCharts(this.#sql, uids)).map(([uid, , last]) => [Number(uid), Number(last)]),
    );
  }

  /** Finds removals; an empty chart id means a whole plugin, and with the id 0 every plugin. */
  async findRemovals(names: Iterable<ChartName>): Promise<Row[]> {
    if (this.#hasRemovals === undefined) {
      const [row] = await this.#sql.all(hasRemovalsSql);
      this.#hasRemovals = Boolean(row?.['has_removals']);
    }
    return this.#hasRemovals ? this.#sql.all(removalsSql, nameList(names)) : [];
  }

  /** Finds the first software whose global plugin does not exist. */
  async findOpenGlobalPlugin(): Promise<Row | undefined> {
    return (await this.#sql.all(openGlobalPluginsSql))[0];
  }

  /** Finds ids that follow the largest ones. */
  async findFreeIds(): Promise<FreeIds> {
    const [largest = {}] = await this.#sql.all(largestIdsSql, maxCountedId);
    const after = (...names: readonly string[]) =>
      1 + Math.max(0, ...names.map((name) => (largest[name] === null ? 0 : integer(largest[name]))));
    return {
      softwareId: after('software_id'),
      ownerId: after('owner_id'),
      pluginId: after('plugin_id', 'removed_plugin_id', 'known_plugin_id'),
      chartUid: after('chart_uid', 'known_chart_uid'),
    };
  }

  /** Writes the rows, and deletes the removals that have ended. */
  async write(changes: Changes): Promise<void> {
    const sql = this.#sql;
    for (const row of changes.software) await sql.upsert('software', [row]);
    await sql.upsert('owner', [...changes.owners.values()]);
    await sql.upsert('plugin', [...changes.plugins.values()]);
    await sql.upsert('old_name', changes.oldNames);
    await sql.upsert('chart', [...changes.charts.values()]);
    await sql.upsert('snapshot', [...changes.snapshots.values()]);
    const merges = [...changes.merged];
    const charts = { grown: new Set<number>(), divided: new Set<number>() };
    for (let start = 0; start < merges.length; start += chartsPerMerge)
      await this.#merge(merges.slice(start, start + chartsPerMerge), charts);
    await sql.upsert('event', changes.events);
    if (changes.endedRemovals.length > 0) await sql.all(endRemovalsSql, nameList(changes.endedRemovals));
    await sql.upsert('removal', changes.removals);
    if (changes.removals.length > 0) this.#hasRemovals = true;
    await this.#facts.update(await this.#pluginsOf(changes), changes.merged, charts);
  }

  /** Writes what depends on all changes of the transaction. */
  end(): Promise<void> {
    return this.#facts.end();
  }

  /** Finds the plugins whose rows, or whose owners' rows, are written. */
  async #pluginsOf({ plugins, owners }: Changes): Promise<ReadonlySet<number>> {
    const ids = new Set(plugins.keys());
    if (owners.size === 0) return ids;
    const start = { id: smallestKey };
    for await (const page of keysetPages(this.#sql, pluginsOfSql, start, keyList(owners.keys())))
      for (const row of page) ids.add(integer(row['id']));
    return ids;
  }

  /** Merges histories into the chunks of their charts, by uid; `grown` gets those that had some, `divided` those with further ones. */
  async #merge(
    merges: ReadonlyArray<readonly [uid: number, merged: MergedChart]>,
    { grown, divided }: { readonly grown: Set<number>; readonly divided: Set<number> },
  ): Promise<void> {
    const spans = merges.map(([uid, { histories }]) => {
      const { first, last } = spanOf(histories);
      return [uid, first, last];
    });
    const rows = await this.#sql.all(touchedSql, JSON.stringify(spans));
    const touched = Map.groupBy(rows.map(chunkOf), ({ uid }) => uid);
    const removed: (readonly [uid: number, firstTimestamp: number])[] = [];
    const written: Columns[] = [];
    for (const [uid, { histories }] of merges) {
      const chunks = (touched.get(uid) ?? []).sort((a, b) => a.firstTimestamp - b.firstTimestamp);
      if (chunks.length > 0) grown.add(uid);
      const change = await this.#mergeInto(uid, chunks, histories);
      if (change.written.length > 1) divided.add(uid);
      for (const firstTimestamp of change.removed) removed.push([uid, firstTimestamp]);
      for (const { firstTimestamp, bytes } of change.written) written.push([uid, firstTimestamp, bytes]);
    }
    if (removed.length > 0) await this.#sql.all(removeChunksSql, JSON.stringify(removed));
    await this.#sql.upsert('chunk', written);
  }

  async #mergeInto(uid: number, chunks: readonly Chunk[], histories: readonly ShareHistory[]) {
    try {
      return mergeIntoChunks(uid, chunks, histories);
    } catch (error) {
      throw await damagedChart(this.#sql, uid, error);
    }
  }
}
