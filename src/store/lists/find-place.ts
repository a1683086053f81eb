/** The place of a plugin by its number of servers within its software. */
import type { PluginPlace } from '../../model/plugin-list.ts';
import type { Sql } from '../sql.ts';
import { column, integer, statement } from '../statement.ts';
import { tables } from '../tables.ts';

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
