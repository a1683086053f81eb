/** The software and the owners of a store with their latest numbers, and plugins and owners by their name. */
import { isSameName, nameKey } from '../../model/names.ts';
import type { PluginSummary } from '../../model/plugin.ts';
import type { OwnerNow, SoftwareNow } from '../../model/plugin-list.ts';
import { selecting, whole, wholeIfAny } from '../intact-row.ts';
import { integer, numberOrNull, pluginSummaryOf, type Row, softwareNowOf, text } from '../rows.ts';
import { keysetPages, type PagedSql, paged, type Sql, smallestKey, type Value } from '../sql.ts';

const softwareNowSql = selecting`
  select ${whole('software')}, ${wholeIfAny('plugin', 'plugin_')}, ${wholeIfAny('software_now', 'now_')},
    ${wholeIfAny('plugin_now', 'latest_')}
  from software
  left join software_now on software_now.software_id = software.id
  left join plugin on plugin.id = software.global_plugin_id
  left join plugin_now on plugin_now.plugin_id = plugin.id
  order by software.id`;

const ownerNowSql = selecting`
  select ${whole('owner')}, count(plugin.id) as plugin_count, sum(servers) as servers, sum(players) as players,
    max(servers_time) as servers_time, max(players_time) as players_time
  from owner
  left join plugin on plugin.owner_id = owner.id and not plugin.is_global
  left join plugin_now on plugin_now.plugin_id = plugin.id
  where owner.id = ?1
  group by owner.id`;

const pluginColumns = selecting`${whole('plugin')}, ${whole('owner', 'owner_')}, ${whole('software', 'software_')}`;

const namedAtOnce = 256;

const namedPluginsSql = paged(
  selecting`select ${pluginColumns}, plugin.name as found_name
  from software join plugin on plugin.software_id = software.id left join owner on owner.id = plugin.owner_id
  where plugin.id > ?1 and software.url = ?2 and plugin.name_key = ?3
  order by plugin.id`,
  namedAtOnce,
);

const oncePluginsSql = paged(
  selecting`select ${pluginColumns}, old_name.name as found_name
  from old_name join plugin on plugin.id = old_name.plugin_id
  left join owner on owner.id = plugin.owner_id left join software on software.id = plugin.software_id
  where old_name.plugin_id > ?1 and software.url = ?2 and old_name.name_key = ?3
  order by old_name.plugin_id`,
  namedAtOnce,
);

const namedOwnersSql = paged(
  'select id, name as found_name from owner where id > ?1 and name_key = ?2 order by id',
  namedAtOnce,
);

const namesakesSql = paged(
  selecting`select ${pluginColumns}, plugin.name as found_name
  from plugin left join owner on owner.id = plugin.owner_id left join software on software.id = plugin.software_id
  where plugin.id > ?1 and plugin.owner_id = ?2 and plugin.name_key = ?3
  order by plugin.id`,
  namedAtOnce,
);

/** Lists all software by ascending id. */
export async function listSoftwareNow(sql: Sql): Promise<readonly SoftwareNow[]> {
  return (await sql.all(softwareNowSql)).map(softwareNowOf);
}

/** Adds up the plugins of an owner; undefined for an unknown one. */
export async function loadOwnerNow(sql: Sql, ownerId: number): Promise<OwnerNow | undefined> {
  const [row] = await sql.all(ownerNowSql, ownerId);
  if (row === undefined) return undefined;
  const times = [row['servers_time'], row['players_time']].flatMap((time) =>
    time === null ? [] : integer(time),
  );
  return {
    name: text(row['name']),
    pluginCount: Number(row['plugin_count']),
    servers: numberOrNull(row['servers']),
    players: numberOrNull(row['players']),
    newestTime: times.length === 0 ? null : Math.max(...times),
  };
}

/** Finds a plugin by the name that it has, or else by one that it had. */
export async function findPluginNamed(
  sql: Sql,
  softwareUrl: string,
  name: string,
): Promise<PluginSummary | undefined> {
  for (const pages of [namedPluginsSql, oncePluginsSql])
    for (const one of spellings(name)) {
      const row = await findNamed(sql, pages, one, softwareUrl);
      if (row !== undefined) return pluginSummaryOf(row);
    }
  return undefined;
}

/** Finds an owner by name. */
export async function findOwnerNamed(sql: Sql, name: string): Promise<number | undefined> {
  for (const one of spellings(name)) {
    const row = await findNamed(sql, namedOwnersSql, one);
    if (row !== undefined) return integer(row['id']);
  }
  return undefined;
}

/** Lists plugins of one owner with one name on other software. */
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
      if (isNamesake && isSameName(other.name, plugin.name)) found.push(other);
      if (found.length === maxCount) return found;
    }
  return found;
}

/** The names that an address may mean: some write a plus sign for a space. */
function spellings(name: string): ReadonlySet<string> {
  return new Set([name, name.replaceAll('+', ' ')]);
}

/** Finds the row with a name, ignoring case, and the lowest id. */
async function findNamed(
  sql: Sql,
  pages: PagedSql,
  name: string,
  ...values: readonly Value[]
): Promise<Row | undefined> {
  // No text in a store has a NUL, and PostgreSQL refuses one.
  if ([name, ...values].join().includes('\0')) return undefined;
  for await (const page of keysetPages(sql, pages, { id: smallestKey }, ...values, nameKey(name))) {
    const found = page.find((row) => isSameName(text(row['found_name']), name));
    if (found !== undefined) return found;
  }
  return undefined;
}
