/** Computes what a server adds to the default charts, from the members of its report. The ids of the charts are those of `default-charts.ts`. */
import { typeWith } from '../model/chart-types.ts';
import type { ReportFields } from './report.ts';
import type { ReportedShare, ReportedValue } from './reported-value.ts';
import { parseNumber, shareInGroup, shareNamed } from './reported-value.ts';
import { serverSoftwareName } from './server-software.ts';

/** A server in a report. */
export interface ReportingServer {
  /** The software that it reports as. */
  readonly softwareUrl: string;
  readonly fields: ReportFields;
  /** The version of the plugin; undefined for a global plugin, and where it is missing. */
  readonly pluginVersion: unknown;
  /** The country of its address, if it is known. */
  readonly country: Country | undefined;
}

/** A country. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  /** In English. */
  readonly name: string;
}

type Rule = (server: ReportingServer) => ReportedValue | undefined;

/** The chart types of the default charts. */
const defaultTypes = {
  line: typeWith('line', 'number'),
  pie: typeWith('pie', 'name'),
  drilldown: typeWith('drilldown', 'groups'),
  map: typeWith('map', 'name'),
} as const;

/** A kind of default charts. */
type DefaultKind = keyof typeof defaultTypes;

/** The kind of a default chart, its title, and the rule of its values. A rule whose member is missing gives undefined. */
interface DefaultValue {
  readonly kind: DefaultKind;
  /** Empty for a line, whose title depends on its plugin. */
  readonly title: string;
  readonly compute: Rule;
}

const line = (compute: (fields: ReportFields) => unknown): DefaultValue => ({
  kind: 'line',
  title: '',
  compute: ({ fields }) => parseNumber(compute(fields)),
});

const pie = (title: string, nameOf: (server: ReportingServer) => unknown): DefaultValue => ({
  kind: 'pie',
  title,
  compute: (server) => shareNamed(defaultTypes.pie, nameOf(server)),
});

/** A pie of a member that must be a text. */
const textPie = (
  title: string,
  member: string,
  nameOf: (text: string, fields: ReportFields) => unknown,
): DefaultValue => pie(title, ({ fields }) => ifText(fields[member], (text) => nameOf(text, fields)));

/** A drilldown pie of a member that must be a text. */
const versions = (title: string, member: string, outerOf: (version: string) => string): DefaultValue => ({
  kind: 'drilldown',
  title,
  compute: ({ fields }) => ifText(fields[member], (version) => shareInGroup(outerOf(version), version)),
});

const values = {
  servers: line(() => 1),
  players: line(({ playerAmount }) => playerAmount),
  managed_servers: line(({ managedServers }) => managedServers),
  onlineMode: pie('Online mode', ({ fields }) => onlineModeName(fields['onlineMode'])),
  minecraftVersion: pie('Minecraft Version', minecraftVersion),
  serverSoftware: textPie('Server Software', 'bukkitVersion', softwareName),
  bungeecordVersion: textPie('Bungeecord Version', 'bungeecordVersion', (text) => text.split(':')[2] ?? text),
  velocityVersion: pie('Velocity Version', ({ fields }) => fields['velocityVersionVersion']),
  pocketmineVersion: pie('PocketMine Version', ({ fields }) => fields['pocketmineVersion']),
  authMode: textPie('Auth mode', 'authMode', titleCase),
  hytaleVersion: versions(
    'Hytale Version',
    'hytaleVersion',
    (version) => /^\d{4}\.\d{2}/.exec(version)?.[0] ?? 'Other',
  ),
  pluginVersion: pie('Plugin Version', ({ pluginVersion }) => pluginVersion),
  coreCount: pie('Core count', ({ fields }) => fields['coreCount']),
  osArch: pie('System arch', ({ fields }) => fields['osArch']),
  os: { kind: 'drilldown', title: 'Operating System', compute: ({ fields }) => operatingSystem(fields) },
  location: pie('Server Location', ({ country }) => country?.name),
  javaVersion: versions('Java Version', 'javaVersion', (version) => `Java ${javaRelease(version)}`),
  phpVersion: versions('PHP Version', 'phpVersion', (version) => `PHP ${version.split('.')[0]}`),
  locationMap: {
    kind: 'map',
    title: 'Server Location',
    compute: ({ country }) => shareNamed(defaultTypes.map, country?.code),
  },
} satisfies Readonly<Record<string, DefaultValue>>;

/** The id of a default chart. */
export type DefaultChartId = keyof typeof values;

/** The ids of all default charts. */
export const defaultChartIds = Object.keys(values) as readonly DefaultChartId[];

/** True for an id that a default chart has. */
export function isDefaultChartId(chartId: string): chartId is DefaultChartId {
  return Object.hasOwn(values, chartId);
}

/** The type of a default chart. */
export function defaultTypeOf(chartId: DefaultChartId): string {
  return defaultTypes[values[chartId].kind];
}

/** The title of a default chart that is no line. */
export function defaultTitleOf(chartId: DefaultChartId): string {
  return values[chartId].title;
}

/** Computes what a server adds to a default chart; undefined where its report lacks the member for it. */
export function defaultValueOf(chartId: DefaultChartId, server: ReportingServer): ReportedValue | undefined {
  return values[chartId].compute(server);
}

function ifText<Result>(value: unknown, work: (text: string) => Result): Result | undefined {
  return typeof value === 'string' ? work(value) : undefined;
}

function onlineModeName(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const isOnline = typeof value === 'string' ? !['', '0', 'false'].includes(value) : Boolean(value);
  return isOnline ? 'online' : 'offline';
}

/** Bukkit servers have it in their version, others in a member of its own. */
function minecraftVersion({ softwareUrl, fields }: ReportingServer): unknown {
  if (softwareUrl !== 'bukkit') return fields['minecraftVersion'];
  return ifText(fields['bukkitVersion'], (text) => /MC: ([\d\\.]+)/.exec(text)?.[1] ?? text);
}

function softwareName(version: string, { bukkitName }: ReportFields): string | undefined {
  return version.includes('MC:') ? serverSoftwareName(version, bukkitName) : undefined;
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

/** Finds the release in a version: 8 in `1.8.0_492`, 21 in `21.0.11` and in `21-ea`. */
function javaRelease(version: string): string | undefined {
  return version.startsWith('1.') ? version.split('.')[1] : version.split(/[.-]/)[0];
}

function titleCase(text: string): string {
  return text.toLowerCase().replaceAll(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase());
}
