/** Computes the contribution of a server to the default charts, from the members of its report. */
import { typeWith } from '../model/chart-types.ts';
import type { ReportFields } from './report.ts';
import type { ReportedShare, ReportedValue } from './reported-value.ts';
import { parseCount, shareInGroup, shareNamed } from './reported-value.ts';

/** A server in a report. */
export interface ReportingServer {
  /** The software in its report. */
  readonly softwareUrl: string;
  readonly fields: ReportFields;
  /** The version of the plugin; undefined for a global plugin, or if it is missing. */
  readonly pluginVersion: unknown;
  /** The country of its address, if it is known. */
  readonly country: CountryName | undefined;
  /**
   * The number of its players, clamped as the line of players is; undefined for a value that does not count.
   */
  readonly players: number | undefined;
}

/** A country. */
export interface CountryName {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /** In English. */
  readonly name: string;
}

/** A chart that is computed from the members of a report. */
export interface DefaultChart {
  readonly type: string;
  /** Empty for a line, whose title depends on its plugin. */
  readonly title: string;
  /** The member of a report that must be a whole number if it is given. */
  readonly countMember?: string;
  /**
   * Computes the contribution of a server; undefined if its report lacks the member, or has a value of a
   * wrong kind.
   */
  readonly compute: (server: ReportingServer) => ReportedValue | undefined;
}

const pieType = typeWith('pie', 'name');
const mapType = typeWith('map', 'name');

const lineType = typeWith('line', 'number');

/** A line that adds up a member of reports. */
const sumOf = (countMember: string): DefaultChart => ({
  type: lineType,
  title: '',
  countMember,
  compute: ({ fields }) => parseCount(fields[countMember]),
});

const pie = (
  title: string,
  nameOf: (fields: ReportFields, server: ReportingServer) => unknown,
  type: string = pieType,
): DefaultChart => ({
  type,
  title,
  compute: (server) => shareNamed(type, nameOf(server.fields, server)),
});

const drilldown = (
  title: string,
  compute: (fields: ReportFields) => ReportedValue | undefined,
): DefaultChart => ({
  type: typeWith('drilldown', 'groups'),
  title,
  compute: ({ fields }) => compute(fields),
});

/** A drilldown pie of versions, in groups. */
const versions = (title: string, member: string, outerOf: (version: string) => string): DefaultChart =>
  drilldown(title, (fields) => {
    const version = withoutDot(textOf(fields[member]));
    return version === 'null' ? shareInGroup(unknown, unknown) : shareInGroup(outerOf(version), version);
  });

/**
 * A pie that adds up the players of servers by the name that another chart counts servers by. A server
 * without players has no name in it.
 */
const playersBy = (what: string, { compute }: DefaultChart): DefaultChart => ({
  type: typeWith('pie', 'counts'),
  title: `Players by ${what}`,
  compute(server) {
    const { players } = server;
    const named = compute(server);
    if (players === undefined || !Array.isArray(named)) return undefined;
    return players === 0 ? [] : named.map(([key]: ReportedShare): ReportedShare => [key, players]);
  },
});

/** The name of an unknown value. */
const unknown = 'Unknown';

const byMinecraftVersion = pie('Minecraft Version', minecraftVersion);
const byServerSoftware = pie('Server Software', softwareName);
const byPluginVersion = pie('Plugin Version', (_, { pluginVersion }) => pluginVersion);

/** The default charts by their ids. */
export const defaultCharts = {
  servers: { type: lineType, title: '', compute: () => 1 },
  players: sumOf('playerAmount'),
  managed_servers: sumOf('managedServers'),
  onlineMode: pie('Online mode', onlineModeName),
  minecraftVersion: byMinecraftVersion,
  serverSoftware: byServerSoftware,
  bungeecordVersion: pie('Bungeecord Version', ({ bungeecordVersion }) => {
    const text = textOf(bungeecordVersion);
    return text.split(':')[2] ?? text;
  }),
  velocityVersion: pie('Velocity Version', ({ velocityVersionVersion }) => velocityVersionVersion),
  pocketmineVersion: pie('PocketMine Version', ({ pocketmineVersion }) => pocketmineVersion),
  authMode: pie('Auth mode', ({ authMode }) => titleCase(textOf(authMode))),
  hytaleVersion: versions(
    'Hytale Version',
    'hytaleVersion',
    (version) => /^\d{4}\.\d{2}/.exec(version)?.[0] ?? 'Other',
  ),
  pluginVersion: byPluginVersion,
  coreCount: pie('Core count', ({ coreCount }) => coreCount),
  osArch: pie('System arch', ({ osArch }) => osArch),
  os: drilldown('Operating System', operatingSystem),
  location: pie('Server Location', (_, { country }) => country?.name),
  javaVersion: versions('Java Version', 'javaVersion', (version) => `Java ${javaRelease(version)}`),
  phpVersion: versions('PHP Version', 'phpVersion', (version) => `PHP ${version.split('.')[0]}`),
  locationMap: pie('Server Location', (_, { country }) => country?.code, mapType),
  playersByMinecraftVersion: playersBy('Minecraft version', byMinecraftVersion),
  playersByPluginVersion: playersBy('plugin version', byPluginVersion),
  playersByServerSoftware: playersBy('server software', byServerSoftware),
} satisfies Readonly<Record<string, DefaultChart>>;

/** The id of a default chart. */
export type DefaultChartId = keyof typeof defaultCharts;

/** Finds a default chart; undefined for another id. */
export function findDefaultChart(chartId: string): DefaultChart | undefined {
  return Object.hasOwn(defaultCharts, chartId) ? defaultCharts[chartId as DefaultChartId] : undefined;
}

/** The text of a member; empty for anything else, so that nothing is counted. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function onlineModeName({ onlineMode: value }: ReportFields): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isOnline = typeof value === 'string' ? !['', '0', 'false'].includes(value) : Boolean(value);
  return isOnline ? 'online' : 'offline';
}

/** Bukkit servers include it in their version, others have a separate member. */
function minecraftVersion(
  { minecraftVersion, bukkitVersion }: ReportFields,
  { softwareUrl }: ReportingServer,
): unknown {
  if (softwareUrl !== 'bukkit')
    return typeof minecraftVersion === 'string' ? withoutDot(minecraftVersion) : minecraftVersion;
  const text = textOf(bukkitVersion);
  // A version other than a release may have several words: `1.14 Pre-Release 5`.
  const [, inBrackets, first = text] = /MC: (?:([^()]+)\)|(\S+))/.exec(text) ?? [];
  return withoutDot((inBrackets ?? first).trim());
}

function withoutDot(version: string): string {
  return version.replace(/\.+$/, '');
}

function softwareName({ bukkitVersion, bukkitName }: ReportFields): string | undefined {
  const version = textOf(bukkitVersion);
  return version.includes('MC:') ? serverSoftwareName(version, textOf(bukkitName)) : undefined;
}

const windows = ['Windows Server', 'Windows NT', 'Windows'] as const;
const macOs = 'Mac OS X';

function operatingSystem({
  osName: name,
  osVersion: version,
}: ReportFields): readonly ReportedShare[] | undefined {
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  if (name.startsWith('Linux')) return shareInGroup('Linux', version);
  const windowsKind = windows.find((kind) => name.startsWith(kind));
  if (windowsKind !== undefined) return shareInGroup(windowsKind, name);
  if (name.startsWith(macOs)) return shareInGroup(macOs, `${macOs} ${version}`);
  if (name.includes('BSD')) return shareInGroup('BSD', `${name} ${version}`);
  return shareInGroup('Other', `${name} (${version})`);
}

/** Finds the release in a version: 8 in `1.8.0_492` and in `Java 8`, 21 in `21.0.11` and in `21-ea`. */
function javaRelease(text: string): string | undefined {
  const version = text.replace(/^java /i, '');
  return version.startsWith('1.') ? version.split('.')[1] : version.split(/[.-]/)[0];
}

function titleCase(text: string): string {
  return text.toLowerCase().replaceAll(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
}

/**
 * Names to show, each after the text that identifies it in versions if that differs. The first one that a
 * version contains counts.
 */
const names =
  'Bukkit taco:TacoSpigot Paper Folia Canvas Spigot CatServer Lava Mohist Tuinity Purpur Airplane Yatopia Arclight Magma Titanium Scissors Gale ' +
  'Glowstone Pufferfish Leaves Leaf UniverseSpigot AdvancedSlimePaper Carbon Ketting AxolotlSpigot axolotl:AxolotlSpigot Plazma SlimeWorldManager ' +
  'DivineMC DeepslateMC';

/** Texts in versions, in lower case, with the names. */
const knownSoftware = names.split(' ').map((entry) => {
  const [key = '', name = key] = entry.split(':');
  return [key.toLowerCase(), name] as const;
});

/** Tells if servers of this name, in lower case, run plugins of Bukkit. */
export function isBukkitServer(name: string): boolean {
  return name === 'craftbukkit' || knownSoftware.some(([, shown]) => shown.toLowerCase() === name);
}

/**
 * Finds the software of a server in the version and the name that it reports; `Unknown` for any other. The
 * name counts only if it is the whole key.
 */
function serverSoftwareName(version: string, name: string): string {
  const lowerVersion = version.toLowerCase();
  const lowerName = name.toLowerCase();
  const found =
    knownSoftware.find(([key]) => lowerVersion.includes(key)) ??
    knownSoftware.find(([key]) => key === lowerName);
  return found?.[1] ?? unknown;
}
