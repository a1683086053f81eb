/** The charts that a plugin has from the start, by its software: their titles and settings. */
import { formOf } from '../model/chart-types.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import { type DefaultChartId, defaultCharts, isBukkitServer } from './default-values.ts';

/** A software that this program knows. */
interface KnownSoftware {
  readonly name: string;
  /** The default charts of a plugin, in their order. */
  readonly charts: readonly DefaultChartId[];
  /** The charts of the global plugin, which counts each server once; left out for a software without one. */
  readonly globalCharts?: readonly DefaultChartId[];
  /** The most players counted for one server; by default 200. */
  readonly maxPlayers?: number;
  /** The word for its servers in the title of a chart; by default `Servers`. */
  readonly serversWord?: string;
  /** The same for the global plugin. */
  readonly globalServersWord?: string;
}

const machine = ['coreCount', 'osArch', 'os', 'location'] as const;
const withJava = [...machine, 'javaVersion', 'locationMap'] as const;
const withPhp = [...machine, 'phpVersion', 'locationMap'] as const;

/** A software for servers. @param own the charts between the chart of players and that of plugin versions. */
function server(
  name: string,
  own: readonly DefaultChartId[] = [],
  last: readonly DefaultChartId[] = withJava,
): KnownSoftware {
  return {
    name,
    charts: ['servers', 'players', ...own, 'pluginVersion', ...last],
    globalCharts: ['servers', 'players', ...own, ...last],
  };
}

/** A software for proxies, which have servers behind them. */
function proxy(name: string, own: readonly DefaultChartId[]): KnownSoftware {
  return {
    ...server(name, ['managed_servers', ...own]),
    globalCharts: ['servers', 'managed_servers', 'players', ...own, ...withJava],
    maxPlayers: 800,
    globalServersWord: 'Proxy Servers',
  };
}

/**
 * The software that this program knows, by url. The charts of the first four and of `other`, with their order
 * and titles, are those of bstats.org. For the rest, only the members of a report are known: their charts
 * follow the same rules, and are this program's own. Fabric and those after it have no format of their own,
 * so they have the charts of the members that all reports share.
 */
export const knownSoftware: ReadonlyMap<string, KnownSoftware> = new Map<string, KnownSoftware>([
  ['bukkit', server('Bukkit / Spigot', ['onlineMode', 'minecraftVersion', 'serverSoftware'])],
  [
    'bungeecord',
    { ...proxy('Bungeecord', ['onlineMode', 'bungeecordVersion']), serversWord: 'Bungeecord Servers' },
  ],
  ['sponge', server('Sponge', ['onlineMode', 'minecraftVersion'])],
  [
    'server-implementation',
    { name: 'Server Implementation', charts: ['servers', ...machine, 'locationMap'] },
  ],
  ['other', { name: 'Other', charts: [] }],
  ['velocity', proxy('Velocity', ['onlineMode', 'velocityVersion'])],
  ['hytale', server('Hytale', ['authMode', 'hytaleVersion'])],
  ['pocketmine', server('PocketMine', ['onlineMode', 'pocketmineVersion'], withPhp)],
  ...['Fabric', 'NeoForge', 'Forge', 'Nukkit', 'Minestom'].map(
    (name) => [name.toLowerCase(), server(name)] as const,
  ),
]);

/** An unknown software: its plugins have the charts that every report fills. */
const ownSoftware: KnownSoftware = {
  name: 'its',
  charts: ['servers', 'players'],
  globalCharts: ['servers', 'players'],
};

const proxies = ['waterfall', 'travertine', 'flamecord', 'bungee'];

/** Finds the known software whose plugins run on a server of this name: bukkit for `paper`. */
export function softwareRunning(serverName: string): string | undefined {
  const name = serverName.toLowerCase();
  if (proxies.includes(name)) return 'bungeecord';
  return isBukkitServer(name) ? 'bukkit' : undefined;
}

/** A chart to make. */
export interface NewChart {
  readonly chartId: string;
  readonly type: string;
  readonly title: string;
  readonly settings: JsonText;
}

/** The plugin that a chart is made for. */
interface NewPlugin {
  readonly name: string;
  readonly isGlobal: boolean;
  /** The most players counted for one server; by default that of its software. */
  readonly maxPlayers?: number | undefined;
}

/** A line, whose title depends on its plugin. Lines of a global plugin are not clamped. */
interface Line {
  readonly lineName: string;
  readonly title: string;
  readonly globalTitle?: string | undefined;
  readonly maxValue?: number;
}

/** The charts of players, each with the chart of servers that has the same names. */
const chartsOfPlayers = [
  ['playersByMinecraftVersion', 'minecraftVersion'],
  ['playersByPluginVersion', 'pluginVersion'],
  ['playersByServerSoftware', 'serverSoftware'],
] as const satisfies ReadonlyArray<readonly [DefaultChartId, DefaultChartId]>;

/** Makes the charts of players by name, of which a plugin has none from the start. */
export function playerChartsOf(
  softwareUrl: string,
  plugin: Pick<NewPlugin, 'isGlobal'>,
): readonly NewChart[] {
  const chartIds = chartIdsOf(softwareOf(softwareUrl), plugin);
  return chartsOfPlayers
    .filter(([, ofServers]) => chartIds.includes(ofServers))
    .map(([chartId]) => {
      const { type, title } = defaultCharts[chartId];
      return { chartId, type, title, settings: settingsOf(type, {}) };
    });
}

function softwareOf(url: string): KnownSoftware {
  return knownSoftware.get(url) ?? ownSoftware;
}

function chartIdsOf(
  { charts, globalCharts = [] }: KnownSoftware,
  { isGlobal }: Pick<NewPlugin, 'isGlobal'>,
): readonly DefaultChartId[] {
  return isGlobal ? globalCharts : charts;
}

/** Makes the default charts of a plugin, in their order. */
export function defaultChartsOf(softwareUrl: string, plugin: NewPlugin): readonly NewChart[] {
  const software = softwareOf(softwareUrl);
  const lines = linesOf(plugin, software);
  return chartIdsOf(software, plugin).map((chartId) => {
    const { type, title } = defaultCharts[chartId];
    const line = lines[chartId];
    if (line === undefined) {
      const settings = chartId === 'coreCount' ? coreCounts : settingsOf(type, { title: 'Servers' });
      return { chartId, type, title, settings };
    }
    const { lineName, globalTitle = lineName, maxValue } = line;
    return plugin.isGlobal
      ? { chartId, type, title: globalTitle, settings: settingsOf(type, { lineName }) }
      : { chartId, type, title: cutTitle(line.title), settings: settingsOf(type, { lineName, maxValue }) };
  });
}

function linesOf(
  { name, maxPlayers }: NewPlugin,
  software: KnownSoftware,
): Readonly<Partial<Record<DefaultChartId, Line>>> {
  return {
    servers: {
      lineName: 'Servers',
      title: `${software.serversWord ?? 'Servers'} using ${name}`,
      globalTitle: software.globalServersWord,
    },
    players: {
      lineName: 'Players',
      title: `Players on servers using ${name}`,
      maxValue: maxPlayers ?? software.maxPlayers ?? 200,
    },
    managed_servers: {
      lineName: 'Managed Servers',
      title: `Servers managed by ${software.name} servers`,
      maxValue: maxManagedServers,
    },
  };
}

/** The most servers counted for one proxy. */
const maxManagedServers = 25;

const maxTitleLength = 200;

/** The name of a plugin may be as long as a title. */
function cutTitle(title: string): string {
  return [...title].slice(0, maxTitleLength).join('');
}

const json = (value: object): JsonText => trustedJson(JSON.stringify(value));
const noNames = { enabled: false, useRegex: false, blacklist: false, filter: [] as readonly string[] };
/** Numbers of one or two digits. */
const coreCounts = json({
  filter: { ...noNames, enabled: true, useRegex: true, filter: ['([0-9]){1,2}'] },
});

/**
 * Makes the settings of a chart. Charts that an author adds do not clamp or filter. A line with a largest
 * value clamps values to 0 and that value.
 */
export function settingsOf(
  type: string,
  names: {
    readonly title?: string;
    readonly lineName?: string;
    readonly maxValue?: number | undefined;
  },
): JsonText {
  const { title, lineName, maxValue = null } = names;
  const enabled = maxValue !== null;
  switch (formOf(type)) {
    case 'line':
      return json({ lineName, filter: { enabled, maxValue, minValue: enabled ? 0 : null } });
    case 'map':
      return json({ valueName: title, filter: noNames });
    case 'other':
      return json({});
    default:
      return json({ filter: noNames });
  }
}
