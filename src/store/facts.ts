/**
 * The facts: what a chart says of itself (`chart_now`, `chart_shares`), what lists show of a plugin and sort by (`plugin_now`, `plugin_trend`), and the counts of a
 * software (`software_now`). All are computed from the other tables. An import, a removal and a prune write them here, and a check computes them again.
 */

import { AppError } from '../model/app-error.ts';
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
import { chunkOf, integer, numberOrNull, type Row, text } from './rows.ts';
import { computeShares, computeSharesOf } from './share-rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from './sql.ts';
import { type Columns, columnsSql, storedColumns, withChecksum } from './tables.ts';

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

const chartNowSql = `
  select chart_uid, first_time, last_time, last_value from chart_now where chart_uid in ${idsIn(1)}`;

const edgeChunksSql = `
  select chunk.chart_uid, chunk.first_timestamp, chunk.bytes,
    (select min(first_timestamp) from chunk where chart_uid = asked.uid) as first_time
  from (select cast(value->>0 as bigint) as uid from json_each(?1)) as asked
  join chunk on chunk.chart_uid = asked.uid
    and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = asked.uid)`;

const pluginNowSql = `select ${columnsSql('plugin_now')} from plugin_now where plugin_id in ${idsIn(1)}`;

const softwareBeforeSql = `select distinct software_id from plugin_now where plugin_id in ${idsIn(1)}`;

const pluginsSql = `
  select plugin.id, plugin.software_id, plugin.is_global, plugin.name, owner.name as owner_name,
    servers.last_value as servers, servers.last_time as servers_time,
    players.last_value as players, players.last_time as players_time
  from (select cast(value->>0 as bigint) as id from json_each(?1)) as asked
  join plugin on plugin.id = asked.id
  join owner on owner.id = plugin.owner_id
  left join chart as servers_chart on servers_chart.plugin_id = plugin.id and servers_chart.chart_id = 'servers'
  left join chart_now as servers on servers.chart_uid = servers_chart.uid and servers.last_value is not null
  left join chart as players_chart on players_chart.plugin_id = plugin.id and players_chart.chart_id = 'players'
  left join chart_now as players on players.chart_uid = players_chart.uid and players.last_value is not null`;

const trendsSql = `
  select plugin_now.plugin_id, software_id, is_global, servers_time, chart.uid
  from plugin_now left join chart on chart.plugin_id = plugin_now.plugin_id and chart.chart_id = 'servers'
  where plugin_now.plugin_id in ${idsIn(1)}`;

const softwareSql = `
  select software_id, sum(case when is_global then 0 else 1 end) as plugin_count,
    sum(case when is_global then 1 else 0 end) as global_count,
    max(case when is_global then null else servers end) as servers,
    max(case when is_global then null else players end) as players,
    max(servers_time) as servers_time, max(players_time) as players_time
  from plugin_now where software_id in ${idsIn(1)}
  group by software_id`;

const newestSql = 'select max(newest_time) as newest_time from software_now';

/** The plugins whose newest number lies in a time. */
const betweenSql = paged(
  `select plugin_id from plugin_now
  where plugin_id > ?1 and servers_time >= ?2 and servers_time < ?3
  order by plugin_id`,
  1024,
);

const daysSql = `
  select chart_uid, first_timestamp, bytes from chunk
  where chart_uid = ?1 and first_timestamp >= coalesce(
    (select max(first_timestamp) from chunk where chart_uid = ?1 and first_timestamp <= ?2), ?2)
  order by first_timestamp`;

/** The facts that a transaction changes. */
export class Facts {
  readonly #sql: Sql;
  readonly #software = new Set<number>();
  /** The time of the newest number before the transaction. */
  #newestBefore: number | undefined;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Writes the facts after rows of these plugins or of their owners were written, and histories were merged into charts, by uid.
   * @param divided the uids of charts that have further chunks.
   */
  async update(
    pluginIds: Iterable<number>,
    merged: ReadonlyMap<number, MergedChart>,
    divided: ReadonlySet<number>,
  ): Promise<void> {
    const charts = new Map<number, ChartFacts>();
    if (merged.size > 0) {
      const known = await this.#sql.all(chartNowSql, keyList(merged.keys()));
      const before = new Map(known.map((row) => [integer(row['chart_uid']), row]));
      const changedFrom = new Map<number, number>();
      for (const [uid, { histories }] of merged) {
        const row = before.get(uid);
        charts.set(uid, mergeFacts(row, histories));
        const lastBefore = row === undefined ? Number.NEGATIVE_INFINITY : integer(row['last_time']);
        const isLate = histories.some(({ times }) => (times[0] ?? lastBefore) < lastBefore);
        if ((isLate || divided.has(uid)) && !histories.some(isLine))
          changedFrom.set(uid, spanOf(histories).first);
      }
      await this.#writeCharts(charts);
      for (const [uid, from] of changedFrom)
        await this.#sql.upsert('chart_shares', await computeSharesOf(this.#sql, uid, from));
    }
    await this.#writePlugins(pluginIds);
    const numbers = new Map<number, MergedNumbers>();
    for (const [uid, { pluginId, chartId, histories }] of merged) {
      if (chartId !== 'servers' && chartId !== 'players') continue;
      const chart = { touchedFrom: spanOf(histories).first, ...(charts.get(uid) as ChartFacts) };
      if (chart.value !== null) numbers.set(pluginId, { ...numbers.get(pluginId), [chartId]: chart });
    }
    await this.#writeNumbers(numbers);
  }

  /** Writes the facts after chunks of charts were removed, or charts of which these plugins are left. */
  async cut(uids: Iterable<number>, pluginIds: Iterable<number>): Promise<void> {
    const list = [...uids];
    const facts = await readChartFacts(this.#sql, list);
    const gone = list.filter((uid) => !facts.has(uid));
    await this.#sql.all(`delete from chart_now where chart_uid in ${idsIn(1)}`, keyList(gone));
    await this.#writeCharts(facts);
    await this.#sql.all(`delete from chart_shares where chart_uid in ${idsIn(1)}`, keyList(list));
    await this.#sql.upsert('chart_shares', await computeShares(this.#sql, list));
    await this.#writePlugins(pluginIds);
  }

  /** Removes those of a plugin that is removed. */
  async removePlugin(pluginId: number): Promise<void> {
    await this.#loadNewest();
    await this.#sql.all('delete from plugin_trend where plugin_id = ?1', pluginId);
    const removed = 'delete from plugin_now where plugin_id = ?1 returning software_id';
    for (const row of await this.#sql.all(removed, pluginId)) this.#software.add(integer(row['software_id']));
  }

  /** Writes the facts that depend on many plugins: at the end of the transaction. */
  async end(): Promise<void> {
    if (this.#newestBefore === undefined) return;
    const software = await computeSoftware(this.#sql, this.#software);
    for (const [id] of software) this.#software.delete(Number(id));
    // These have no plugins any more.
    const unused = keyList(this.#software);
    await this.#sql.all(`delete from software_now where software_id in ${idsIn(1)}`, unused);
    await this.#sql.upsert('software_now', software);
    const newest = await readNewestTime(this.#sql);
    const [before, now] = [oldBefore(this.#newestBefore), oldBefore(newest)];
    this.#newestBefore = undefined;
    if (before === now) return;
    // These have become old, or are no longer.
    const pages = keysetPages(
      this.#sql,
      betweenSql,
      { plugin_id: smallestKey },
      Math.min(before, now),
      Math.max(before, now),
    );
    for await (const page of pages)
      await this.#writeTrends(
        page.map((row) => integer(row['plugin_id'])),
        newest,
      );
  }

  async #writeCharts(facts: ReadonlyMap<number, ChartFacts>): Promise<void> {
    await this.#sql.upsert('chart_now', Array.from(facts, chartColumnsOf));
  }

  /** Writes the rows of plugins from those that they are computed from. */
  async #writePlugins(pluginIds: Iterable<number>): Promise<void> {
    const ids = [...pluginIds];
    if (ids.length === 0) return;
    const newest = await this.#loadNewest();
    for (const row of await this.#sql.all(softwareBeforeSql, keyList(ids)))
      this.#software.add(integer(row['software_id']));
    const written = await computePlugins(this.#sql, ids);
    for (const [, softwareId] of written) this.#software.add(Number(softwareId));
    await this.#sql.upsert('plugin_now', written);
    await this.#writeTrends(ids, newest);
  }

  /** Writes new numbers into the rows of plugins, which is all that most imports change. */
  async #writeNumbers(numbers: ReadonlyMap<number, MergedNumbers>): Promise<void> {
    if (numbers.size === 0) return;
    const newest = await this.#loadNewest();
    const written: Columns[] = [];
    const changedDays: number[] = [];
    for (const row of await this.#sql.all(pluginNowSql, keyList(numbers.keys()))) {
      const [id, softwareId, isGlobal, names, lowerNames, ...before] = storedColumns('plugin_now', row);
      const [servers, serversTime, players, playersTime] = before as readonly (number | null)[];
      const merged = numbers.get(Number(id));
      this.#software.add(Number(softwareId));
      if (merged?.servers !== undefined && !hasSameDays(serversTime ?? null, merged.servers))
        changedDays.push(Number(id));
      written.push(
        withChecksum('plugin_now', [
          ...[id, softwareId, isGlobal, names, lowerNames],
          ...(merged?.servers === undefined
            ? [servers, serversTime]
            : [merged.servers.value, merged.servers.last]),
          ...(merged?.players === undefined
            ? [players, playersTime]
            : [merged.players.value, merged.players.last]),
        ] as readonly (number | string | null)[]),
      );
    }
    await this.#sql.upsert('plugin_now', written);
    await this.#writeTrends(changedDays, newest);
  }

  async #writeTrends(pluginIds: readonly number[], newest: number): Promise<void> {
    if (pluginIds.length === 0) return;
    await this.#sql.upsert('plugin_trend', await computeTrends(this.#sql, pluginIds, newest));
  }

  async #loadNewest(): Promise<number> {
    this.#newestBefore ??= await readNewestTime(this.#sql);
    return this.#newestBefore;
  }
}

/** Reads the time of the newest latest number of all plugins, in Unix milliseconds; the smallest time there is without any. */
export async function readNewestTime(sql: Sql): Promise<number> {
  const [row] = await sql.all(newestSql);
  const newest = row?.['newest_time'] ?? null;
  return newest === null ? -maxTimestamp : integer(newest);
}

/** Computes the rows of `chart_now` for charts from their chunks. Charts without any are left out. Rejects for a damaged chunk. */
export async function computeCharts(sql: Sql, uids: Iterable<number>): Promise<readonly Columns[]> {
  return Array.from(await readChartFacts(sql, uids), chartColumnsOf);
}

/** Computes the rows of `plugin_now` for plugins from `chart_now`. */
export async function computePlugins(sql: Sql, ids: Iterable<number>): Promise<readonly Columns[]> {
  return (await sql.all(pluginsSql, keyList(ids))).map((row) => {
    // Of both names, a line each.
    const both = `${text(row['name'])}\n${text(row['owner_name'])}`;
    const [names, lowerNames] = [foldText(both), lowerCase(both)];
    return withChecksum('plugin_now', [
      integer(row['id']),
      integer(row['software_id']),
      Number(row['is_global']),
      names,
      lowerNames === names ? null : lowerNames,
      numberOrNull(row['servers']),
      row['servers_time'] === null ? null : integer(row['servers_time']),
      numberOrNull(row['players']),
      row['players_time'] === null ? null : integer(row['players_time']),
    ]);
  });
}

/** Computes the rows of `plugin_trend` for plugins from `plugin_now` and the chunks. @param newest the time of the newest number of the store. */
export async function computeTrends(
  sql: Sql,
  ids: Iterable<number>,
  newest: number,
): Promise<readonly Columns[]> {
  const computed: Columns[] = [];
  for (const row of await sql.all(trendsSql, keyList(ids))) {
    const last = row['servers_time'] === null ? undefined : integer(row['servers_time']);
    const means = last === undefined ? [] : await loadDays(sql, integer(row['uid']), last);
    computed.push(
      withChecksum('plugin_trend', [
        integer(row['plugin_id']),
        integer(row['software_id']),
        Number(row['is_global']),
        last === undefined || last < oldBefore(newest) ? null : changeOf(means),
        JSON.stringify(means),
      ]),
    );
  }
  return computed;
}

/** Computes the rows of `software_now` for software from `plugin_now`. Software without plugins has none. */
export async function computeSoftware(sql: Sql, ids: Iterable<number>): Promise<readonly Columns[]> {
  return (await sql.all(softwareSql, keyList(ids))).map((row) => {
    const times = [row['servers_time'], row['players_time']].flatMap((time) =>
      time === null ? [] : integer(time),
    );
    return withChecksum('software_now', [
      integer(row['software_id']),
      Number(row['plugin_count']),
      Number(row['global_count']),
      numberOrNull(row['servers']),
      numberOrNull(row['players']),
      times.length === 0 ? null : Math.max(...times),
    ]);
  });
}

async function readChartFacts(sql: Sql, uids: Iterable<number>): Promise<Map<number, ChartFacts>> {
  const facts = new Map<number, ChartFacts>();
  for (const row of await sql.all(edgeChunksSql, keyList(uids))) {
    const chunk = chunkOf(row);
    try {
      const { timestamp, value } = lastOf(chunk);
      const first = integer(row['first_time']);
      facts.set(chunk.uid, { first, last: timestamp, value: isOfLine(chunk) ? value : null });
    } catch (error) {
      throw error instanceof AppError ? await damagedChart(sql, chunk.uid, error) : error;
    }
  }
  return facts;
}

/** Extends the facts of a chart by histories, of which at a time that several have the last one counts. */
function mergeFacts(before: Row | undefined, histories: readonly ShareHistory[]): ChartFacts {
  let { first, last } = spanOf(histories);
  const newest = histories.findLast(({ times }) => times.at(-1) === last);
  let value = newest !== undefined && isLine(newest) ? (newest.columns[0]?.at(-1) ?? null) : null;
  if (before !== undefined) {
    first = Math.min(first, integer(before['first_time']));
    const lastBefore = integer(before['last_time']);
    if (lastBefore > last) [last, value] = [lastBefore, numberOrNull(before['last_value'])];
  }
  return { first, last, value };
}

function chartColumnsOf([uid, { first, last, value }]: readonly [number, ChartFacts]): Columns {
  return withChecksum('chart_now', [uid, first, last, value]);
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
  for (const row of await sql.all(daysSql, uid, startOfDays(newest, trendDays))) {
    try {
      days.add(pointsOfLine(decodeChunk(chunkOf(row))));
    } catch (error) {
      throw error instanceof AppError ? await damagedChart(sql, uid, error) : error;
    }
  }
  return Array.from(days.means, (mean) => (Number.isFinite(mean) ? roundMean(mean) : null));
}
