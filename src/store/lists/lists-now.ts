/** Software and owners with their latest numbers, and plugins and owners found by name. */

import type { PluginSummary } from '../../model/catalogue.ts';
import { foldText, isSameName, nameKey } from '../../model/names.ts';
import type { ListedSoftware, OwnerNow } from '../../model/plugin-list.ts';
import { pluginSummaryOf, softwareNowOf } from '../rows.ts';
import { keysetPages, type PagedStatement, paged, type Sql, smallestKey } from '../sql.ts';
import { column, integer, number, orNull, statement, text, type Value } from '../statement.ts';
import { pluginColumns, pluginJoins, tables } from '../tables.ts';

const softwareNowSql = statement`
  select ${tables.software.all}, ${tables.plugin.ifAny('plugin')}, ${tables.softwareNow.ifAny('softwareNow')},
    ${tables.pluginNow.ifAny('pluginNow')}, ${tables.pluginTrend.ifAny('pluginTrend')}
  from software
  left join software_now on software_now.software_id = software.id
  left join plugin on plugin.id = software.global_plugin_id
  left join plugin_now on plugin_now.plugin_id = plugin.id
  left join plugin_trend on plugin_trend.plugin_id = plugin.id
  order by software.id`;

const ownerNowSql = statement`
  select ${tables.owner.all}, count(plugin.id) as ${column('pluginCount', integer)},
    sum(servers) as ${column('servers', orNull(number))}, sum(players) as ${column('players', orNull(number))},
    max(servers_time) as ${column('serversTime', orNull(integer))},
    max(players_time) as ${column('playersTime', orNull(integer))}
  from owner
  left join plugin on plugin.owner_id = owner.id and not plugin.is_global
  left join plugin_now on plugin_now.plugin_id = plugin.id
  where owner.id = ?1
  group by owner.id`;

const namedAtOnce = 256;

const namedPluginsSql = paged(
  statement`select ${pluginColumns}
  from software join plugin on plugin.software_id = software.id left join owner on owner.id = plugin.owner_id
  where plugin.id > ?1 and software.url = ?2 and plugin.name_key = ?3
  order by plugin.id`,
  namedAtOnce,
);

const oncePluginsSql = paged(
  statement`select ${pluginColumns}, old_name.name as ${column('oldName', text)}
  from old_name join plugin on plugin.id = old_name.plugin_id ${pluginJoins}
  where old_name.plugin_id > ?1 and software.url = ?2 and old_name.name_key = ?3
  order by old_name.plugin_id`,
  namedAtOnce,
);

const namedOwnersSql = paged(
  statement`
  select ${tables.owner.pick('id', 'name')} from owner
  where id > ?1 and name_key = ?2 order by id`,
  namedAtOnce,
);

const namesakesSql = paged(
  statement`select ${pluginColumns} from plugin ${pluginJoins}
  where plugin.id > ?1 and plugin.owner_id = ?2 and plugin.name_key = ?3
  order by plugin.id`,
  namedAtOnce,
);

/** Lists all software by ascending id. */
export async function listSoftwareNow(sql: Sql): Promise<readonly ListedSoftware[]> {
  return (await sql.read(softwareNowSql)).map(softwareNowOf);
}

/** Adds up the numbers of an owner's plugins; undefined for an unknown owner. */
export async function loadOwnerNow(sql: Sql, ownerId: number): Promise<OwnerNow | undefined> {
  const [row] = await sql.read(ownerNowSql, ownerId);
  if (row === undefined) return undefined;
  const { name, pluginCount, servers, players } = row;
  const times = [row.serversTime, row.playersTime].filter((time) => time !== null);
  return {
    name,
    pluginCount,
    servers,
    players,
    newestTime: times.length === 0 ? null : Math.max(...times),
  };
}

/** Finds a plugin by its current name, or else by an old name. */
export async function findPluginNamed(
  sql: Sql,
  softwareUrl: string,
  name: string,
): Promise<PluginSummary | undefined> {
  const row =
    (await findNamed(sql, namedPluginsSql, name, softwareUrl)) ??
    (await findNamed(sql, oncePluginsSql, name, softwareUrl));
  return row && pluginSummaryOf(row);
}

/** Finds an owner by name. */
export async function findOwnerNamed(sql: Sql, name: string): Promise<number | undefined> {
  return (await findNamed(sql, namedOwnersSql, name))?.id;
}

/** Lists the plugins of the same owner that have the same name on other software. */
export async function listNamesakes(
  sql: Sql,
  plugin: PluginSummary,
  maxCount: number,
): Promise<readonly PluginSummary[]> {
  const found: PluginSummary[] = [];
  if (plugin.isGlobal) return found;
  const start = { id: smallestKey };
  for await (const page of keysetPages(sql, namesakesSql, start, plugin.owner.id, nameKey(plugin.name)))
    for (const other of page.map(pluginSummaryOf)) {
      const isNamesake = !other.isGlobal && other.software.id !== plugin.software.id;
      if (isNamesake && foldText(other.name) === foldText(plugin.name)) found.push(other);
      if (found.length === maxCount) return found;
    }
  return found;
}

/**
 * Finds the row with the lowest id that has a name, ignoring case; or else that has it with spaces, for which
 * some clients write plus signs.
 */
async function findNamed<R extends { readonly id: number; readonly name: string; readonly oldName?: string }>(
  sql: Sql,
  pages: PagedStatement<R>,
  name: string,
  ...values: readonly Value[]
): Promise<R | undefined> {
  // Stored texts never contain NUL, and PostgreSQL rejects a NUL in a value.
  if ([name, ...values].join().includes('\0')) return undefined;
  const start = { id: smallestKey } as { readonly [Name in keyof R]?: Value };
  for (const one of new Set([name, name.replaceAll('+', ' ')]))
    for await (const page of keysetPages(sql, pages, start, ...values, nameKey(one))) {
      const found = page.find((row) => isSameName(row.oldName ?? row.name, one));
      if (found !== undefined) return found;
    }
  return undefined;
}
