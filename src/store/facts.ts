/**
 * The facts: what a chart says of itself (`chart_now`), what lists show of a plugin and sort by (`plugin_now`), and the counts of a software
 * (`software_now`). All are computed from the other tables. An import, a removal and a prune write them here, and a check computes them again.
 */
import type { ChartName } from '../model/chart.ts';
import { changeOfHalves, DayMeans, startOfDays } from '../model/day-means.ts';
import { foldText, lowerCase } from '../model/names.ts';
import { oldBefore, trendDays } from '../model/plugin-list.ts';
import { maxTimestamp } from '../model/points.ts';
import { type ShareHistory, spanOf } from '../model/share-history.ts';
import { decodeChunk, isLine, isOfLine, lastOf, pointsOfLine } from '../series/chunk.ts';
import { roundMean } from '../series/number-text.ts';
import { chunkOf, integer, numberOrNull, type Row, text } from './rows.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey } from './sql.ts';
import { type Columns, withChecksum } from './tables.ts';

const dayMs = 24 * 60 * 60 * 1000;

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

const chartNowSql = `
  select chart_uid, first_time, last_time, last_value from chart_now where chart_uid in ${idsIn(1)}`;

const edgeChunksSql = `
  select chunk.chart_uid, chunk.first_timestamp, chunk.bytes,
    (select min(first_timestamp) from chunk where chart_uid = asked.uid) as first_time
  from (select cast(value->>0 as bigint) as uid from json_each(?1)) as asked
  join chunk on chunk.chart_uid = asked.uid
    and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = asked.uid)`;

const pluginsSql = `
  select plugin.id, plugin.software_id, plugin.is_global, plugin.name, owner.name as owner_name, servers.chart_uid,
    servers.last_value as servers, servers.last_time as servers_time,
    players.last_value as players, players.last_time as players_time,
    before.software_id as software_before, before.servers_time as time_before,
    before.change as change_before, before.days as days_before
  from (select cast(value->>0 as bigint) as id from json_each(?1)) as asked
  join plugin on plugin.id = asked.id
  join owner on owner.id = plugin.owner_id
  left join chart as servers_chart on servers_chart.plugin_id = plugin.id and servers_chart.chart_id = 'servers'
  left join chart_now as servers on servers.chart_uid = servers_chart.uid and servers.last_value is not null
  left join chart as players_chart on players_chart.plugin_id = plugin.id and players_chart.chart_id = 'players'
  left join chart_now as players on players.chart_uid = players_chart.uid and players.last_value is not null
  left join plugin_now as before on before.plugin_id = plugin.id`;

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

  /** Writes the facts after rows of these plugins or of their owners were written, and histories were merged into charts, by uid. */
  async update(pluginIds: Iterable<number>, merged: ReadonlyMap<number, MergedChart>): Promise<void> {
    const charts = new Map<number, ChartFacts>();
    if (merged.size > 0) {
      const known = await this.#sql.all(chartNowSql, keyList(merged.keys()));
      const before = new Map(known.map((row) => [integer(row['chart_uid']), row]));
      for (const [uid, { histories }] of merged) charts.set(uid, mergeFacts(before.get(uid), histories));
      await this.#writeCharts(charts);
    }
    const touched = new Map(Array.from(pluginIds, (id) => [id, Number.POSITIVE_INFINITY]));
    for (const { pluginId, chartId, histories } of merged.values()) {
      const touchedFrom = touched.get(pluginId) ?? Number.POSITIVE_INFINITY;
      if (chartId === 'servers') touched.set(pluginId, Math.min(touchedFrom, spanOf(histories).first));
      else if (chartId === 'players') touched.set(pluginId, touchedFrom);
    }
    await this.#writePlugins(touched);
  }

  /** Writes the facts after chunks of charts were removed, or charts of which these plugins are left. */
  async cut(uids: Iterable<number>, pluginIds: Iterable<number>): Promise<void> {
    const list = [...uids];
    const facts = await readChartFacts(this.#sql, list);
    const gone = list.filter((uid) => !facts.has(uid));
    await this.#sql.all(`delete from chart_now where chart_uid in ${idsIn(1)}`, keyList(gone));
    await this.#writeCharts(facts);
    await this.#writePlugins(new Map(Array.from(pluginIds, (id) => [id, Number.NEGATIVE_INFINITY])));
  }

  /** Removes those of a plugin that is removed. */
  async removePlugin(pluginId: number): Promise<void> {
    await this.#loadNewest();
    const removed = 'delete from plugin_now where plugin_id = ?1 returning software_id';
    for (const row of await this.#sql.all(removed, pluginId)) this.#software.add(integer(row['software_id']));
  }

  /** Writes the facts that depend on many plugins: at the end of the transaction. */
  async end(): Promise<void> {
    if (this.#newestBefore === undefined) return;
    const ids = keyList(this.#software);
    await this.#sql.all(`delete from software_now where software_id in ${idsIn(1)}`, ids);
    await this.#sql.upsert('software_now', await computeSoftware(this.#sql, this.#software));
    const [before, now] = [this.#newestBefore, await readNewestTime(this.#sql)].map(oldBefore) as [
      number,
      number,
    ];
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
      await this.#writePlugins(
        new Map(page.map((row) => [integer(row['plugin_id']), Number.NEGATIVE_INFINITY])),
      );
  }

  async #writeCharts(facts: ReadonlyMap<number, ChartFacts>): Promise<void> {
    await this.#sql.upsert('chart_now', Array.from(facts, chartColumnsOf));
  }

  /** @param touched the first time that was changed in the servers of each. */
  async #writePlugins(touched: ReadonlyMap<number, number>): Promise<void> {
    if (touched.size === 0) return;
    const newest = await this.#loadNewest();
    const written: Columns[] = [];
    for (const row of await this.#sql.all(pluginsSql, keyList(touched.keys()))) {
      for (const name of ['software_id', 'software_before'])
        if (row[name] !== null) this.#software.add(integer(row[name]));
      const touchedFrom = touched.get(integer(row['id'])) ?? Number.NEGATIVE_INFINITY;
      written.push(await pluginColumnsOf(this.#sql, row, { newest, touchedFrom }));
    }
    await this.#sql.upsert('plugin_now', written);
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

/** Computes the rows of `plugin_now` for plugins from `chart_now` and the chunks. */
export async function computePlugins(
  sql: Sql,
  ids: Iterable<number>,
  newest: number,
): Promise<readonly Columns[]> {
  const computed: Columns[] = [];
  for (const row of await sql.all(pluginsSql, keyList(ids)))
    computed.push(await pluginColumnsOf(sql, row, { newest, touchedFrom: Number.NEGATIVE_INFINITY }));
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
  const rows = await sql.all(edgeChunksSql, keyList(uids));
  return new Map(
    rows.map((row) => {
      const chunk = chunkOf(row);
      const { timestamp, value } = lastOf(chunk);
      const first = integer(row['first_time']);
      return [chunk.uid, { first, last: timestamp, value: isOfLine(chunk) ? value : null }];
    }),
  );
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

async function pluginColumnsOf(
  sql: Sql,
  row: Row,
  { newest, touchedFrom }: { readonly newest: number; readonly touchedFrom: number },
): Promise<Columns> {
  // Of both names, a line each.
  const names = `${text(row['name'])}\n${text(row['owner_name'])}`;
  const [folded, lower] = [foldText(names), lowerCase(names)];
  const servers = pointOf(row, 'servers');
  const players = pointOf(row, 'players');
  let [days, change] = ['[]', null as number | null];
  if (servers.time !== null) {
    const start = startOfDays(servers.time, trendDays);
    const before = row['time_before'];
    const isKnown =
      touchedFrom >= start + trendDays * dayMs &&
      before !== null &&
      startOfDays(integer(before), trendDays) === start;
    const means = isKnown ? undefined : await loadDays(sql, integer(row['chart_uid']), servers.time);
    days = means === undefined ? String(row['days_before']) : JSON.stringify(means);
    if (servers.time >= oldBefore(newest))
      change = means === undefined ? numberOrNull(row['change_before']) : changeOf(means);
  }
  return withChecksum('plugin_now', [
    integer(row['id']),
    integer(row['software_id']),
    Number(row['is_global']),
    folded,
    lower === folded ? null : lower,
    servers.value,
    servers.time,
    players.value,
    players.time,
    change,
    days,
  ]);
}

function pointOf(row: Row, chartId: 'servers' | 'players') {
  const time = row[`${chartId}_time`] ?? null;
  return { value: numberOrNull(row[chartId]), time: time === null ? null : integer(time) };
}

function changeOf(means: readonly (number | null)[]): number | null {
  return changeOfHalves(Float64Array.from(means, (mean) => mean ?? Number.NaN)) ?? null;
}

/** Loads the means of the last whole days of a line; null for a day without points. */
async function loadDays(sql: Sql, uid: number, newest: number): Promise<readonly (number | null)[]> {
  const days = new DayMeans(newest, trendDays);
  for (const row of await sql.all(daysSql, uid, startOfDays(newest, trendDays)))
    days.add(pointsOfLine(decodeChunk(chunkOf(row))));
  return Array.from(days.means, (mean) => (Number.isFinite(mean) ? roundMean(mean) : null));
}
