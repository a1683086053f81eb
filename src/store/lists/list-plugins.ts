/**
 * Lists of plugins: read from an index in the right order, or searched for among all plugins that may match.
 */
import { nameKey } from '../../model/names.ts';
import type {
  ListedPlugin,
  PluginKey,
  PluginList,
  PluginListRequest,
  PluginPlace,
} from '../../model/plugin-list.ts';
import { countsOf, listedPluginOf } from '../rows.ts';
import { idsIn, keyList, type Sql } from '../sql.ts';
import { column, integer, statement } from '../statement.ts';
import { pluginColumns, pluginJoins, tables } from '../tables.ts';
import { findBest, type WantedPlugins } from './find-plugins.ts';
import { PluginOrder } from './plugin-order.ts';

const countsSql = statement`
  select ${tables.software.all}, ${tables.softwareNow.ifAny('softwareNow')}
  from software left join software_now on software_now.software_id = software.id`;

const countsOfUrlSql = statement`${countsSql} where software.url = ?1`;

const listedSql = statement`
  select ${pluginColumns}, ${tables.pluginNow.as('pluginNow')}, ${tables.pluginTrend.as('pluginTrend')}
  from plugin ${pluginJoins}
  left join plugin_now on plugin_now.plugin_id = plugin.id
  left join plugin_trend on plugin_trend.plugin_id = plugin.id
  where plugin.id in ${idsIn(1)}`;

type Counts = Pick<PluginList, 'total' | 'globalCount' | 'isNear'>;

/** Reads a list. An unknown software has no plugins. */
export async function readPluginList(sql: Sql, request: PluginListRequest): Promise<PluginList> {
  const { softwareUrl, sort, after, limit } = request;
  const counted =
    softwareUrl === undefined ? await sql.read(countsSql) : await sql.read(countsOfUrlSql, softwareUrl);
  if (softwareUrl !== undefined && counted.length === 0)
    return { total: 0, globalCount: 0, isNear: false, plugins: [], next: undefined };
  const value = sort === 'name' ? nameKey(String(after?.value)) : after?.value;
  const wanted: WantedPlugins = {
    ...{ text: '', find: 'part' },
    ...request,
    softwareId: softwareUrl === undefined ? undefined : counted[0]?.id,
    after: after && { id: after.id, value: value ?? null },
    // One more plugin than shown tells whether another page follows.
    limit: limit + 1,
  };
  const { text, ids, ownerId, isGlobal } = wanted;
  const isIndexed = text === '' && ids === undefined && ownerId === undefined && isGlobal !== true;
  const { keys, ...counts } = isIndexed
    ? await listInOrder(
        sql,
        wanted,
        counted.map(({ softwareNow }) => countsOf(softwareNow)),
      )
    : await findBest(sql, wanted);
  const shown = keys.slice(0, limit).map(({ id }) => id);
  const rows = await sql.read(listedSql, keyList(shown));
  const byId = new Map(rows.map((row) => [row.id, listedPluginOf(row)]));
  const plugins = shown.flatMap((id) => byId.get(id) ?? []);
  const last = keys.length > limit ? plugins.at(-1) : undefined;
  return { ...counts, plugins, next: last && { id: last.id, value: sortedValue(last, sort) } };
}

async function listInOrder(
  sql: Sql,
  { sort, descending, softwareId, isGlobal, after, skip = 0, limit }: WantedPlugins,
  counted: ReadonlyArray<ReturnType<typeof countsOf>>,
): Promise<Counts & { readonly keys: readonly PluginKey[] }> {
  const order = new PluginOrder(sql, {
    sort,
    descending,
    softwareId,
    isGlobal: isGlobal === false ? false : undefined,
  });
  const globalCount = isGlobal === false ? 0 : counted.reduce((sum, one) => sum + one.globalCount, 0);
  const total = counted.reduce((sum, { pluginCount }) => sum + pluginCount, globalCount);
  const counts = { total, globalCount, isNear: false };
  if (skip >= total) return { ...counts, keys: [] };
  return { ...counts, keys: await order.list(skip === 0 ? after : await order.skip(skip), limit) };
}

function sortedValue(plugin: ListedPlugin, sort: PluginListRequest['sort']): PluginKey['value'] {
  if (sort === 'servers' || sort === 'players') return plugin[sort]?.[1] ?? null;
  return sort === '7d' || sort === '28d' ? plugin.changes[sort] : plugin[sort];
}

const pluginSql = statement`
  select ${tables.pluginNow.all}, ${tables.pluginNow.ifAny('global')}
  from plugin_now left join software on software.id = plugin_now.software_id
  left join plugin_now as global on global.plugin_id = software.global_plugin_id
  where plugin_now.plugin_id = ?1`;

/** Counts global plugins. They are few, and `plugin` has an index for them. */
const globalSql = statement`
  select count(*) as ${column('count', integer)}
  from plugin join plugin_now on plugin_now.plugin_id = plugin.id
  where plugin.is_global = true and plugin.software_id = ?1 and plugin_now.servers > ?2`;

/** Counts all plugins by an index alone. To leave out global plugins, it would have to read rows. */
const allSql = statement`
  select count(*) as ${column('count', integer)}
  from (select 1 from plugin_now where software_id = ?1 and servers > ?2 limit ?3) as counted`;

/** A number below every number of servers. */
const leastNumber = -Number.MAX_VALUE;

/**
 * Finds the place of a plugin; undefined for a global plugin, and for a plugin without servers. No count
 * exceeds `maxCount + 1`.
 */
export async function findPlace(
  sql: Sql,
  pluginId: number,
  maxCount: number,
): Promise<PluginPlace | undefined> {
  const [row] = await sql.read(pluginSql, pluginId);
  if (row === undefined || row.isGlobal || row.servers === null) return undefined;
  const { softwareId, servers, global } = row;
  const countAbove = async (least: number) => {
    const [globals] = await sql.read(globalSql, softwareId, least);
    const globalCount = globals?.count ?? 0;
    const [all] = await sql.read(allSql, softwareId, least, maxCount + 1 + globalCount);
    return (all?.count ?? 0) - globalCount;
  };
  return {
    servers,
    globalServers: global?.servers ?? null,
    aheadCount: await countAbove(servers),
    knownCount: await countAbove(leastNumber),
  };
}
