/** Computes the facts from the chunks and the other tables. */
import { valuesOf } from '../../model/columns.ts';
import { foldText, lowerCase } from '../../model/names.ts';
import { oldBefore, trendDays } from '../../model/plugin-list.ts';
import { maxTimestamp, startOfDays } from '../../model/window.ts';
import { decodeChunk, lastOf } from '../../series/chunk.ts';
import { LineDays, lastDays } from '../../series/line-days.ts';
import { explainDamage } from '../damaged-chart.ts';
import { idsIn, keyList, keysetPages, paged, type Sql, smallestKey, storedWhere } from '../sql.ts';
import { column, integer, statement } from '../statement.ts';
import type { StoredRow } from '../table.ts';
import { type Row, tables } from '../tables.ts';

const edgeChunksSql = statement`
  select ${tables.chunk.all},
    (select min(first_timestamp) from chunk where chart_uid = asked.id) as ${column('firstTime', integer)}
  from ${idsIn(1)} as asked
  join chunk on chunk.chart_uid = asked.id
    and chunk.first_timestamp = (select max(first_timestamp) from chunk where chart_uid = asked.id)`;

const pluginsSql = statement`
  select ${tables.plugin.all}, ${tables.owner.as('owner')},
    ${tables.chart.ifAny('serversChart')}, ${tables.chartNow.ifAny('servers')},
    ${tables.chart.ifAny('playersChart')}, ${tables.chartNow.ifAny('players')}
  from ${idsIn(1)} as asked
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

/** Selects the plugins of a software by id, each with its stored `plugin_now` row. */
export const membersSql = paged(
  statement`
  select ${tables.plugin.pick('id', 'softwareId', 'isGlobal')}, ${tables.pluginNow.storedIfAny('pluginNow')}
  from plugin left join plugin_now on plugin_now.plugin_id = plugin.id
  where plugin.id > ?1 and plugin.software_id = ?2
  order by plugin.id`,
  1024,
);

const daysSql = statement`
  select ${tables.chunk.all} from chunk
  where chart_uid = ?1 and first_timestamp >= coalesce(
    (select max(first_timestamp) from chunk where chart_uid = ?1 and first_timestamp <= ?2), ?2)
  order by first_timestamp`;

/**
 * Reads the time of the newest number of any plugin, in Unix milliseconds; the smallest possible time if
 * there is none.
 */
export async function readNewestTime(sql: Sql): Promise<number> {
  const intact = intactOf(await storedWhere(sql, tables.softwareNow, 'true'));
  return Math.max(-maxTimestamp, ...intact.map(({ newestTime }) => newestTime ?? -maxTimestamp));
}

/**
 * Computes the `chart_now` rows of charts from their chunks. A chart without chunks has no row. Rejects for a
 * damaged chunk.
 */
export async function computeCharts(
  sql: Sql,
  uids: Iterable<number>,
): Promise<ReadonlyArray<Row<'chartNow'>>> {
  const computed: Row<'chartNow'>[] = [];
  for (const { firstTime, ...chunk } of await sql.read(edgeChunksSql, keyList(uids))) {
    const { chartUid } = chunk;
    const { time, value } = await explainDamage(sql, chartUid, () => lastOf(chunk));
    computed.push({ chartUid, firstTime, lastTime: time, lastValue: value });
  }
  return computed;
}

/** Computes the `plugin_now` rows of plugins from `chart_now`. */
export async function computePlugins(
  sql: Sql,
  ids: Iterable<number>,
): Promise<ReadonlyArray<Row<'pluginNow'>>> {
  return (await sql.read(pluginsSql, keyList(ids))).map((row) => {
    const { id, name, owner, softwareId, isGlobal } = row;
    // Plugin name and owner name, one per line.
    const both = `${name}\n${owner.name}`;
    const [names, lowerNames] = [foldText(both), lowerCase(both)];
    const [servers, serversTime] = latestOf(row.servers);
    const [players, playersTime] = latestOf(row.players);
    return {
      pluginId: id,
      softwareId,
      isGlobal,
      names,
      lowerNames: lowerNames === names ? null : lowerNames,
      servers,
      serversTime,
      players,
      playersTime,
    };
  });
}

/** The latest value of a line and its time; both are null if there is no value. */
function latestOf(line: Row<'chartNow'> | null): readonly [value: number | null, time: number | null] {
  return line === null || line.lastValue === null ? [null, null] : [line.lastValue, line.lastTime];
}

/**
 * Computes the `plugin_trend` rows of plugins from `plugin_now` and the chunks.
 * @param newest the time of the newest number in the store.
 */
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
    const days =
      serversTime === null || chart === null ? undefined : await loadDays(sql, chart.uid, serversTime);
    const isOld = serversTime === null || serversTime < oldBefore(newest);
    const changes = isOld ? undefined : days?.recentChanges;
    computed.push({
      pluginId,
      softwareId,
      isGlobal,
      weekChange: changes?.['7d'] ?? null,
      monthChange: changes?.['28d'] ?? null,
      days: daysText(days?.lastMeans(trendDays) ?? new Float64Array()),
    });
  }
  return computed;
}

/**
 * Computes the `software_now` rows of software from `plugin_now`. Software without plugins has no row.
 * Rejects for a damaged row.
 */
export async function computeSoftware(
  sql: Sql,
  ids: Iterable<number>,
): Promise<ReadonlyArray<Row<'softwareNow'>>> {
  const computed: Row<'softwareNow'>[] = [];
  for (const softwareId of ids) {
    let [pluginCount, globalCount, newest] = [0, 0, -maxTimestamp];
    let servers: number | null = null;
    let players: number | null = null;
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
        servers,
        players,
        newestTime: timeOrNull(newest),
      });
  }
  return computed;
}

function largerOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** The newest time of a software; null for the smallest possible time, which means that there is none. */
export function timeOrNull(time: number): number | null {
  return time === -maxTimestamp ? null : time;
}

/**
 * The `plugin_now` row of a plugin; undefined if the row is missing or damaged, or contradicts the plugin.
 */
export function memberOf({
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
export function timesOf({ serversTime, playersTime }: Row<'pluginNow'>): readonly number[] {
  return [serversTime, playersTime].filter((time) => time !== null);
}

/** Reads the intact rows, and leaves out the damaged ones. */
export function intactOf<R>(rows: ReadonlyArray<StoredRow<R>>): readonly R[] {
  return rows.filter(({ isIntact }) => isIntact).map((row) => row.intact());
}

/** Loads the last whole days of a line. */
async function loadDays(sql: Sql, uid: number, newest: number): Promise<LineDays> {
  const days = new LineDays(newest, lastDays(newest, trendDays));
  for (const row of await sql.read(daysSql, uid, startOfDays(newest, trendDays))) {
    const points = await explainDamage(sql, uid, () => decodeChunk(row));
    days.add(points.times, valuesOf(points));
  }
  return days;
}

/** Renders means from the first known one on, with as many digits as a sparkline can show. */
function daysText(means: Float64Array): string {
  const days = Array.from(means, (mean) => (Number.isFinite(mean) ? Number(mean.toPrecision(4)) : null));
  const first = days.findIndex((mean) => mean !== null);
  return JSON.stringify(first === -1 ? [] : days.slice(first));
}
