/** Finds and writes the rows of an import, with few statements per batch. */
import { AppError } from '../../model/app-error.ts';
import { type ChartName, maxCountedId } from '../../model/catalogue.ts';
import { spanOf } from '../../model/columns.ts';
import type { MetricsRecord } from '../../model/metrics-record.ts';
import type { FreeIds } from '../../model/metrics-writer.ts';
import { mergeIntoChunks } from '../../series/merge-chunks.ts';
import { explainDamage } from '../damaged-chart.ts';
import { computeCharts } from '../facts/compute-facts.ts';
import { Facts } from '../facts/facts.ts';
import type { MergedChart } from '../facts/merged-chart.ts';
import { openGlobalPluginsSql } from '../reading/stored-state.ts';
import { isOfWindow, readWindows, writeWindows } from '../removals.ts';
import { chartKey } from '../rows.ts';
import {
  idsIn,
  keyList,
  keysetPages,
  nameList,
  namesIn,
  paged,
  type Sql,
  smallestKey,
  storedWhere,
  textsIn,
} from '../sql.ts';
import { column, flag, integer, orNull, statement } from '../statement.ts';
import type { Kinds, Table } from '../table.ts';
import { everyChart, everyPlugin, type Row, tables } from '../tables.ts';
import type { Changes, Known, KnownChart } from './changes.ts';

const pluginsOfSql = paged(
  statement`select ${tables.plugin.pick('id')} from plugin where id > ?1 and owner_id in ${idsIn(2)} order by id`,
  1024,
);

// PostgreSQL might read all snapshots at once for `exists`.
const chartsSql = statement`
  select ${tables.chart.stored('chart')},
    (select 1 from snapshot where chart_uid = uid) is not null
      or (select 1 from chunk where chart_uid = uid limit 1) is not null as ${column('hasData', flag)}
  from chart
  where uid in (
    select uid from chart where (plugin_id, chart_id) in ${namesIn(1)}
    union all select cast(value->>0 as bigint) from json_each(?2))`;

// The type of a chart decides how its data records are read.
const chartsOfDataSql = statement`
  select ${tables.chart.all} from chart where (plugin_id, chart_id) in ${namesIn(1)}`;

const shownSql = statement`
  select ${tables.chart.pick('uid', 'pluginId', 'chartId')}, ${tables.snapshot.stored('snapshot')}
  from snapshot join chart on uid = chart_uid where chart_uid in ${idsIn(1)}`;

const hasRemovalsSql = statement`
  select exists (select 1 from removal) as ${column('removals', flag)},
    exists (select 1 from removed_window) as ${column('windows', flag)}`;

const endRemovalsSql = `delete from removal where (plugin_id, chart_id) in ${namesIn(1)}`;

const largestIdsSql = statement`
  select
    (select max(id) from software where id <= ?1) as ${column('softwareId', orNull(integer))},
    (select max(id) from owner where id <= ?1) as ${column('ownerId', orNull(integer))},
    (select max(id) from plugin where id <= ?1) as ${column('pluginId', orNull(integer))},
    (select max(plugin_id) from removal where plugin_id <= ?1) as ${column('removedPluginId', orNull(integer))},
    (select max(plugin_id) from removed_window where plugin_id <= ?1) as ${column('prunedPluginId', orNull(integer))},
    (select max(plugin_id) from plugin_now where plugin_id <= ?1) as ${column('knownPluginId', orNull(integer))},
    (select max(uid) from chart where uid <= ?1) as ${column('chartUid', orNull(integer))},
    (select max(chart_uid) from chart_now where chart_uid <= ?1) as ${column('knownChartUid', orNull(integer))}`;

// Every chunk overlapping [first, last], or the first chunk if none starts earlier.
const touchedSql = statement`
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
  select ${tables.chunk.all}
  from touched join chunk on chunk.chart_uid = touched.uid and chunk.first_timestamp >= touched.start
    and chunk.first_timestamp <= case when last_time > start then last_time else start end`;

const removeChunksSql = `
  delete from chunk where (chart_uid, first_timestamp) in (
    select cast(value->>0 as bigint), cast(value->>1 as bigint) from json_each(?1))`;

/** The number of charts in a slice: the chunks of a chart of shares, of some KB each, are in memory. */
const chartsPerSlice = 256;

function* slicesOf<One>(all: readonly One[]): Generator<readonly One[]> {
  for (let start = 0; start < all.length; start += chartsPerSlice)
    yield all.slice(start, start + chartsPerSlice);
}

/**
 * The tables within a write transaction. It finds rows even if they are damaged, because a record with all
 * values of a row replaces it.
 */
export class ImportTables {
  readonly #sql: Sql;
  readonly #facts: Facts;
  /** Tells whether the tables of removals have rows, which is rare; undefined until it has been read. */
  #has: { readonly removals: boolean; readonly windows: boolean } | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#facts = new Facts(sql);
  }

  /** Loads the rows to which records refer. Rejects for a damaged chart that has data records alone. */
  async loadKnown(records: readonly MetricsRecord[]): Promise<Known> {
    const software = { ids: new Set<number>(), urls: new Set<string>() };
    const owners = new Set<number>();
    const plugins = new Set<number>();
    const renamed = new Set<number>();
    const uids = new Set<number>();
    const charts = new Map<string, ChartName>();
    const series = new Map<string, ChartName>();
    // Charts whose windows must be loaded.
    const windowed = new Map<string, ChartName>();
    // An empty chart id stands for a whole plugin, and with the plugin id 0 for every plugin.
    const removals: ChartName[] = [];
    for (const record of records) {
      if (record.kind === 'software') {
        software.ids.add(record.software.id);
        software.urls.add(record.software.url);
      } else if (record.kind === 'plugin') {
        plugins.add(record.plugin.id);
        software.ids.add(record.plugin.softwareId);
        owners.add(record.plugin.owner.id);
        removals.push({ pluginId: record.plugin.id, chartId: everyChart });
      } else if (record.kind === 'oldName') {
        plugins.add(record.oldName.pluginId);
        renamed.add(record.oldName.pluginId);
      } else if (record.kind === 'chart') {
        const name = { pluginId: record.pluginId, chartId: record.chart.chartId };
        charts.set(chartKey(name), name);
        removals.push(name);
        uids.add(record.chart.uid);
        plugins.add(record.pluginId);
      } else if (record.kind === 'data' || record.kind === 'history') series.set(chartKey(record), record);
      else if (record.kind === 'event') plugins.add(record.pluginId);
      else if (record.kind === 'removal') {
        const { pluginId = everyPlugin, chartId = everyChart } = record.removal;
        const name = { pluginId, chartId };
        removals.push(name);
        if (isOfWindow(record.removal)) windowed.set(chartKey(name), name);
      }
    }
    for (const [key, name] of series) windowed.set(key, name);
    for (const key of charts.keys()) series.delete(key);
    const sql = this.#sql;
    const known: KnownChart[] = [];
    if (charts.size > 0)
      for (const { chart, hasData } of await sql.read(chartsSql, nameList(charts.values()), keyList(uids)))
        known.push({ ...chart.asStored(), hasData, row: chart });
    // The settings of a chart may take a megabyte.
    for (const names of slicesOf([...series.values()]))
      for (const chart of await sql.read(chartsOfDataSql, nameList(names)))
        known.push({ ...chart, hasData: false });
    const isDated = records.some((record) => record.kind === 'data' && record.at !== undefined);
    const shown = isDated && known.length > 0 ? await this.#findShownTimes(known) : undefined;
    // The plugin of a data record is needed only if the chart is missing, to say in the error which of the
    // two is missing.
    const found = new Set(known.map(chartKey));
    for (const [key, { pluginId }] of series) if (!found.has(key)) plugins.add(pluginId);
    const has = removals.length + windowed.size > 0 ? await this.#findRemovalTables() : undefined;
    const isSoftware = `id in ${idsIn(1)} or url in ${textsIn(2)}`;
    return {
      software:
        software.ids.size === 0
          ? []
          : await storedWhere(
              sql,
              tables.software,
              isSoftware,
              keyList(software.ids),
              keyList(software.urls),
            ),
      owners: await this.#find(tables.owner, 'id', owners),
      plugins: await this.#find(tables.plugin, 'id', plugins),
      oldNames: await this.#find(tables.oldName, 'plugin_id', renamed),
      windows: has?.windows ? await readWindows(sql, windowed.values()) : [],
      removals: has?.removals
        ? await storedWhere(sql, tables.removal, `(plugin_id, chart_id) in ${namesIn(1)}`, nameList(removals))
        : [],
      charts: shown === undefined ? known : known.map((chart) => ({ ...chart, ...shown.get(chart.uid) })),
    };
  }

  /** Finds the rows with one of these keys in a column. */
  async #find<K extends Kinds>(table: Table<K>, column: string, keys: ReadonlySet<number>) {
    if (keys.size === 0) return [];
    return await storedWhere(this.#sql, table, `${column} in ${idsIn(1)}`, keyList(keys));
  }

  /**
   * Finds the times of the data that charts show. If the row of the data is damaged, the last time of the
   * history is used instead.
   */
  async #findShownTimes(
    charts: readonly KnownChart[],
  ): Promise<ReadonlyMap<number, Pick<KnownChart, 'shownAt' | 'damage'>>> {
    const found = new Map<number, Pick<KnownChart, 'shownAt' | 'damage'>>();
    const damaged = new Map<number, AppError>();
    for (const { uid, snapshot } of await this.#sql.read(shownSql, keyList(charts.map(({ uid }) => uid)))) {
      if (snapshot.isIntact) found.set(uid, { shownAt: snapshot.intact().at });
      else damaged.set(uid, snapshot.damage());
    }
    if (damaged.size === 0) return found;
    for (const [uid, damage] of damaged) found.set(uid, { shownAt: null, damage });
    for (const { chartUid, lastTime } of await computeCharts(this.#sql, damaged.keys()))
      found.set(chartUid, { ...found.get(chartUid), shownAt: lastTime });
    return found;
  }

  /** Checks that all global plugins exist. @throws AppError `invalid`, and for a damaged row. */
  async checkGlobalPlugins(): Promise<void> {
    const [first] = await this.#sql.read(openGlobalPluginsSql);
    if (first === undefined) return;
    const { id, globalPluginId } = first.software.intact();
    throw new AppError(
      'invalid',
      `software ${id} names the global plugin ${globalPluginId}, which does not exist`,
    );
  }

  /** Finds the ids after the largest ones. */
  async findFreeIds(): Promise<FreeIds> {
    const [largest] = await this.#sql.read(largestIdsSql, maxCountedId);
    const after = (...ids: ReadonlyArray<number | null | undefined>) =>
      1 + Math.max(0, ...ids.map((id) => id ?? 0));
    return {
      softwareId: after(largest?.softwareId),
      ownerId: after(largest?.ownerId),
      pluginId: after(
        largest?.pluginId,
        largest?.removedPluginId,
        largest?.prunedPluginId,
        largest?.knownPluginId,
      ),
      chartUid: after(largest?.chartUid, largest?.knownChartUid),
    };
  }

  /** Writes the changed rows, and deletes the removals that have ended. */
  async write(changes: Changes): Promise<void> {
    const sql = this.#sql;
    for (const row of changes.software) await sql.put(tables.software, [row]);
    await sql.put(tables.owner, [...changes.owners.values()]);
    await sql.put(tables.plugin, [...changes.plugins.values()]);
    await sql.put(tables.oldName, changes.oldNames);
    await sql.put(tables.chart, [...changes.charts.values()]);
    await sql.put(tables.snapshot, [...changes.shownRows.values()]);
    const merges = [...changes.merged];
    const charts = { grown: new Set<number>(), divided: new Set<number>() };
    for (const some of slicesOf(merges)) await this.#merge(some, charts);
    await sql.put(tables.event, changes.events);
    if (changes.endedRemovals.length > 0) await sql.run(endRemovalsSql, nameList(changes.endedRemovals));
    await sql.put(tables.removal, changes.removals);
    await writeWindows(sql, changes.windows);
    if (changes.removals.length + changes.windows.length > 0) this.#has = undefined;
    await this.#facts.update(await this.#pluginsOf(changes), changes.merged, charts);
  }

  /** Writes the facts that depend on all changes of the transaction. */
  end(): Promise<void> {
    return this.#facts.end();
  }

  async #findRemovalTables() {
    this.#has ??= (await this.#sql.read(hasRemovalsSql))[0] ?? { removals: false, windows: false };
    return this.#has;
  }

  /** Finds the plugins whose own rows, or whose owners' rows, are written. */
  async #pluginsOf({ plugins, owners }: Changes): Promise<ReadonlySet<number>> {
    const ids = new Set(plugins.keys());
    if (owners.size === 0) return ids;
    const start = { id: smallestKey };
    for await (const page of keysetPages(this.#sql, pluginsOfSql, start, keyList(owners.keys())))
      for (const { id } of page) ids.add(id);
    return ids;
  }

  /**
   * Merges columns into the chunks of their charts. It adds to `grown` the charts that had chunks, and to
   * `divided` those for which it wrote several.
   */
  async #merge(
    merges: ReadonlyArray<readonly [uid: number, merged: MergedChart]>,
    { grown, divided }: { readonly grown: Set<number>; readonly divided: Set<number> },
  ): Promise<void> {
    const spans = merges.map(([uid, { parts }]) => {
      const { first, last } = spanOf(parts);
      return [uid, first, last];
    });
    const rows = await this.#sql.read(touchedSql, JSON.stringify(spans));
    const touched = Map.groupBy(rows, ({ chartUid }) => chartUid);
    const removed: (readonly [uid: number, firstTimestamp: number])[] = [];
    const written: Row<'chunk'>[] = [];
    for (const [uid, { isLine, parts }] of merges) {
      const chunks = (touched.get(uid) ?? []).sort((a, b) => a.firstTimestamp - b.firstTimestamp);
      if (chunks.length > 0) grown.add(uid);
      const change = await explainDamage(this.#sql, uid, () =>
        mergeIntoChunks({ uid, isLine }, chunks, parts),
      );
      if (change.written.length > 1) divided.add(uid);
      for (const firstTimestamp of change.removed) removed.push([uid, firstTimestamp]);
      written.push(...change.written);
    }
    if (removed.length > 0) await this.#sql.run(removeChunksSql, JSON.stringify(removed));
    await this.#sql.put(tables.chunk, written);
  }
}
