/** Generates reports of running plugins, as messages on the wire, and the catalogue of these plugins. */
import { gzipSync } from 'node:zlib';
import { createRandom, type Random } from '../../catalogues/random.ts';
import { archive, catalogueRecords } from '../../catalogues/records.ts';
import { defaultPieSettings, lineSettings } from '../../catalogues/settings.ts';

/** Description of the reports; equal descriptions always give equal bytes. */
export interface Reports {
  readonly pluginCount: number;
  readonly reportCount: number;
}

/** Charts of every plugin; the first twelve are default charts. */
const charts: ReadonlyArray<readonly [chartId: string, type: string]> = [
  ['servers', 'single_linechart'],
  ['players', 'single_linechart'],
  ['onlineMode', 'simple_pie'],
  ['minecraftVersion', 'simple_pie'],
  ['serverSoftware', 'simple_pie'],
  ['pluginVersion', 'simple_pie'],
  ['coreCount', 'simple_pie'],
  ['osArch', 'simple_pie'],
  ['os', 'drilldown_pie'],
  ['location', 'simple_pie'],
  ['javaVersion', 'drilldown_pie'],
  ['locationMap', 'simple_map'],
  ['language', 'simple_pie'],
  ['storage', 'simple_pie'],
  ['features', 'advanced_pie'],
];
const defaultCount = 12;
const globalPluginId = 1;
const pluginsPerServer = 10;

/** A prime, so that stepping by it visits every report, in a different order. */
const step = 7919;

/** Renders the catalogue as an archive: Bukkit, its global plugin and the plugins. */
export function reportedCatalogue(pluginCount: number): Iterable<string> {
  const software = [{ id: 1, name: 'Bukkit / Spigot', url: 'bukkit', globalPluginId }];
  return archive(catalogueRecords({ software, plugins: reportedPlugins(pluginCount) }));
}

function* reportedPlugins(pluginCount: number) {
  for (let id = globalPluginId; id <= globalPluginId + pluginCount; id++) {
    const isGlobal = id === globalPluginId;
    const owner = { id: 1 + (id % 1000), name: `Owner ${id % 1000}` };
    const name = isGlobal ? '_bukkit_' : `Plugin ${id}`;
    const own = isGlobal
      ? charts.slice(0, defaultCount).filter(([chartId]) => chartId !== 'pluginVersion')
      : charts;
    const made = own.map(([chartId, type], index) => ({
      chartId,
      uid: id * 100 + index,
      type,
      position: index,
      title: chartId,
      isDefault: index < defaultCount,
      settings: type === 'single_linechart' ? lineSettings(chartId) : defaultPieSettings,
      data: [],
    }));
    yield { plugin: { id, name, owner, softwareId: 1, isGlobal }, charts: made };
  }
}

/** Yields the requests as bytes. No two reports share both server and plugin. */
export function* reportMessages({ pluginCount, reportCount }: Reports): Generator<Buffer> {
  const random = createRandom('reports');
  const perPart = pluginCount / pluginsPerServer;
  for (let index = 0; index < reportCount; index++) {
    // Spreads the reports of a server over time, and picks plugins so that a few run on very many servers.
    const report = (index * step) % reportCount;
    const server = Math.floor(report / pluginsPerServer);
    const pluginId =
      globalPluginId + 1 + Math.floor(perPart * ((report % pluginsPerServer) + random.next() ** 4));
    const body = gzipSync(JSON.stringify(reportOf(server, pluginId, random)));
    const head = `POST /api/v2/data/bukkit HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Encoding: gzip\r\nContent-Type: application/json\r\nUser-Agent: Metrics-Service/1\r\nContent-Length: ${body.length}\r\n\r\n`;
    yield Buffer.concat([Buffer.from(head), body]);
  }
}

const serverSoftware = ['Paper', 'Purpur', 'Spigot', 'CraftBukkit', 'Folia', 'Pufferfish'];
const javaVersions = ['21.0.2', '21.0.9', '25.0.1', '17.0.17', '1.8.0_492', '22.0.2', '21.0.5'];
const minecraftVersions = [
  '1.21.11',
  '1.21.8',
  '1.21.4',
  '1.21.1',
  '1.20.6',
  '1.20.4',
  '1.19.4',
  '1.16.5',
  '1.12.2',
  '1.8.8',
];
const osVersions = [
  '5.15.0-1051-aws',
  '6.1.0-39-amd64',
  '6.8.0-49-generic',
  '5.4.0-216-generic',
  '6.12.48+deb13-amd64',
];
const languages = ['en', 'de', 'fr', 'es', 'zh', 'pt', 'ru', 'pl', 'tr', 'ja'];

function reportOf(server: number, pluginId: number, random: Random): object {
  const oneOf = (items: readonly string[]) => items[Math.floor(items.length * random.next() ** 2)];
  const version = oneOf(minecraftVersions);
  const name = oneOf(serverSoftware);
  return {
    playerAmount: Math.floor(60 * random.next() ** 3),
    onlineMode: random.below(4) === 0 ? 0 : 1,
    bukkitVersion: `${version}-${random.below(200)}-ver/${version}@${random.below(16 ** 6).toString(16)} (MC: ${version})`,
    bukkitName: name,
    javaVersion: oneOf(javaVersions),
    osName: random.below(5) === 0 ? 'Windows 11' : 'Linux',
    osArch: random.below(9) === 0 ? 'aarch64' : 'amd64',
    osVersion: oneOf(osVersions),
    coreCount: [2, 4, 8, 12, 16, 24][random.below(6)],
    service: {
      pluginVersion: `${random.below(3)}.${random.below(8)}.${random.below(4)}`,
      id: pluginId,
      customCharts: [
        { chartId: 'language', data: { value: oneOf(languages) } },
        { chartId: 'storage', data: { value: random.below(3) === 0 ? 'MySQL' : 'SQLite' } },
        {
          chartId: 'features',
          data: { values: { homes: 1, warps: random.below(2), kits: 1 + random.below(9) } },
        },
      ],
    },
    serverUUID: `3f2504e0-4f89-41d3-9a0c-${server.toString(16).padStart(12, '0')}`,
    metricsVersion: '3.2.1',
  };
}
