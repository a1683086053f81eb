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

const common = { maxPlayers: 200, serversWord: 'Servers', globalServersWord: 'Servers' } as const;
const proxy = { maxPlayers: 800, globalServersWord: 'Proxy Servers' } as const;
const machine = ['coreCount', 'osArch', 'os', 'location'] as const;
const withJava = [...machine, 'javaVersion', 'locationMap'] as const;
const withPhp = [...machine, 'phpVersion', 'locationMap'] as const;

/**
 * The charts of the first four and of `other`, with their order and titles, are those of bstats.org. Of the rest only the members of a
 * report are known: their charts are made by the same rules, and are this program's own.
 */
const knownSoftware: ReadonlyMap<string, KnownSoftware> = new Map<string, KnownSoftware>([
  [
    'bukkit',
    {
      ...common,
      name: 'Bukkit / Spigot',
      charts: [
        ...(['servers', 'players', 'onlineMode', 'minecraftVersion', 'serverSoftware'] as const),
        ...(['pluginVersion', ...withJava] as const),
      ],
      globalCharts: ['servers', 'players', 'onlineMode', 'minecraftVersion', 'serverSoftware', ...withJava],
    },
  ],
  [
    'bungeecord',
    {
      ...common,
      ...proxy,
      name: 'Bungeecord',
      serversWord: 'Bungeecord Servers',
      charts: [
        ...(['servers', 'players', 'managed_servers', 'onlineMode', 'bungeecordVersion'] as const),
        ...(['pluginVersion', ...withJava] as const),
      ],
      globalCharts: [
        ...(['servers', 'managed_servers', 'players', 'onlineMode', 'bungeecordVersion'] as const),
        ...withJava,
      ],
    },
  ],
  [
    'sponge',
    {
      ...common,
      name: 'Sponge',
      charts: ['servers', 'players', 'onlineMode', 'minecraftVersion', 'pluginVersion', ...withJava],
      globalCharts: ['servers', 'players', 'onlineMode', 'minecraftVersion', ...withJava],
    },
  ],
  [
    'server-implementation',
    { ...common, name: 'Server Implementation', charts: ['servers', ...machine, 'locationMap'] },
  ],
  ['other', { ...common, name: 'Other', charts: [] }],
  [
    'velocity',
    {
      ...common,
      ...proxy,
      name: 'Velocity',
      charts: [
        ...(['servers', 'players', 'managed_servers', 'onlineMode', 'velocityVersion'] as const),
        ...(['pluginVersion', ...withJava] as const),
      ],
      globalCharts: [
        ...(['servers', 'managed_servers', 'players', 'onlineMode', 'velocityVersion'] as const),
        ...withJava,
      ],
    },
  ],
  [
    'hytale',
    {
      ...common,
      name: 'Hytale',
      charts: ['servers', 'players', 'authMode', 'hytaleVersion', 'pluginVersion', ...withJava],
      globalCharts: ['servers', 'players', 'authMode', 'hytaleVersion', ...withJava],
    },
  ],
  [
    'pocketmine',
    {
      ...common,
      name: 'PocketMine',
      charts: ['servers', 'players', 'onlineMode', 'pocketmineVersion', 'pluginVersion', ...withPhp],
      globalCharts: ['servers', 'players', 'onlineMode', 'pocketmineVersion', ...withPhp],
    },
  ],
]);
