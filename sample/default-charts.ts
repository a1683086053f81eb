// The charts that every plugin has from the start, computed from the number of its servers.

import { defaultPieSettings, lineSettings, mapSettings } from '../catalogues/settings.ts';
import { divide, divideGroups, sharesData, type WeightGroup, weights } from '../catalogues/shares.ts';
import { isProxy, type SamplePlugin } from './catalogue.ts';
import type { SampleChart } from './chart.ts';
import { lineData } from './lines.ts';
import { createPlayers, createServers, type LinePoints } from './server-lines.ts';

/**
 * Makes the default charts of a plugin. Pies and map count the servers of the last point of `servers`;
 * without servers they have no data.
 */
export function createDefaultCharts(plugin: SamplePlugin): SampleChart[] {
  const { id, name } = plugin;
  const servers = createServers(plugin);
  const total = servers.points.at(-1)?.[1] ?? 0;
  const seeded = (chartId: string) => ({ total, seed: `${id}/${chartId}` });
  const filled = (data: string) => (total === 0 ? [] : [data]);
  const line = (
    chartId: string,
    title: string,
    lineName: string,
    { points, past }: LinePoints,
  ): SampleChart => {
    // The past comes last: an archive need not be sorted, and the other records then stay close to those of
    // the same week.
    const data = [...lineData(points), ...lineData(past)];
    return { chartId, type: 'single_linechart', title, settings: lineSettings(lineName), data };
  };
  const pie = (chartId: string, title: string, slices: string): SampleChart => {
    const type = 'simple_pie';
    const data = filled(sharesData(type, divide(weights(slices), seeded(chartId))));
    return { chartId, type, title, settings: defaultPieSettings, data };
  };
  const drilldown = (chartId: string, title: string, groups: readonly WeightGroup[]): SampleChart => {
    const type = 'drilldown_pie';
    const data = filled(sharesData(type, divideGroups(groups, seeded(chartId))));
    return { chartId, type, title, settings: defaultPieSettings, data };
  };
  // One division for both, so that the pie and the map agree.
  const places = divide(weights(countries), seeded('location'));
  const placesData = (type: string, nameOf: (country: string) => string) =>
    sharesData(
      type,
      places.map(({ name, value }) => ({ name: nameOf(name), value })),
    );
  const location = { title: 'Server Location' };
  return [
    line('servers', `Servers using ${name}`, 'Servers', servers),
    line('players', `Players on servers using ${name}`, 'Players', createPlayers(plugin)),
    pie('onlineMode', 'Online mode', 'online=62, offline=38'),
    ...(isProxy(plugin.softwareId)
      ? [pie('proxyVersion', 'Proxy Version', proxyVersions)]
      : [
          pie('minecraftVersion', 'Minecraft Version', minecraftVersions),
          pie('serverSoftware', 'Server Software', gameServers),
        ]),
    ...(plugin.isGlobal ? [] : [pie('pluginVersion', 'Plugin Version', pluginVersions)]),
    pie('coreCount', 'Core count', '1=4, 2=15, 3=3, 4=22, 6=12, 8=18, 12=9, 16=11, 32=5'),
    pie('osArch', 'System arch', 'amd64=91, aarch64=8, x86=1'),
    drilldown('os', 'Operating System', operatingSystems),
    {
      ...location,
      chartId: 'location',
      type: 'simple_pie',
      settings: defaultPieSettings,
      data: filled(placesData('simple_pie', (country) => country.slice(3))),
    },
    drilldown('javaVersion', 'Java Version', javaVersions),
    {
      ...location,
      chartId: 'locationMap',
      type: 'simple_map',
      settings: mapSettings('Servers'),
      data: filled(placesData('simple_map', (country) => country.slice(0, 2))),
    },
  ];
}

const minecraftVersions =
  '26.2=34, 26.1.2=12, 1.21.11=19, 1.21.8=7, 1.21.4=6, 1.21.1=5, 1.20.6=3, 1.20.4=4, 1.20.1=3, 1.19.4=2, ' +
  '1.16.5=2, 1.12.2=1, 1.8.8=2';
const gameServers = 'Paper=68, Purpur=11, Spigot=8, Unknown=4, Leaf=3, Folia=1, Arclight=1';
const proxyVersions = '3.5.0-SNAPSHOT=55, 3.4.0=22, 1.21-R0.4=14, 1.20-R0.2=6, unknown=2';
const pluginVersions = '2.4.1=48, 2.4.0=17, 2.3.2=14, 2.0.0=8, 1.9.7=9, 2.5.0-SNAPSHOT=1';

const linuxKernels =
  '5.15.0-179-generic=14, 6.1.0-51-amd64=12, 6.8.0-137-generic=21, 6.12.85+deb13-amd64=17, 7.0.0-29-generic=9';
const operatingSystems: readonly WeightGroup[] = [
  ['Linux', weights(linuxKernels)],
  ['Windows', weights('Windows 10=6, Windows 11=11')],
  ['Windows Server', weights('Windows Server 2019=2, Windows Server 2022=3')],
  ['Mac OS X', weights('26.1=1')],
  ['FreeBSD', weights('14.3-RELEASE=0.3')],
];
const javaVersions: readonly WeightGroup[] = [
  ['Java 25', weights('25.0.4=24, 25.0.3=13, 25=3')],
  ['Java 21', weights('21.0.11=27, 21.0.10=12, 21.0.7=6')],
  ['Java 17', weights('17.0.19=7, 17.0.12=3')],
  ['Java 8', weights('1.8.0_492=3')],
];

/** Code (ISO 3166-1 alpha-2) and name of each country. */
const countries =
  'US United States=26, DE Germany=21, FR France=9, GB United Kingdom=6, RU Russia=6, PL Poland=5, NL Netherlands=4, ' +
  'BR Brazil=4, CN China=4, SG Singapore=3, CA Canada=3, FI Finland=2, AU Australia=2, UA Ukraine=2, TR Türkiye=1, ' +
  "IN India=1, JP Japan=1, ZA South Africa=0.5, SA Saudi Arabia=0.5, CI Côte d'Ivoire=0.2";
