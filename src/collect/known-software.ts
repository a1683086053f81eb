/** The software that this program knows, and which default charts its plugins have. */
import type { DefaultChartId } from './default-values.ts';

/** A software that this program knows. */
export interface KnownSoftware {
  readonly name: string;
  /** The default charts of a plugin, in their order. */
  readonly charts: readonly DefaultChartId[];
  /** Those of the global plugin, which counts each server once; left out for a software that has none. */
  readonly globalCharts?: readonly DefaultChartId[];
  /** The most players that one server counts for. */
  readonly maxPlayers: number;
  /** The word for its servers in the title of a chart. */
  readonly serversWord: string;
  /** The same for the global plugin. */
  readonly globalServersWord: string;
}

/** Finds a software by its url; undefined for one that this program does not know. */
export function findKnownSoftware(url: string): KnownSoftware | undefined {
  return knownSoftware.get(url);
}

/** Lists the urls of the software that this program knows. */
export function knownSoftwareUrls(): readonly string[] {
  return [...knownSoftware.keys()];
}

const machine = ['coreCount', 'osArch', 'os', 'location'] as const;
const withJava = [...machine, 'javaVersion', 'locationMap'] as const;
const withPhp = [...machine, 'phpVersion', 'locationMap'] as const;

const common = { maxPlayers: 200, serversWord: 'Servers', globalServersWord: 'Servers' } as const;

/** A software for servers. @param own the charts between that of the players and that of the plugin's version. */
function server(
  name: string,
  own: readonly DefaultChartId[],
  last: readonly DefaultChartId[] = withJava,
): KnownSoftware {
  return {
    ...common,
    name,
    charts: ['servers', 'players', ...own, 'pluginVersion', ...last],
    globalCharts: ['servers', 'players', ...own, ...last],
  };
}

/** A software for proxies, which have other servers behind them. */
function proxy(name: string, own: readonly DefaultChartId[]): KnownSoftware {
  return {
    ...server(name, ['managed_servers', ...own]),
    globalCharts: ['servers', 'managed_servers', 'players', ...own, ...withJava],
    maxPlayers: 800,
    globalServersWord: 'Proxy Servers',
  };
}

/**
 * The charts of the first four and of `other`, with their order and titles, are those of bstats.org. Of the rest only the members of a
 * report are known: their charts are made by the same rules, and are this program's own. Fabric and those after it have no format of their own,
 * so that they have the charts of the members that all reports have in common.
 */
const knownSoftware: ReadonlyMap<string, KnownSoftware> = new Map<string, KnownSoftware>([
  ['bukkit', server('Bukkit / Spigot', ['onlineMode', 'minecraftVersion', 'serverSoftware'])],
  [
    'bungeecord',
    { ...proxy('Bungeecord', ['onlineMode', 'bungeecordVersion']), serversWord: 'Bungeecord Servers' },
  ],
  ['sponge', server('Sponge', ['onlineMode', 'minecraftVersion'])],
  [
    'server-implementation',
    { ...common, name: 'Server Implementation', charts: ['servers', ...machine, 'locationMap'] },
  ],
  ['other', { ...common, name: 'Other', charts: [] }],
  ['velocity', proxy('Velocity', ['onlineMode', 'velocityVersion'])],
  ['hytale', server('Hytale', ['authMode', 'hytaleVersion'])],
  ['pocketmine', server('PocketMine', ['onlineMode', 'pocketmineVersion'], withPhp)],
  ['fabric', server('Fabric', [])],
  ['neoforge', server('NeoForge', [])],
  ['forge', server('Forge', [])],
  ['nukkit', server('Nukkit', [])],
  ['minestom', server('Minestom', [])],
]);
