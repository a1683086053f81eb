/** The charts that a plugin has from the start: their titles and settings. */
import { formOf } from '../model/chart-types.ts';
import { type JsonText, trustedJson } from '../model/json-text.ts';
import { type DefaultChartId, defaultTitleOf, defaultTypeOf } from './default-values.ts';
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
    const type = defaultTypeOf(chartId);
    const { title, settings } = lines[chartId]?.(plugin, software) ?? {
      title: defaultTitleOf(chartId),
      settings: chartId === 'coreCount' ? coreCounts : settingsOf(type, { title: 'Servers', lineName: '' }),
    };
    return { chartId, type, title: cutTitle(title), settings };
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
const coreCounts = json({
  filter: { enabled: true, useRegex: true, blacklist: false, filter: ['([0-9]){1,2}'] },
});

/** The lines, whose titles and bounds depend on their plugin. */
const lines: Readonly<Partial<Record<DefaultChartId, (plugin: NewPlugin, software: KnownSoftware) => Look>>> =
  {
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
  };

/** The most servers that one proxy counts for. */
const maxManagedServers = 25;
