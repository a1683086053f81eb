// What the charts of shares showed in the two years before: former weights, and when versions were released.
import { createRandom } from '../catalogues/random.ts';
import type { MadeEvent } from '../catalogues/records.ts';
import { examplePluginId, type SamplePlugin } from './catalogue.ts';
import { pastStartMs } from './lines.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A share that was not always as common as it is now. */
export interface FormerShare {
  /** The name of the outer share in a drilldown pie; otherwise empty. */
  readonly group: string;
  readonly name: string;
  /** Its weight two years ago, or of one that was released later its highest. */
  readonly weight: number;
  readonly releasedMs: number | undefined;
  /** Release of the next one, from which on its weight falls. */
  readonly replacedMs: number | undefined;
}

/** Finds the shares of a chart that were once more or less common; none for a chart without them. */
export function formerShares(plugin: SamplePlugin, chartId: string): readonly FormerShare[] {
  const former = Object.hasOwn(formerWeights, chartId) ? formerWeights[chartId] : undefined;
  if (former === undefined) return [];
  const groups = typeof former === 'string' ? [['', former] as const] : Object.entries(former);
  const delayMs = chartId === 'pluginVersion' ? releaseDelayMs(plugin) : 0;
  return groups.flatMap(([group, text]) => parseFormer(group, text, delayMs));
}

/** Lists the events of a plugin with a past: the releases of its versions. */
export function listSampleEvents(plugin: SamplePlugin): readonly MadeEvent[] {
  if (plugin.past === undefined || plugin.isGlobal) return [];
  const releases = formerShares(plugin, 'pluginVersion').flatMap(({ name, releasedMs = 0 }) => {
    const url = `https://example.org/plugins/${plugin.id}/releases/${name}`;
    return releasedMs < pastStartMs ? [] : [{ time: releasedMs, title: name, url }];
  });
  return plugin.id === examplePluginId ? [...releases, anniversary] : releases;
}

const anniversary: MadeEvent = {
  time: Date.UTC(2025, 10, 22, 18),
  title: 'Featured on the front page of a forum',
  url: null,
};

/** Delay of the releases of a plugin, so that no two plugins have theirs on the same days. */
function releaseDelayMs({ id }: SamplePlugin): number {
  return createRandom(`${id}/releases`).below((36 * dayMs) / 60_000) * 60_000;
}

function parseFormer(group: string, text: string, delayMs: number): FormerShare[] {
  const parsed = text.split(', ').map((part) => {
    const [, name = '', weight, date] = /^(.*)=([\d.]+)(?:@(.*))?$/.exec(part) ?? [];
    const releasedMs = date === undefined ? undefined : Date.parse(date) + delayMs;
    return { group, name, weight: Number(weight), releasedMs };
  });
  return parsed.map((share, index) => ({
    ...share,
    replacedMs: share.releasedMs === undefined ? undefined : parsed[index + 1]?.releasedMs,
  }));
}

/**
 * Former weights, in per cent, by chart, and of a drilldown pie by group. `NAME=WEIGHT` is a share two years
 * ago. `NAME=WEIGHT@DATE` was released on that date, and has its highest weight when the next one of the list
 * is released. A name that the chart does not have today was not used in the end.
 */
const formerWeights: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  onlineMode: 'online=55, offline=45',
  minecraftVersion:
    '1.8.8=6, 1.12.2=5, 1.16.5=9, 1.18.2=4, 1.19.2=5, 1.19.4=9, 1.20.1=14, 1.20.2=6, 1.20.4=38@2023-12-07, 1.20.6=17@2024-04-29, ' +
    '1.21=21@2024-06-13, 1.21.1=36@2024-08-08, 1.21.3=24@2024-10-23, 1.21.4=46@2024-12-03, 1.21.5=25@2025-03-25, ' +
    '1.21.8=44@2025-07-17, 1.21.10=31@2025-10-07, 1.21.11=45@2025-12-09, 26.1=11@2026-03-24, 26.1.2=26@2026-04-09, ' +
    '26.2=34@2026-06-02',
  proxyVersion:
    '1.18-R0.1=9, 1.20-R0.2=21, 1.21-R0.4=19, 3.3.0-SNAPSHOT=46@2023-12-01, 3.4.0=41@2024-10-10, ' +
    '3.5.0-SNAPSHOT=55@2025-08-20',
  serverSoftware: 'Paper=57, Purpur=14, Spigot=21, CraftBukkit=3, Folia=0',
  pluginVersion:
    '2.5.0-SNAPSHOT=0, 1.8.0=62@2024-03-15, 1.9.0=48@2024-07-20, 1.9.7=57@2024-10-04, 2.0.0=46@2025-01-17, ' +
    '2.1.0=28@2025-05-09, 2.2.0=39@2025-07-02, 2.3.2=52@2025-10-30, 2.4.0=44@2026-02-12, 2.4.1=48@2026-04-28',
  coreCount: '1=7, 2=23, 4=27, 32=2',
  osArch: 'amd64=96, aarch64=3, x86=2',
  os: {
    Linux:
      '5.4.0-193-generic=9, 5.15.0-179-generic=29, 6.1.0-51-amd64=19, 6.8.0-137-generic=10, 6.12.85+deb13-amd64=20@2025-08-09, ' +
      '7.0.0-29-generic=9@2026-04-23',
    Windows: 'Windows 10=15, Windows 11=7',
    'Windows Server': 'Windows Server 2016=1, Windows Server 2019=4',
  },
  javaVersion: {
    'Java 25': '25=5@2025-09-16, 25.0.3=18@2025-10-21, 25.0.4=24@2026-04-21',
    'Java 21':
      '21.0.3=33@2024-04-16, 21.0.4=34@2024-07-16, 21.0.7=46@2025-04-15, 21.0.10=38@2026-01-20, 21.0.11=27@2026-04-21',
    'Java 17': '17.0.12=44, 17.0.19=12@2026-04-21',
    'Java 11': '11.0.23=3',
    'Java 8': '1.8.0_412=9, 1.8.0_492=3@2026-04-21',
  },
};
