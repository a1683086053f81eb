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
import { damagedRow, selecting, whole, wholeIfAny } from './intact-row.ts';
import { chunkOf, integer, numberOrNull, type Row, text } from './rows.ts';
import { computeShares, computeSharesOf } from './share-rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from './sql.ts';
import { type Columns, columnsSql, isIntactRow, storedColumns, withChecksum } from './tables.ts';

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
const chartNowSql = `select ${columnsSql('chart_now')} from chart_now where chart_uid in ${idsIn(1)}`;
const pluginNowSql = `select ${columnsSql('plugin_now')} from plugin_now where plugin_id in ${idsIn(1)}`;

const edgeChunksSql = `
  select chunk.chart_uid, chunk.first_timestamp, chunk.bytes,
    (select min(first_timestamp) from chunk where chart_uid = asked.uid) as first_time
  from (select cast(value->>0 as bigint) as uid from json_each(?1)) as asked
  join chunk on chunk.chart_uid = asked.uid
    and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = asked.uid)`;

const withTrendSql = `select plugin_id from plugin_trend where plugin_id in ${idsIn(1)}`;

const numberChartsSql = `
  select uid from chart where plugin_id in ${idsIn(1)} and chart_id in ('servers', 'players')`;

const pluginsSql = selecting`
  select ${whole('plugin')}, ${whole('owner', 'owner_')},
    ${wholeIfAny('chart', 'servers_of_', 'servers_chart')}, ${wholeIfAny('chart_now', 'servers_', 'servers')},
    ${wholeIfAny('chart', 'players_of_', 'players_chart')}, ${wholeIfAny('chart_now', 'players_', 'players')}
  from (select cast(value->>0 as bigint) as id from json_each(?1)) as asked
  join plugin on plugin.id = asked.id
  left join owner on owner.id = plugin.owner_id
  left join chart as servers_chart on servers_chart.plugin_id = plugin.id and servers_chart.chart_id = 'servers'
  left join chart_now as servers on servers.chart_uid = servers_chart.uid
  left join chart as players_chart on players_chart.plugin_id = plugin.id and players_chart.chart_id = 'players'
  left join chart_now as players on players.chart_uid = players_chart.uid`;

const trendsSql = selecting`
  select ${whole('plugin_now')}, ${wholeIfAny('chart', 'servers_of_', 'chart')}
  from plugin_now left join chart on chart.plugin_id = plugin_now.plugin_id and chart.chart_id = 'servers'
  where plugin_now.plugin_id in ${idsIn(1)}`;

const softwareNowSql = `
  select software.id, ${columnsSql('software_now')},
    exists (select 1 from plugin_now where plugin_now.software_id = software.id) as has_plugins
  from software left join software_now on software_now.software_id = software.id`;

const membersSql = paged(
  `select plugin.id, plugin.software_id as wanted_id, plugin.is_global as wanted_global, ${columnsSql('plugin_now')}
  from plugin left join plugin_now on plugin_now.plugin_id = plugin.id
  where plugin.id > ?1 and plugin.software_id = ?2
  order by plugin.id`,
  1024,
);

const newestOfSql = selecting`select ${whole('plugin_now')} from plugin_now where software_id = ?1`;

const largestSql = (value: string) => `
  select ${columnsSql('plugin_now')} from plugin_now
  where software_id = ?1 and not is_global and ${value} is not null
  order by ${value} desc limit 1`;

/** The plugins whose newest number lies in a time. */
const betweenSql = paged(
  `select ${columnsSql('plugin_now')} from plugin_now
  where plugin_id > ?1 and servers_time >= ?2 and servers_time < ?3
  order by plugin_id`,
  1024,
);

const daysSql = `
  select chart_uid, first_timestamp, bytes from chunk
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
      const before = await this.#loadIntact('chart_now', chartNowSql, merged.keys());
      const changedFrom = new Map<number, number>();
      const unknown: number[] = [];
      for (const [uid, { histories }] of merged) {
        const row = before.get(uid);
        if (row !== undefined || !grown.has(uid)) charts.set(uid, mergeFacts(row, histories));
        else unknown.push(uid);
        const lastBefore = Number(row?.[2] ?? (grown.has(uid) ? maxTimestamp : -maxTimestamp));
        const isLate = histories.some(({ times }) => (times[0] ?? lastBefore) < lastBefore);
        if ((isLate || divided.has(uid)) && !histories.some(isLine))
          changedFrom.set(uid, spanOf(histories).first);
      }
      for (const [uid, facts] of await this.#readCharts(unknown)) charts.set(uid, facts);
      await this.#writeCharts(charts);
      for (const [uid, from] of changedFrom)
        await this.#sql.upsert('chart_shares', await computeSharesOf(this.#sql, uid, from));
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
    const before = await this.#loadIntact('chart_now', chartNowSql, removed.uids);
    const now = await this.#computeCharts(list);
    const changed = new Set(list);
    for (const [uid, [, ...ends]] of before) {
      const { first, last } = now.get(uid) ?? {};
      for (const [end, endNow] of [
        [ends[0], first],
        [ends[1], last],
      ]) {
        const isGone = Number(end) > removed.after && Number(end) < removed.before;
        if (isGone ? !changed.has(uid) : changed.has(uid) && end !== endNow)
          throw await damagedChart(this.#sql, uid);
      }
    }
    await this.#sql.all(`delete from chart_shares where chart_uid in ${idsIn(1)}`, keyList(list));
    await this.#sql.upsert('chart_shares', await computeShares(this.#sql, list));
    await this.#writePlugins([...pluginIds]);
  }

  /** Removes those of a plugin that is removed. */
  async removePlugin(pluginId: number): Promise<void> {
    await this.#loadNewest();
    const before = (await this.#loadIntact('plugin_now', pluginNowSql, [pluginId])).get(pluginId);
    if (before === undefined) this.#isUncertain = true;
    this.#note(before, undefined);
    for (const table of ['plugin_trend', 'plugin_now'])
      await this.#sql.all(`delete from ${table} where plugin_id = ?1`, pluginId);
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
      { plugin_id: smallestKey },
      Math.min(before, now),
      Math.max(before, now),
    );
    for await (const page of pages) {
      const intact = page.filter((row) => isIntactRow('plugin_now', row));
      await this.#writeTrends(
        intact.map((row) => integer(row['plugin_id'])),
        newest,
      );
    }
  }

  /** Loads rows by their keys, without those that are not intact. */
  async #loadIntact(
    table: 'chart_now' | 'plugin_now',
    statement: string,
    keys: Iterable<number>,
  ): Promise<ReadonlyMap<number, Columns>> {
    const rows = await this.#sql.all(statement, keyList(keys));
    return new Map(
      rows
        .filter((row) => isIntactRow(table, row))
        .map((row) => {
          const columns = storedColumns(table, row);
          return [Number(columns[0]), columns];
        }),
    );
  }

  async #readCharts(uids: readonly number[]): Promise<ReadonlyMap<number, ChartFacts>> {
    return uids.length === 0 ? new Map() : await readChartFacts(this.#sql, uids);
  }

  async #writeCharts(facts: ReadonlyMap<number, ChartFacts>): Promise<void> {
    await this.#sql.upsert('chart_now', Array.from(facts, chartColumnsOf));
  }

  /** Writes the rows of charts from their chunks. */
  async #computeCharts(uids: readonly number[]): Promise<ReadonlyMap<number, ChartFacts>> {
    const facts = await this.#readCharts(uids);
    const gone = uids.filter((uid) => !facts.has(uid));
    if (gone.length > 0)
      await this.#sql.all(`delete from chart_now where chart_uid in ${idsIn(1)}`, keyList(gone));
    await this.#writeCharts(facts);
    return facts;
  }

  /** Writes the rows of plugins from those that they are computed from. */
  async #writePlugins(
    ids: readonly number[],
    checkChange: (before: Columns, after: Columns) => void = () => {},
  ): Promise<void> {
    if (ids.length === 0) return;
    const newest = await this.#loadNewest();
    const before = await this.#loadIntact('plugin_now', pluginNowSql, ids);
    const others = ids.filter((id) => !before.has(id));
    // One that has neither row is new.
    if (others.length > 0 && (await this.#sql.all(withTrendSql, keyList(others))).length > 0)
      this.#isUncertain = true;
    const uids = (await this.#sql.all(numberChartsSql, keyList(ids))).map((row) => integer(row['uid']));
    const charts = await this.#loadIntact('chart_now', chartNowSql, uids);
    await this.#computeCharts(uids.filter((uid) => !charts.has(uid)));
    const written = await computePlugins(this.#sql, ids);
    for (const row of written) {
      const replaced = before.get(Number(row[0]));
      if (replaced !== undefined) checkChange(replaced, row);
      this.#note(replaced, row);
    }
    await this.#sql.upsert('plugin_now', written);
    await this.#writeTrends(ids, newest);
  }

  /** Writes new numbers into the rows of plugins, which is all that most imports change. */
  async #writeNumbers(numbers: ReadonlyMap<number, MergedNumbers>): Promise<void> {
    if (numbers.size === 0) return;
    const newest = await this.#loadNewest();
    const written: Columns[] = [];
    const changedDays: number[] = [];
    const stored = await this.#loadIntact('plugin_now', pluginNowSql, numbers.keys());
    for (const [id, row] of stored) {
      const [, softwareId, isGlobal, names, lowerNames, ...before] = row;
      const [servers, serversTime, players, playersTime] = before as readonly (number | null)[];
      const merged = numbers.get(id);
      if (merged?.servers !== undefined && !hasSameDays(serversTime ?? null, merged.servers))
        changedDays.push(id);
      const changed = withChecksum('plugin_now', [
        ...[id, softwareId, isGlobal, names, lowerNames],
        ...(merged?.servers === undefined
          ? [servers, serversTime]
          : [merged.servers.value, merged.servers.last]),
        ...(merged?.players === undefined
          ? [players, playersTime]
          : [merged.players.value, merged.players.last]),
      ] as readonly (number | string | null)[]);
      this.#note(row, changed);
      written.push(changed);
    }
    await this.#sql.upsert('plugin_now', written);
    await this.#writeTrends(changedDays, newest);
    await this.#writePlugins([...numbers.keys()].filter((id) => !stored.has(id)));
  }

  async #writeTrends(pluginIds: readonly number[], newest: number): Promise<void> {
    if (pluginIds.length === 0) return;
    await this.#sql.upsert('plugin_trend', await computeTrends(this.#sql, pluginIds, newest));
  }

  /** Notes that the row of a plugin is replaced. */
  #note(before: Columns | undefined, after: Columns | undefined): void {
    for (const [row, count] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (row === undefined) continue;
      const id = Number(row[1]);
      const change = this.#software.has(id)
        ? this.#software.get(id)
        : { pluginCount: 0, globalCount: 0, newest: -maxTimestamp, replaced: -maxTimestamp };
      this.#software.set(id, change);
      if (change === undefined) continue;
      change[row[2] === 1 ? 'globalCount' : 'pluginCount'] += count;
      const time = Math.max(...timesOf(row));
      if (row === before) change.replaced = Math.max(change.replaced, time);
      else change.newest = Math.max(change.newest, time);
    }
  }

  async #writeSoftware(): Promise<void> {
    const stored = await this.#sql.all(softwareNowSql);
    const written = new Map<number, Columns | undefined>();
    for (const row of stored) {
      const id = integer(row['id']);
      if (!this.#software.has(id)) continue;
      written.set(id, (await this.#changedSoftware(id, row)) ?? (await this.#countSoftware(id)));
    }
    if (this.#isUncertain)
      for (const { id } of stored) written.set(integer(id), await this.#countSoftware(integer(id)));
    // Software without plugins has no row.
    const unused = [...written.keys()].filter((id) => written.get(id) === undefined);
    await this.#sql.all(`delete from software_now where software_id in ${idsIn(1)}`, keyList(unused));
    await this.#sql.upsert(
      'software_now',
      [...written.values()].filter((row) => row !== undefined),
    );
  }

  /** Changes the row of a software, where it and the largest numbers say all. */
  async #changedSoftware(id: number, row: Row): Promise<Columns | undefined> {
    const change = this.#software.get(id);
    if (change === undefined || !isIntactRow('software_now', row)) return undefined;
    const newestBefore = Number(row['newest_time'] ?? -maxTimestamp);
    if (change.replaced >= newestBefore && change.newest < newestBefore) return undefined;
    const pluginCount = integer(row['plugin_count']) + change.pluginCount;
    const globalCount = integer(row['global_count']) + change.globalCount;
    if (pluginCount + globalCount === 0) return undefined;
    const largest: (number | null)[] = [];
    for (const value of ['servers', 'players']) {
      const [top] = await this.#sql.all(largestSql(value), id);
      if (top !== undefined && !isIntactRow('plugin_now', top)) return undefined;
      largest.push(top === undefined ? null : numberOrNull(top[value]));
    }
    const newest = Math.max(newestBefore, change.newest);
    return withChecksum('software_now', [
      ...[id, pluginCount, globalCount, ...largest],
      newest === -maxTimestamp ? null : newest,
    ]);
  }

  /** Computes the row of a software from those of all its plugins, which are computed again if they are not intact. */
  async #countSoftware(id: number): Promise<Columns | undefined> {
    try {
      return (await computeSoftware(this.#sql, [id]))[0];
    } catch (error) {
      throwUnexpected(error);
      for await (const page of keysetPages(this.#sql, membersSql, { id: smallestKey }, id))
        await this.#writePlugins(page.filter((row) => !isMember(row)).map((row) => integer(row['id'])));
      return (await computeSoftware(this.#sql, [id]))[0];
    }
  }

  /** The newest time before the transaction, of which no row of a plugin has been written yet. */
  async #loadNewest(): Promise<number> {
    if (this.#newestBefore !== undefined) return this.#newestBefore;
    let newest = -maxTimestamp;
    for (const row of await this.#sql.all(softwareNowSql)) {
      const isIntact = isIntactRow('software_now', row);
      if (isIntact) newest = Math.max(newest, Number(row['newest_time'] ?? newest));
      if (isIntact || (row['software_id'] === null && !row['has_plugins'])) continue;
      const id = integer(row['id']);
      this.#software.set(id, undefined);
      for (const plugin of await this.#sql.all(newestOfSql, id))
        newest = Math.max(newest, ...timesOf(storedColumns('plugin_now', plugin)));
    }
    this.#newestBefore = newest;
    return newest;
  }
}

/** Reads the time of the newest latest number of all plugins, in Unix milliseconds; the smallest time there is without any. */
export async function readNewestTime(sql: Sql): Promise<number> {
  const rows = await sql.all(`select ${columnsSql('software_now')} from software_now`);
  const times = rows.filter((row) => isIntactRow('software_now', row)).map((row) => row['newest_time']);
  return Math.max(-maxTimestamp, ...times.map((time) => Number(time ?? -maxTimestamp)));
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
      ...latestOf(row, 'servers_'),
      ...latestOf(row, 'players_'),
    ]);
  });
}

/** The latest value of a line and its time; null for none. */
function latestOf(row: Row, prefix: string): readonly (number | null)[] {
  const value = row[`${prefix}last_value`];
  return value === null ? [null, null] : [numberOrNull(value), integer(row[`${prefix}last_time`])];
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
    const means = last === undefined ? [] : await loadDays(sql, integer(row['servers_of_uid']), last);
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

/** Computes the rows of `software_now` for software from `plugin_now`. Software without plugins has none. Rejects for a damaged row. */
export async function computeSoftware(sql: Sql, ids: Iterable<number>): Promise<readonly Columns[]> {
  const computed: Columns[] = [];
  for (const id of ids) {
    const counts = [0, 0];
    const largest: (number | null)[] = [null, null];
    let newest = -maxTimestamp;
    for await (const page of keysetPages(sql, membersSql, { id: smallestKey }, id))
      for (const row of page) {
        if (!isMember(row)) throw damagedRow('plugin_now', { ...row, plugin_id: row['id'] });
        const isGlobal = Boolean(row['is_global']);
        counts[Number(isGlobal)] = (counts[Number(isGlobal)] ?? 0) + 1;
        for (const [index, name] of ['servers', 'players'].entries()) {
          const [value, time] = [numberOrNull(row[name]), row[`${name}_time`]];
          if (time !== null) newest = Math.max(newest, integer(time));
          if (!isGlobal && value !== null) largest[index] = Math.max(value, largest[index] ?? value);
        }
      }
    if (Math.max(...counts) > 0)
      computed.push(
        withChecksum('software_now', [id, ...counts, ...largest, newest === -maxTimestamp ? null : newest]),
      );
  }
  return computed;
}

/** Refuses a row of `plugin_now` that lacks a number which it had: no import takes one away. @throws AppError `unavailable`. */
function refuseLoss(before: Columns, after: Columns): void {
  if (timesOf(after).length >= timesOf(before).length) return;
  throw damagedRow('plugin_now', { plugin_id: after[0] });
}

/** True for a plugin of a software whose row in `plugin_now` is intact and says so. */
function isMember(row: Row): boolean {
  return (
    isIntactRow('plugin_now', row) &&
    row['software_id'] === row['wanted_id'] &&
    Boolean(row['is_global']) === Boolean(row['wanted_global'])
  );
}

/** The times of the latest numbers in a row of `plugin_now`. */
function timesOf(row: Columns): readonly number[] {
  return [row[6], row[8]].flatMap((time) => (typeof time === 'number' ? time : []));
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
      throw await damagedChart(sql, chunk.uid, error);
    }
  }
  return facts;
}

/** Extends the facts of a chart by histories, of which at a time that several have the last one counts. */
function mergeFacts(before: Columns | undefined, histories: readonly ShareHistory[]): ChartFacts {
  let { first, last } = spanOf(histories);
  const newest = histories.findLast(({ times }) => times.at(-1) === last);
  let value = newest !== undefined && isLine(newest) ? (newest.columns[0]?.at(-1) ?? null) : null;
  if (before !== undefined) {
    const [, firstBefore, lastBefore, valueBefore] = before;
    first = Math.min(first, integer(firstBefore));
    if (integer(lastBefore) > last) [last, value] = [integer(lastBefore), numberOrNull(valueBefore)];
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
      throw await damagedChart(sql, uid, error);
    }
  }
  return Array.from(days.means, (mean) => (Number.isFinite(mean) ? roundMean(mean) : null));
}
