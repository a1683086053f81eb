// The charts that every plugin has from the start, filled from how many servers run it.
import { isProxy, type SamplePlugin } from './catalogue.ts';
import {
  defaultPieSettings,
  type JsonText,
  lineSettings,
  mapSettings,
  type Point,
  type SampleChart,
} from './chart.ts';
import { createCounts, pickMissingSlots, writePoints } from './lines.ts';
import { createRandom } from './random.ts';
import { divide, type Weight, type WeightGroup, writeDrilldownPie, writeMap, writePie } from './shares.ts';
import {
  architectures,
  coreCounts,
  countries,
  countryNames,
  gameServers,
  javaVersions,
  minecraftVersions,
  onlineModes,
  operatingSystems,
  pluginVersions,
  proxyVersions,
} from './weights.ts';

/**
 * Makes the default charts of a plugin. Pies and map count the servers of the last point of `servers`; where
 * that is none, they have no data.
 */
export function createDefaultCharts(plugin: SamplePlugin): SampleChart[] {
  const missingSlots = pickMissingSlots(createRandom(`${plugin.id}/missing`), plugin);
  const { growth, peakHour } = plugin;
  const servers = createCounts({
    seed: `${plugin.id}/servers`,
    level: plugin.serverCount,
    dailySwing: 0.05,
    weeklySwing: 0.02,
    growth,
    peakHour,
    missingSlots,
  });
  const players = createCounts({
    seed: `${plugin.id}/players`,
    level: plugin.serverCount * plugin.playersPerServer,
    dailySwing: 0.45,
    weeklySwing: 0.12,
    growth,
    peakHour,
    missingSlots,
  });
  const total = servers.at(-1)?.[1] ?? 0;

  const charts: SampleChart[] = [];
  const add = (chart: Pick<SampleChart, 'chartId' | 'type' | 'title' | 'settings' | 'data'>): void => {
    charts.push({ ...chart, position: charts.length, isDefault: true });
  };
  const withData = (text: JsonText): readonly JsonText[] => (total === 0 ? [] : [text]);
  const addLine = (
    chartId: string,
    {
      title,
      lineName,
      points,
    }: { readonly title: string; readonly lineName: string; readonly points: readonly Point[] },
  ): void => {
    const settings = lineSettings(lineName);
    add({ chartId, type: 'single_linechart', title, settings, data: writePoints(points) });
  };
  const addPie = (chartId: string, title: string, weights: readonly Weight[]): void => {
    const data = withData(writePie(divide(weights, { total, seed: `${plugin.id}/${chartId}` })));
    add({ chartId, type: 'simple_pie', title, settings: defaultPieSettings(), data });
  };
  const addDrilldownPie = (chartId: string, title: string, groups: readonly WeightGroup[]): void => {
    const data = withData(writeDrilldownPie(groups, { total, seed: `${plugin.id}/${chartId}` }));
    add({ chartId, type: 'drilldown_pie', title, settings: defaultPieSettings(), data });
  };

  addLine('servers', { title: `Servers using ${plugin.name}`, lineName: 'Servers', points: servers });
  addLine('players', {
    title: `Players on servers using ${plugin.name}`,
    lineName: 'Players',
    points: players,
  });
  addPie('onlineMode', 'Online mode', onlineModes);
  if (isProxy(plugin.softwareId)) {
    addPie('proxyVersion', 'Proxy Version', proxyVersions);
  } else {
    addPie('minecraftVersion', 'Minecraft Version', minecraftVersions);
    addPie('serverSoftware', 'Server Software', gameServers);
  }
  if (!plugin.isGlobal) addPie('pluginVersion', 'Plugin Version', pluginVersions);
  addPie('coreCount', 'Core count', coreCounts);
  addPie('osArch', 'System arch', architectures);
  addDrilldownPie('os', 'Operating System', operatingSystems);

  // One division for both, so that the pie and the map agree.
  const places = divide(countries, { total, seed: `${plugin.id}/location` });
  const namedPlaces = places.map(({ name, count }) => ({ name: countryNames.get(name) ?? name, count }));
  add({
    chartId: 'location',
    type: 'simple_pie',
    title: 'Server Location',
    settings: defaultPieSettings(),
    data: withData(writePie(namedPlaces)),
  });
  addDrilldownPie('javaVersion', 'Java Version', javaVersions);
  add({
    chartId: 'locationMap',
    type: 'simple_map',
    title: 'Server Location',
    settings: mapSettings('Servers'),
    data: withData(writeMap(places)),
  });
  return charts;
}
