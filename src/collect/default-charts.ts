/** The charts that a plugin has from the start: their titles and settings. */
import { formOf } from '../model/chart-types.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import { type DefaultChartId, defaultTypeOf } from './default-values.ts';
import { findKnownSoftware, type KnownSoftware } from './known-software.ts';

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
  /** The most players that one server counts for; that of its software when left out. */
  readonly maxPlayers?: number | undefined;
}

/** Makes the default charts of a plugin, in their order; none for a software that this program does not know. */
export function defaultChartsOf(softwareUrl: string, plugin: NewPlugin): readonly NewChart[] {
  const software = findKnownSoftware(softwareUrl);
  if (software === undefined) return [];
  const chartIds = (plugin.isGlobal ? software.globalCharts : software.charts) ?? [];
  return chartIds.map((chartId) => {
    const { title, settings } = looks[chartId](plugin, software);
    return { chartId, type: defaultTypeOf(chartId), title: cutTitle(title), settings };
  });
}

/** Makes the settings of a chart that an author adds: nothing is clamped or left out. */
export function settingsOf(
  type: string,
  names: { readonly title: string; readonly lineName: string },
): JsonText {
  switch (formOf(type)) {
    case 'line':
      return lineSettings(names.lineName);
    case 'map':
      return mapSettings(names.title);
    case 'other':
      return json({});
    default:
      return json({ filter: noNames });
  }
}

/** Renders the settings of a line; `bounds` move values that are out of them to the nearer one. */
function lineSettings(lineName: string, bounds?: readonly [min: number, max: number]): JsonText {
  const [minValue = null, maxValue = null] = bounds ?? [];
  return json({ lineName, filter: { enabled: bounds !== undefined, maxValue, minValue } });
}

function mapSettings(valueName: string): JsonText {
  return json({ valueName, filter: noNames });
}

const maxTitleLength = 200;

/** The name of a plugin may be as long as a title. */
function cutTitle(title: string): string {
  return [...title].slice(0, maxTitleLength).join('');
}

/** The title and the settings of a chart. */
interface Look {
  readonly title: string;
  readonly settings: JsonText;
}

const json = (value: object): JsonText => trustedJson(JSON.stringify(value));
const noNames = { enabled: false, useRegex: false, blacklist: false, filter: [] as readonly string[] };
/** Numbers of one or two digits. */
const coreCounts = { enabled: true, useRegex: true, blacklist: false, filter: ['([0-9]){1,2}'] };

const shares =
  (title: string, filter = noNames) =>
  (): Look => ({ title, settings: json({ filter }) });

const looks: Readonly<Record<DefaultChartId, (plugin: NewPlugin, software: KnownSoftware) => Look>> = {
  servers: ({ name, isGlobal }, { serversWord, globalServersWord }) => ({
    title: isGlobal ? globalServersWord : `${serversWord} using ${name}`,
    settings: lineSettings('Servers'),
  }),
  players: ({ name, isGlobal, maxPlayers }, software) =>
    isGlobal
      ? { title: 'Players', settings: lineSettings('Players') }
      : {
          title: `Players on servers using ${name}`,
          settings: lineSettings('Players', [0, maxPlayers ?? software.maxPlayers]),
        },
  managed_servers: ({ isGlobal }, { name }) =>
    isGlobal
      ? { title: 'Managed Servers', settings: lineSettings('Managed Servers') }
      : {
          title: `Servers managed by ${name} servers`,
          settings: lineSettings('Managed Servers', [0, maxManagedServers]),
        },
  onlineMode: shares('Online mode'),
  minecraftVersion: shares('Minecraft Version'),
  serverSoftware: shares('Server Software'),
  bungeecordVersion: shares('Bungeecord Version'),
  velocityVersion: shares('Velocity Version'),
  pocketmineVersion: shares('PocketMine Version'),
  authMode: shares('Auth mode'),
  hytaleVersion: shares('Hytale Version'),
  pluginVersion: shares('Plugin Version'),
  coreCount: shares('Core count', coreCounts),
  osArch: shares('System arch'),
  os: shares('Operating System'),
  location: shares('Server Location'),
  javaVersion: shares('Java Version'),
  phpVersion: shares('PHP Version'),
  locationMap: () => ({
    title: 'Server Location',
    settings: mapSettings('Servers'),
  }),
};

/** The most servers that one proxy counts for. */
const maxManagedServers = 25;
