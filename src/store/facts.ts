/**
 * The facts: what a chart says of itself (`chart_now`, `chart_shares`), what lists show of a plugin and sort by (`plugin_now`, `plugin_trend`), and the counts of a
 * software (`software_now`). All are computed from the other tables. An import, a removal and a prune write them here, and a check computes them again.
 */

import { throwUnexpected } from '../model/app-error.ts';
import type { ChartName } from '../model/chart.ts';
import { changeOfHalves, DayMeans, startOfDays } from '../model/day-means.ts';
import { foldText, lowerCase } from '../model/names.ts';
import { oldBefore, trendDays } from '../model/plugin-list.ts';
import { maxTimestamp } from '../model/points.ts';
import { type ShareHistory, spanOf } from '../model/share-history.ts';
import { dayMs } from '../model/window.ts';
import { decodeChunk, isLine, isOfLine, lastOf, pointsOfLine } from '../series/chunk.ts';
import { roundMean } from '../series/number-text.ts';
import { damagedChart } from './damaged-chart.ts';
import { flag, integer } from './kinds.ts';
import { chunkOf } from './rows.ts';
import { computeShares, computeSharesOf } from './share-rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from './sql.ts';
import { column, statement } from './statement.ts';
import type { StoredRow } from './table.ts';
import { type Row, tables } from './tables.ts';

/** The histories, or points as those of a line, that were merged into a chart. */
export interface MergedChart extends ChartName {
  readonly histories: readonly ShareHistory[];
}

/** The first and the last time of a chart in Unix milliseconds; of a line the value at the last one. */
interface ChartFacts {
  readonly first: number;
  readonly last: number;
  readonly value: number | null;
}

/** The result of merging into a line of servers or players. */
interface MergedNumber extends ChartFacts {
  /** The first time that it changed. */
  readonly touchedFrom: number;
}

/** The results for the two lines of a plugin. */
interface MergedNumbers {
  readonly servers?: MergedNumber;
  readonly players?: MergedNumber;
}

// As they are stored: what is not intact is computed again.
const chartNowSql = statement`
  select ${tables.chartNow.stored('chartNow')} from chart_now where chart_uid in ${idsIn(1)}`;
const pluginNowSql = statement`
  select ${tables.pluginNow.stored('pluginNow')} from plugin_now where plugin_id in ${idsIn(1)}`;

const edgeChunksSql = statement`
  select ${tables.chunk.all},
    (select min(first_timestamp) from chunk where chart_uid = asked.uid) as ${column('firstTime', integer)}
  from (select cast(value->>0 as bigint) as uid from json_each(?1)) as asked
  join chunk on chunk.chart_uid = asked.uid
    and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = asked.uid)`;

const withTrendSql = statement`
  select ${tables.pluginTrend.pick('pluginId')} from plugin_trend where plugin_id in ${idsIn(1)}`;

const numberChartsSql = statement`
  select ${tables.chart.pick('uid')} from chart where plugin_id in ${idsIn(1)} and chart_id in ('servers', 'players')`;

const pluginsSql = statement`
  select ${tables.plugin.all}, ${tables.owner.as('owner')},
    ${tables.chart.ifAny('serversChart')}, ${tables.chartNow.ifAny('servers')},
    ${tables.chart.ifAny('playersChart')}, ${tables.chartNow.ifAny('players')}
  from (select cast(value->>0 as bigint) as id from json_each(?1)) as asked
  join plugin on plugin.id = asked.id
  left join owner on owner.id = plugin.owner_id
  left join chart as servers_chart on servers_chart.plugin_id = plugin.id and servers_chart.chart_id = 'servers'
  left join chart_now as servers on servers.chart_uid = servers_chart.uid
  left join chart as players_chart on players_chart.plugin_id = plugin.id and players_chart.chart_id = 'players'
  left join chart_now as players on players.chart_uid = players_chart.uid`;

const trendsSql = statement`
  select ${tables.pluginNow.all}, ${tables.chart.ifAny('chart')}
  from plugin_now left join chart on chart.plugin_id = plugin_now.plugin_id and chart.chart_id = 'servers'
  where plugin_now.plugin_id in ${idsIn(1)}`;

const softwareNowSql = statement`
  select ${tables.software.pick('id')}, ${tables.softwareNow.storedIfAny('softwareNow')},
    exists (select 1 from plugin_now where plugin_now.software_id = software.id) as ${column('hasPlugins', flag)}
  from software left join software_now on software_now.software_id = software.id`;

const membersSql = paged(
  statement`
  select ${tables.plugin.pick('id', 'softwareId', 'isGlobal')}, ${tables.pluginNow.storedIfAny('pluginNow')}
  from plugin left join plugin_now on plugin_now.plugin_id = plugin.id
  where plugin.id > ?1 and plugin.software_id = ?2
  order by plugin.id`,
  1024,
);

const newestOfSql = statement`select ${tables.pluginNow.all} from plugin_now where software_id = ?1`;

const largestSql = (value: 'servers' | 'players') => statement`
  select ${tables.pluginNow.stored('pluginNow')} from plugin_now
  where software_id = ?1 and not is_global and ${value} is not null
  order by ${value} desc limit 1`;
const [largestServersSql, largestPlayersSql] = [largestSql('servers'), largestSql('players')];

const allSoftwareNowSql = statement`select ${tables.softwareNow.stored('softwareNow')} from software_now`;

/** The plugins whose newest number lies in a time. */
const betweenSql = paged(
  statement`
  select ${tables.pluginNow.pick('pluginId')}, ${tables.pluginNow.stored('pluginNow')} from plugin_now
  where plugin_id > ?1 and servers_time >= ?2 and servers_time < ?3
  order by plugin_id`,
  1024,
);

const daysSql = statement`
  select ${tables.chunk.all} from chunk
  where chart_uid = ?1 and first_timestamp >= coalesce(
    (select max(first_timestamp) from chunk where chart_uid = ?1 and first_timestamp <= ?2), ?2)
  order by first_timestamp`;

/** Changes of the row of a software. */
interface SoftwareChange {
  pluginCount: number;
  globalCount: number;
  /** The newest time of the rows of plugins that were written, and of those that they replaced. */
  newest: number;
  replaced: number;
}

/** The facts that a transaction changes. A row that it goes on from is computed again if it is not intact. */
export class Facts {
  readonly #sql: Sql;
  /** By id; undefined for one that is counted again. */
  readonly #software = new Map<number, SoftwareChange | undefined>();
  /** True once the software that a plugin had before is not known: then all are counted again. */
  #isUncertain = false;
  /** The time of the newest number before the transaction. */
  #newestBefore: number | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Writes the facts after rows of these plugins or of their owners were written, and histories were merged into charts, by uid.
   * @param grown the uids of charts that had chunks before.
   * @param divided the uids of charts that have further chunks.
   */
  async update(
    pluginIds: Iterable<number>,
    merged: ReadonlyMap<number, MergedChart>,
    { grown, divided }: { readonly grown: ReadonlySet<number>; readonly divided: ReadonlySet<number> },
  ): Promise<void> {
    const charts = new Map<number, ChartFacts>();
    if (merged.size > 0) {
      const before = await this.#loadCharts(merged.keys());
      const changedFrom = new Map<number, number>();
      const unknown: number[] = [];
      for (const [uid, { histories }] of merged) {
        const row = before.get(uid);
        if (row !== undefined || !grown.has(uid)) charts.set(uid, mergeFacts(row, histories));
        else unknown.push(uid);
        const lastBefore = row?.lastTime ?? (grown.has(uid) ? maxTimestamp : -maxTimestamp);
        const isLate = histories.some(({ times }) => (times[0] ?? lastBefore) < lastBefore);
        if ((isLate || divided.has(uid)) && !histories.some(isLine))
          changedFrom.set(uid, spanOf(histories).first);
      }
      for (const [uid, facts] of await this.#readCharts(unknown)) charts.set(uid, facts);
      await this.#writeCharts(charts);
      for (const [uid, from] of changedFrom)
        await this.#sql.put(tables.chartShares, await computeSharesOf(this.#sql, uid, from));
    }
    await this.#writePlugins([...pluginIds], refuseLoss);
    const numbers = new Map<number, MergedNumbers>();
    for (const [uid, { pluginId, chartId, histories }] of merged) {
      if (chartId !== 'servers' && chartId !== 'players') continue;
      const chart = { touchedFrom: spanOf(histories).first, ...(charts.get(uid) as ChartFacts) };
      if (chart.value !== null) numbers.set(pluginId, { ...numbers.get(pluginId), [chartId]: chart });
    }
    await this.#writeNumbers(numbers);
  }

  /**
   * Writes the facts after times of charts were removed, or charts of which these plugins are left.
   * @param removed the charts from which the times between these two were removed. Rejects for one that does not begin or end any more where it
   *   did, or still does, against that: a chunk of it has another key.
   */
  async cut(
    uids: Iterable<number>,
    pluginIds: Iterable<number>,
    removed: { readonly uids: readonly number[]; readonly after: number; readonly before: number },
  ): Promise<void> {
    const list = [...uids];
    const before = await this.#loadCharts(removed.uids);
    const now = await this.#computeCharts(list);
    const changed = new Set(list);
    for (const [uid, { firstTime, lastTime }] of before) {
      const { first, last } = now.get(uid) ?? {};
      for (const [end, endNow] of [
        [firstTime, first],
        [lastTime, last],
      ] as const) {
        const isGone = end > removed.after && end < removed.before;
        if (isGone ? !changed.has(uid) : changed.has(uid) && end !== endNow)
          throw await damagedChart(this.#sql, uid);
      }
    }
    await this.#sql.run(`delete from chart_shares where chart_uid in ${idsIn(1)}`, keyList(list));
    await this.#sql.put(tables.chartShares, await computeShares(this.#sql, list));
    await this.#writePlugins([...pluginIds]);
  }

  /** Removes those of a plugin that is removed. */
  async removePlugin(pluginId: number): Promise<void> {
    await this.#loadNewest();
    const before = (await this.#loadPlugins([pluginId])).get(pluginId);
    if (before === undefined) this.#isUncertain = true;
    this.#note(before, undefined);
    for (const table of ['plugin_trend', 'plugin_now'])
      await this.#sql.run(`delete from ${table} where plugin_id = ?1`, pluginId);
  }

  /** Writes the facts that depend on many plugins: at the end of the transaction. */
  async end(): Promise<void> {
    if (this.#newestBefore === undefined) return;
    await this.#writeSoftware();
    const newest = await readNewestTime(this.#sql);
    const [before, now] = [oldBefore(this.#newestBefore), oldBefore(newest)];
    this.#newestBefore = undefined;
    if (before === now) return;
    // These have become old, or are no longer. One that is not intact gets its trend when it is computed again.
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

  /** Loads rows of charts by uid, without those that are not intact. */
  async #loadCharts(uids: Iterable<number>): Promise<ReadonlyMap<number, Row<'chartNow'>>> {
    const rows = await this.#sql.read(chartNowSql, keyList(uids));
    return new Map(intactOf(rows.map(({ chartNow }) => chartNow)).map((row) => [row.chartUid, row]));
  }

  /** Loads rows of plugins by id, without those that are not intact. */
  async #loadPlugins(ids: Iterable<number>): Promise<ReadonlyMap<number, Row<'pluginNow'>>> {
    const rows = await this.#sql.read(pluginNowSql, keyList(ids));
    return new Map(intactOf(rows.map(({ pluginNow }) => pluginNow)).map((row) => [row.pluginId, row]));
  }

  async #readCharts(uids: readonly number[]): Promise<ReadonlyMap<number, ChartFacts>> {
    return uids.length === 0 ? new Map() : await readChartFacts(this.#sql, uids);
  }

  async #writeCharts(facts: ReadonlyMap<number, ChartFacts>): Promise<void> {
    await this.#sql.put(tables.chartNow, Array.from(facts, chartRowOf));
  }

  /** Writes the rows of charts from their chunks. */
  async #computeCharts(uids: readonly number[]): Promise<ReadonlyMap<number, ChartFacts>> {
    const facts = await this.#readCharts(uids);
    const gone = uids.filter((uid) => !facts.has(uid));
    if (gone.length > 0)
      await this.#sql.run(`delete from chart_now where chart_uid in ${idsIn(1)}`, keyList(gone));
    await this.#writeCharts(facts);
    return facts;
  }

  /** Writes the rows of plugins from those that they are computed from. */
  async #writePlugins(
    ids: readonly number[],
    checkChange: (before: Row<'pluginNow'>, after: Row<'pluginNow'>) => void = () => {},
  ): Promise<void> {
    if (ids.length === 0) return;
    const newest = await this.#loadNewest();
    const before = await this.#loadPlugins(ids);
    const others = ids.filter((id) => !before.has(id));
    // One that has neither row is new.
    if (others.length > 0 && (await this.#sql.read(withTrendSql, keyList(others))).length > 0)
      this.#isUncertain = true;
    const uids = (await this.#sql.read(numberChartsSql, keyList(ids))).map(({ uid }) => uid);
    const charts = await this.#loadCharts(uids);
    await this.#computeCharts(uids.filter((uid) => !charts.has(uid)));
    const written = await computePlugins(this.#sql, ids);
    for (const row of written) {
      const replaced = before.get(row.pluginId);
      if (replaced !== undefined) checkChange(replaced, row);
      this.#note(replaced, row);
    }
    await this.#sql.put(tables.pluginNow, written);
    await this.#writeTrends(ids, newest);
  }

  /** Writes new numbers into the rows of plugins, which is all that most imports change. */
  async #writeNumbers(numbers: ReadonlyMap<number, MergedNumbers>): Promise<void> {
    if (numbers.size === 0) return;
    const newest = await this.#loadNewest();
    const written: Row<'pluginNow'>[] = [];
    const changedDays: number[] = [];
    const stored = await this.#loadPlugins(numbers.keys());
    for (const [id, row] of stored) {
      const { servers, players } = numbers.get(id) ?? {};
      if (servers !== undefined && !hasSameDays(row.serversTime, servers)) changedDays.push(id);
      const changed = {
        ...row,
        ...(servers && { servers: servers.value, serversTime: servers.last }),
        ...(players && { players: players.value, playersTime: players.last }),
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

  /** Notes that the row of a plugin is replaced. */
  #note(before: Row<'pluginNow'> | undefined, after: Row<'pluginNow'> | undefined): void {
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

  /** Changes the row of a software, where it and the largest numbers say all. */
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
    const [mostServers] = await this.#sql.read(largestServersSql, softwareId);
    const [mostPlayers] = await this.#sql.read(largestPlayersSql, softwareId);
    if (mostServers?.pluginNow.isIntact === false || mostPlayers?.pluginNow.isIntact === false)
      return undefined;
    return {
      softwareId,
      pluginCount,
      globalCount,
      servers: mostServers?.pluginNow.intact().servers ?? null,
      players: mostPlayers?.pluginNow.intact().players ?? null,
      newestTime: timeOrNull(Math.max(newestBefore, change.newest)),
    };
  }

  /** Computes the row of a software from those of all its plugins, which are computed again if they are not intact. */
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

  /** The newest time before the transaction, of which no row of a plugin has been written yet. */
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
      for (const plugin of await this.#sql.read(newestOfSql, id))
        newest = Math.max(newest, ...timesOf(plugin));
    }
    this.#newestBefore = newest;
    return newest;
  }
}

/** Reads the time of the newest latest number of all plugins, in Unix milliseconds; the smallest time there is without any. */
export async function readNewestTime(sql: Sql): Promise<number> {
  const rows = await sql.read(allSoftwareNowSql);
  const intact = intactOf(rows.map(({ softwareNow }) => softwareNow));
  return Math.max(-maxTimestamp, ...intact.map(({ newestTime }) => newestTime ?? -maxTimestamp));
}

/** Computes the rows of `chart_now` for charts from their chunks. Charts without any are left out. Rejects for a damaged chunk. */
export async function computeCharts(
  sql: Sql,
  uids: Iterable<number>,
): Promise<ReadonlyArray<Row<'chartNow'>>> {
  return Array.from(await readChartFacts(sql, uids), chartRowOf);
}

/** Computes the rows of `plugin_now` for plugins from `chart_now`. */
export async function computePlugins(
  sql: Sql,
  ids: Iterable<number>,
): Promise<ReadonlyArray<Row<'pluginNow'>>> {
  return (await sql.read(pluginsSql, keyList(ids))).map((row) => {
    const { id, name, owner, softwareId, isGlobal, servers, players } = row;
    // Plugin name and owner name, one per line.
    const both = `${name}\n${owner.name}`;
    const [names, lowerNames] = [foldText(both), lowerCase(both)];
    const hasServers = servers !== null && servers.lastValue !== null;
    const hasPlayers = players !== null && players.lastValue !== null;
    return {
      pluginId: id,
      softwareId,
      isGlobal,
      names,
      lowerNames: lowerNames === names ? null : lowerNames,
      servers: hasServers ? servers.lastValue : null,
      serversTime: hasServers ? servers.lastTime : null,
      players: hasPlayers ? players.lastValue : null,
      playersTime: hasPlayers ? players.lastTime : null,
    };
  });
}

/** Computes the rows of `plugin_trend` for plugins from `plugin_now` and the chunks. @param newest the time of the newest number of the store. */
export async function computeTrends(
  sql: Sql,
  ids: Iterable<number>,
  newest: number,
): Promise<ReadonlyArray<Row<'pluginTrend'>>> {
  const computed: Row<'pluginTrend'>[] = [];
  for (const { pluginId, softwareId, isGlobal, serversTime, chart } of await sql.read(
    trendsSql,
    keyList(ids),
  )) {
    if (serversTime !== null && chart === null) throw tables.pluginNow.damage({ pluginId });
    const means = serversTime === null || chart === null ? [] : await loadDays(sql, chart.uid, serversTime);
    const isOld = serversTime === null || serversTime < oldBefore(newest);
    const change = isOld ? null : changeOf(means);
    computed.push({ pluginId, softwareId, isGlobal, change, days: JSON.stringify(means) });
  }
  return computed;
}

/** Computes the rows of `software_now` for software from `plugin_now`. Software without plugins has none. Rejects for a damaged row. */
export async function computeSoftware(
  sql: Sql,
  ids: Iterable<number>,
): Promise<ReadonlyArray<Row<'softwareNow'>>> {
  const computed: Row<'softwareNow'>[] = [];
  for (const softwareId of ids) {
    let [pluginCount, globalCount, newest] = [0, 0, -maxTimestamp];
    let [servers, players]: (number | null)[] = [null, null];
    for await (const page of keysetPages(sql, membersSql, { id: smallestKey }, softwareId))
      for (const row of page) {
        const member = memberOf(row);
        if (member === undefined) throw tables.pluginNow.damage({ pluginId: row.id });
        newest = Math.max(newest, ...timesOf(member));
        if (member.isGlobal) globalCount++;
        else {
          pluginCount++;
          servers = largerOf(servers, member.servers);
          players = largerOf(players, member.players);
        }
      }
    if (pluginCount + globalCount > 0)
      computed.push({
        softwareId,
        pluginCount,
        globalCount,
        servers: servers ?? null,
        players: players ?? null,
        newestTime: timeOrNull(newest),
      });
  }
  return computed;
}

function largerOf(a: number | null | undefined, b: number | null): number | null {
  return a == null || b === null ? (a ?? b) : Math.max(a, b);
}

function timeOrNull(time: number): number | null {
  return time === -maxTimestamp ? null : time;
}

/** Refuses a row of `plugin_now` that lacks a number which it had: no import takes one away. @throws AppError `unavailable`. */
function refuseLoss(before: Row<'pluginNow'>, after: Row<'pluginNow'>): void {
  if (timesOf(after).length < timesOf(before).length) throw tables.pluginNow.damage(after);
}

/** The row of a plugin of a software, where it is intact and says so. */
function memberOf({
  softwareId,
  isGlobal,
  pluginNow,
}: Pick<Row<'plugin'>, 'softwareId' | 'isGlobal'> & {
  readonly pluginNow: StoredRow<Row<'pluginNow'>> | null;
}): Row<'pluginNow'> | undefined {
  if (pluginNow?.isIntact !== true) return undefined;
  const row = pluginNow.intact();
  return row.softwareId === softwareId && row.isGlobal === isGlobal ? row : undefined;
}

/** The times of the latest numbers in a row of `plugin_now`. */
function timesOf({ serversTime, playersTime }: Row<'pluginNow'>): readonly number[] {
  return [serversTime, playersTime].filter((time) => time !== null);
}

function intactOf<R>(rows: ReadonlyArray<StoredRow<R>>): readonly R[] {
  return rows.filter(({ isIntact }) => isIntact).map((row) => row.intact());
}

async function readChartFacts(sql: Sql, uids: Iterable<number>): Promise<Map<number, ChartFacts>> {
  const facts = new Map<number, ChartFacts>();
  for (const row of await sql.read(edgeChunksSql, keyList(uids))) {
    const chunk = chunkOf(row);
    try {
      const { timestamp, value } = lastOf(chunk);
      facts.set(chunk.uid, {
        first: row.firstTime,
        last: timestamp,
        value: isOfLine(chunk) ? value : null,
      });
    } catch (error) {
      throw await damagedChart(sql, chunk.uid, error);
    }
  }
  return facts;
}

/** Extends the facts of a chart by histories, of which at a time that several have the last one counts. */
function mergeFacts(before: Row<'chartNow'> | undefined, histories: readonly ShareHistory[]): ChartFacts {
  let { first, last } = spanOf(histories);
  const newest = histories.findLast(({ times }) => times.at(-1) === last);
  let value = newest !== undefined && isLine(newest) ? (newest.columns[0]?.at(-1) ?? null) : null;
  if (before !== undefined) {
    first = Math.min(first, before.firstTime);
    if (before.lastTime > last) [last, value] = [before.lastTime, before.lastValue];
  }
  return { first, last, value };
}

function chartRowOf([chartUid, { first, last, value }]: readonly [number, ChartFacts]): Row<'chartNow'> {
  return { chartUid, firstTime: first, lastTime: last, lastValue: value };
}

/** True if a row with numbers of this time has the days of the merged points as well. */
function hasSameDays(before: number | null, { touchedFrom, last }: MergedNumber): boolean {
  if (before === null) return false;
  const start = startOfDays(last, trendDays);
  return touchedFrom >= start + trendDays * dayMs && startOfDays(before, trendDays) === start;
}

function changeOf(means: readonly (number | null)[]): number | null {
  return changeOfHalves(Float64Array.from(means, (mean) => mean ?? Number.NaN)) ?? null;
}

/** Loads the means of the last whole days of a line; null for a day without points. */
async function loadDays(sql: Sql, uid: number, newest: number): Promise<readonly (number | null)[]> {
  const days = new DayMeans(newest, trendDays);
  for (const row of await sql.read(daysSql, uid, startOfDays(newest, trendDays))) {
    try {
      days.add(pointsOfLine(decodeChunk(chunkOf(row))));
    } catch (error) {
      throw await damagedChart(sql, uid, error);
    }
  }
  return Array.from(days.means, (mean) => (Number.isFinite(mean) ? roundMean(mean) : null));
}
