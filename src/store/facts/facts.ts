/**
 * The facts, computed in advance from the other tables: the span, the latest value and the totals of a chart
 * (`chart_now`, `chart_shares`), the numbers by which lists of plugins are sorted (`plugin_now`,
 * `plugin_trend`), and the counts of a software (`software_now`). Imports, removals and prunes update the
 * facts here; a check computes them again and compares.
 */

import { throwUnexpected } from '../../model/app-error.ts';
import { spanOf, valuesOf } from '../../model/columns.ts';
import { oldBefore, trendDays } from '../../model/plugin-list.ts';
import { type DataWindow, dayMs, maxTimestamp, startOfDays } from '../../model/window.ts';
import { damagedChart } from '../damaged-chart.ts';
import { idsIn, keyList, keysetPages, paged, rowsWhere, type Sql, smallestKey, storedWhere } from '../sql.ts';
import { column, flag, snakeCase, statement } from '../statement.ts';
import type { Kinds, RowOfKinds, StoredRow, Table } from '../table.ts';
import { type Row, tables } from '../tables.ts';
import {
  computeCharts,
  computePlugins,
  computeSoftware,
  computeTrends,
  intactOf,
  memberOf,
  membersSql,
  readNewestTime,
  timeOrNull,
  timesOf,
} from './compute-facts.ts';
import type { MergedChart } from './merged-chart.ts';
import { computeShares, computeSharesOf } from './share-rows.ts';

/** The new `chart_now` row of a line of servers or players, after a merge. */
interface MergedNumber extends Row<'chartNow'> {
  /** The earliest merged time. */
  readonly touchedFrom: number;
}

/** The merge results of the two lines of a plugin. */
interface MergedNumbers {
  readonly servers?: MergedNumber;
  readonly players?: MergedNumber;
}

const withTrendSql = statement`
  select ${tables.pluginTrend.pick('pluginId')} from plugin_trend where plugin_id in ${idsIn(1)}`;

const numberChartsSql = statement`
  select ${tables.chart.pick('uid')} from chart where plugin_id in ${idsIn(1)} and chart_id in ('servers', 'players')`;

const softwareNowSql = statement`
  select ${tables.software.pick('id')}, ${tables.softwareNow.storedIfAny('softwareNow')},
    exists (select 1 from plugin_now where plugin_now.software_id = software.id) as ${column('hasPlugins', flag)}
  from software left join software_now on software_now.software_id = software.id`;

const hasMost = (value: 'servers' | 'players') =>
  `software_id = ?1 and not is_global and ${value} is not null order by ${value} desc limit 1`;

/** Selects the plugins whose latest number of servers is from a window of time. */
const betweenSql = paged(
  statement`
  select ${tables.pluginNow.pick('pluginId')}, ${tables.pluginNow.stored('pluginNow')} from plugin_now
  where plugin_id > ?1 and servers_time >= ?2 and servers_time < ?3
  order by plugin_id`,
  1024,
);

/** Changes to the row of a software. */
interface SoftwareChange {
  pluginCount: number;
  globalCount: number;
  /**
   * The newest time in the written rows of plugins; `replaced` is the newest time in the rows that they
   * replaced.
   */
  newest: number;
  replaced: number;
}

/** Updates the facts within a transaction. It computes damaged rows again. */
export class Facts {
  readonly #sql: Sql;
  /** The changes by software id; undefined if the software must be counted again. */
  readonly #software = new Map<number, SoftwareChange | undefined>();
  /** True if the former software of a plugin is unknown: then all software is counted again. */
  #isUncertain = false;
  /** The time of the newest number before the transaction. */
  #newestBefore: number | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Updates the facts after an import has written these plugins or their owners, and has merged columns into
   * charts.
   * @param merged the merged columns, by chart uid.
   * @param grown the uids of charts that had chunks before the merge.
   * @param divided the uids of charts for which the merge wrote several chunks.
   */
  async update(
    pluginIds: Iterable<number>,
    merged: ReadonlyMap<number, MergedChart>,
    { grown, divided }: { readonly grown: ReadonlySet<number>; readonly divided: ReadonlySet<number> },
  ): Promise<void> {
    const charts = new Map<number, Row<'chartNow'>>();
    if (merged.size > 0) {
      const before = await this.#load(tables.chartNow, 'chartUid', merged.keys());
      const changedFrom = new Map<number, number>();
      const unknown: number[] = [];
      for (const [uid, chart] of merged) {
        const { isLine, parts } = chart;
        const row = before.get(uid);
        if (row !== undefined || !grown.has(uid)) charts.set(uid, mergeFacts(uid, row, chart));
        else unknown.push(uid);
        const lastBefore = row?.lastTime ?? (grown.has(uid) ? maxTimestamp : -maxTimestamp);
        const isLate = parts.some(({ times }) => (times[0] ?? lastBefore) < lastBefore);
        if ((isLate || divided.has(uid)) && !isLine) changedFrom.set(uid, spanOf(parts).first);
      }
      if (unknown.length > 0)
        for (const row of await computeCharts(this.#sql, unknown)) charts.set(row.chartUid, row);
      await this.#sql.put(tables.chartNow, [...charts.values()]);
      for (const [uid, from] of changedFrom)
        await this.#sql.put(tables.chartShares, await computeSharesOf(this.#sql, uid, from));
    }
    await this.#writePlugins([...pluginIds], refuseLoss);
    const numbers = new Map<number, MergedNumbers>();
    for (const [uid, { pluginId, chartId, parts }] of merged) {
      if (chartId !== 'servers' && chartId !== 'players') continue;
      const row = charts.get(uid);
      if (row === undefined || row.lastValue === null) continue;
      const number = { ...row, touchedFrom: spanOf(parts).first };
      numbers.set(pluginId, { ...numbers.get(pluginId), [chartId]: number });
    }
    await this.#writeNumbers(numbers);
  }

  /**
   * Updates the facts after points were removed from charts (`uids`), or whole charts from plugins.
   * @param removed the charts that were pruned by a window.
   * @throws AppError if the window contains the first or last time of such a chart and the chart did not
   * change, or if a first or last time outside the window has changed: then a chunk has a wrong key.
   */
  async cut(
    uids: Iterable<number>,
    pluginIds: Iterable<number>,
    removed: { readonly uids: readonly number[]; readonly window: DataWindow },
  ): Promise<void> {
    const list = [...uids];
    const before = await this.#load(tables.chartNow, 'chartUid', removed.uids);
    const now = await this.#writeCharts(list);
    const changed = new Set(list);
    for (const [uid, { firstTime, lastTime }] of before) {
      const row = now.get(uid);
      for (const [end, endNow] of [
        [firstTime, row?.firstTime],
        [lastTime, row?.lastTime],
      ] as const) {
        const isGone = end >= removed.window.from && end < removed.window.to;
        if (isGone ? !changed.has(uid) : changed.has(uid) && end !== endNow)
          throw await damagedChart(this.#sql, uid);
      }
    }
    await this.#sql.run(`delete from chart_shares where chart_uid in ${idsIn(1)}`, keyList(list));
    await this.#sql.put(tables.chartShares, await computeShares(this.#sql, list));
    await this.#writePlugins([...pluginIds]);
  }

  /** Removes the facts of a removed plugin. */
  async removePlugin(pluginId: number): Promise<void> {
    await this.#loadNewest();
    const before = (await this.#load(tables.pluginNow, 'pluginId', [pluginId])).get(pluginId);
    if (before === undefined) this.#isUncertain = true;
    this.#note(before, undefined);
    for (const table of ['plugin_trend', 'plugin_now'])
      await this.#sql.run(`delete from ${table} where plugin_id = ?1`, pluginId);
  }

  /** Writes the facts that depend on many plugins. It is called once, at the end of the transaction. */
  async end(): Promise<void> {
    if (this.#newestBefore === undefined) return;
    await this.#writeSoftware();
    const newest = await readNewestTime(this.#sql);
    const [before, now] = [oldBefore(this.#newestBefore), oldBefore(newest)];
    this.#newestBefore = undefined;
    if (before === now) return;
    // The newest time has moved, so these plugins have become old or are no longer old. A plugin whose row is
    // damaged gets its trend when its row is computed again.
    const pages = keysetPages(
      this.#sql,
      betweenSql,
      { pluginId: smallestKey },
      Math.min(before, now),
      Math.max(before, now),
    );
    for await (const page of pages) {
      const intact = page.filter(({ pluginNow }) => pluginNow.isIntact);
      await this.#writeTrends(
        intact.map(({ pluginId }) => pluginId),
        newest,
      );
    }
  }

  /** Loads the intact rows of a table by their keys. Damaged ones are computed again. */
  async #load<K extends Kinds>(
    table: Table<K>,
    key: keyof K & string,
    keys: Iterable<number>,
  ): Promise<ReadonlyMap<number, RowOfKinds<K>>> {
    const rows = await storedWhere(this.#sql, table, `${snakeCase(key)} in ${idsIn(1)}`, keyList(keys));
    return new Map(intactOf(rows).map((row) => [Number(row[key]), row]));
  }

  /** Computes the `chart_now` rows of charts from their chunks, and writes them. */
  async #writeCharts(uids: readonly number[]): Promise<ReadonlyMap<number, Row<'chartNow'>>> {
    if (uids.length === 0) return new Map();
    const rows = await computeCharts(this.#sql, uids);
    const written = new Map(rows.map((row) => [row.chartUid, row]));
    const gone = uids.filter((uid) => !written.has(uid));
    if (gone.length > 0)
      await this.#sql.run(`delete from chart_now where chart_uid in ${idsIn(1)}`, keyList(gone));
    await this.#sql.put(tables.chartNow, rows);
    return written;
  }

  /** Computes the facts of plugins, and writes them. */
  async #writePlugins(
    ids: readonly number[],
    checkChange: (before: Row<'pluginNow'>, after: Row<'pluginNow'>) => void = () => {},
  ): Promise<void> {
    if (ids.length === 0) return;
    const newest = await this.#loadNewest();
    const before = await this.#load(tables.pluginNow, 'pluginId', ids);
    const others = ids.filter((id) => !before.has(id));
    // A plugin without both rows is new; a plugin with a trend alone has lost its row, and its former
    // software is unknown.
    if (others.length > 0 && (await this.#sql.read(withTrendSql, keyList(others))).length > 0)
      this.#isUncertain = true;
    const uids = (await this.#sql.read(numberChartsSql, keyList(ids))).map(({ uid }) => uid);
    const charts = await this.#load(tables.chartNow, 'chartUid', uids);
    await this.#writeCharts(uids.filter((uid) => !charts.has(uid)));
    const written = await computePlugins(this.#sql, ids);
    for (const row of written) {
      const replaced = before.get(row.pluginId);
      if (replaced !== undefined) checkChange(replaced, row);
      this.#note(replaced, row);
    }
    await this.#sql.put(tables.pluginNow, written);
    await this.#writeTrends(ids, newest);
  }

  /** Writes new numbers into the rows of plugins. Most imports change nothing else. */
  async #writeNumbers(numbers: ReadonlyMap<number, MergedNumbers>): Promise<void> {
    if (numbers.size === 0) return;
    const newest = await this.#loadNewest();
    const written: Row<'pluginNow'>[] = [];
    const changedDays: number[] = [];
    const stored = await this.#load(tables.pluginNow, 'pluginId', numbers.keys());
    for (const [id, row] of stored) {
      const { servers, players } = numbers.get(id) ?? {};
      // An old plugin has no changes.
      const isOld = (time: number | null) => (time ?? -maxTimestamp) < oldBefore(newest);
      if (
        servers !== undefined &&
        (isOld(row.serversTime) !== isOld(servers.lastTime) || !hasSameDays(row.serversTime, servers))
      )
        changedDays.push(id);
      const changed = {
        ...row,
        ...(servers && { servers: servers.lastValue, serversTime: servers.lastTime }),
        ...(players && { players: players.lastValue, playersTime: players.lastTime }),
      };
      this.#note(row, changed);
      written.push(changed);
    }
    await this.#sql.put(tables.pluginNow, written);
    await this.#writeTrends(changedDays, newest);
    await this.#writePlugins([...numbers.keys()].filter((id) => !stored.has(id)));
  }

  async #writeTrends(pluginIds: readonly number[], newest: number): Promise<void> {
    if (pluginIds.length === 0) return;
    await this.#sql.put(tables.pluginTrend, await computeTrends(this.#sql, pluginIds, newest));
  }

  /** Notes the replacement of a plugin's row in the changes of its software. */
  #note(before: Row<'pluginNow'> | undefined, after: Row<'pluginNow'> | undefined): void {
    if (before !== undefined) {
      const id = before.softwareId;
      const time = Math.max(...timesOf(before));
      const isLater = after?.softwareId === id && Math.max(...timesOf(after)) >= time;
      // The newest time may be of this row, as it was written earlier in the transaction.
      if (!isLater && this.#software.get(id)?.newest === time) this.#software.set(id, undefined);
    }
    for (const [row, count] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (row === undefined) continue;
      const id = row.softwareId;
      const change = this.#software.has(id)
        ? this.#software.get(id)
        : { pluginCount: 0, globalCount: 0, newest: -maxTimestamp, replaced: -maxTimestamp };
      this.#software.set(id, change);
      if (change === undefined) continue;
      change[row.isGlobal ? 'globalCount' : 'pluginCount'] += count;
      const time = Math.max(...timesOf(row));
      if (row === before) change.replaced = Math.max(change.replaced, time);
      else change.newest = Math.max(change.newest, time);
    }
  }

  async #writeSoftware(): Promise<void> {
    const stored = await this.#sql.read(softwareNowSql);
    const written = new Map<number, Row<'softwareNow'> | undefined>();
    for (const { id, softwareNow } of stored)
      if (this.#software.has(id))
        written.set(id, (await this.#changedSoftware(id, softwareNow)) ?? (await this.#countSoftware(id)));
    if (this.#isUncertain) for (const { id } of stored) written.set(id, await this.#countSoftware(id));
    // Software without plugins has no row.
    const unused = [...written.keys()].filter((id) => written.get(id) === undefined);
    await this.#sql.run(`delete from software_now where software_id in ${idsIn(1)}`, keyList(unused));
    await this.#sql.put(
      tables.softwareNow,
      [...written.values()].filter((row) => row !== undefined),
    );
  }

  /**
   * Updates the row of a software from the noted changes and the largest numbers; undefined if the software
   * must be counted again.
   */
  async #changedSoftware(
    softwareId: number,
    stored: StoredRow<Row<'softwareNow'>> | null,
  ): Promise<Row<'softwareNow'> | undefined> {
    const change = this.#software.get(softwareId);
    if (change === undefined || stored?.isIntact !== true) return undefined;
    const before = stored.intact();
    const newestBefore = before.newestTime ?? -maxTimestamp;
    if (change.replaced >= newestBefore && change.newest < newestBefore) return undefined;
    const pluginCount = before.pluginCount + change.pluginCount;
    const globalCount = before.globalCount + change.globalCount;
    if (pluginCount + globalCount === 0) return undefined;
    const [mostServers] = await storedWhere(this.#sql, tables.pluginNow, hasMost('servers'), softwareId);
    const [mostPlayers] = await storedWhere(this.#sql, tables.pluginNow, hasMost('players'), softwareId);
    if (mostServers?.isIntact === false || mostPlayers?.isIntact === false) return undefined;
    return {
      softwareId,
      pluginCount,
      globalCount,
      servers: mostServers?.intact().servers ?? null,
      players: mostPlayers?.intact().players ?? null,
      newestTime: timeOrNull(Math.max(newestBefore, change.newest)),
    };
  }

  /**
   * Computes the row of a software from the rows of its plugins. If a plugin's row is damaged, that row is
   * computed again first.
   */
  async #countSoftware(id: number): Promise<Row<'softwareNow'> | undefined> {
    try {
      return (await computeSoftware(this.#sql, [id]))[0];
    } catch (error) {
      throwUnexpected(error);
      for await (const page of keysetPages(this.#sql, membersSql, { id: smallestKey }, id))
        await this.#writePlugins(
          page.filter((row) => memberOf(row) === undefined).map(({ id: pluginId }) => pluginId),
        );
      return (await computeSoftware(this.#sql, [id]))[0];
    }
  }

  /**
   * Loads the newest time before the transaction. The first call must precede the first write of a plugin's
   * row.
   */
  async #loadNewest(): Promise<number> {
    if (this.#newestBefore !== undefined) return this.#newestBefore;
    let newest = -maxTimestamp;
    for (const { id, softwareNow, hasPlugins } of await this.#sql.read(softwareNowSql)) {
      if (softwareNow?.isIntact === true) {
        newest = Math.max(newest, softwareNow.intact().newestTime ?? newest);
        continue;
      }
      if (softwareNow === null && !hasPlugins) continue;
      this.#software.set(id, undefined);
      for (const plugin of await rowsWhere(this.#sql, tables.pluginNow, 'software_id = ?1', id))
        newest = Math.max(newest, ...timesOf(plugin));
    }
    this.#newestBefore = newest;
    return newest;
  }
}

/**
 * Refuses a new `plugin_now` row that lacks a number of the old row: imports never remove a number.
 * @throws AppError `unavailable`.
 */
function refuseLoss(before: Row<'pluginNow'>, after: Row<'pluginNow'>): void {
  if (timesOf(after).length < timesOf(before).length) throw tables.pluginNow.damage(after);
}

/**
 * Extends the facts of a chart by the merged parts. If several parts contain a time, the last of them counts.
 */
function mergeFacts(
  chartUid: number,
  before: Row<'chartNow'> | undefined,
  { isLine, parts }: MergedChart,
): Row<'chartNow'> {
  let { first, last } = spanOf(parts);
  const newest = parts.findLast(({ times }) => times.at(-1) === last);
  let value = newest !== undefined && isLine ? (valuesOf(newest).at(-1) ?? null) : null;
  if (before !== undefined) {
    first = Math.min(first, before.firstTime);
    if (before.lastTime > last) [last, value] = [before.lastTime, before.lastValue];
  }
  return { chartUid, firstTime: first, lastTime: last, lastValue: value };
}

/**
 * True if a merge leaves the days of a trend unchanged: all merged points are newer than these days, and no
 * further day has ended.
 */
function hasSameDays(before: number | null, { touchedFrom, lastTime }: MergedNumber): boolean {
  if (before === null) return false;
  const start = startOfDays(lastTime, trendDays);
  return touchedFrom >= start + trendDays * dayMs && startOfDays(before, trendDays) === start;
}
