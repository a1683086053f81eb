/** A slot full of reports as they lie in an open slot: what servers add to the charts of many plugins. */
import { createHash } from 'node:crypto';
import type { Submission } from '../../src/model/report-store.ts';
import type { ChartValue } from '../../src/model/reported-value.ts';
import { createRandom, type Random } from './random.ts';
import { javaVersions, serverSoftware } from './server-values.ts';

/** A slot; the same description always gives the same reports. */
export interface FullSlot {
  readonly pluginCount: number;
  readonly reportCount: number;
}

/** Plugins of a server, and so its reports. */
const pluginsPerServer = 10;
const globalPluginId = 1;

const versions = ['1.21.11', '1.21.8', '1.21.4', '1.20.6', '1.20.4', '1.19.4', '1.16.5', '1.12.2', '1.8.8'];
const kernels = ['5.15.0-1051-aws', '6.1.0-39-amd64', '6.8.0-49-generic', '6.12.48+deb13-amd64', '5.4.0-216'];
const countries = [
  'US',
  'DE',
  'FR',
  'GB',
  'NL',
  'BR',
  'PL',
  'RU',
  'CN',
  'TR',
  'CA',
  'AU',
  'JP',
  'VN',
  'IT',
  'ES',
];

/** Yields the reports, some hundred at a time. A few plugins are on very many servers, and most on a few. */
export function* slotReports({ pluginCount, reportCount }: FullSlot): Generator<readonly Submission[]> {
  const random = createRandom(11);
  const perPart = pluginCount / pluginsPerServer;
  let batch: Submission[] = [];
  for (let server = 0; server * pluginsPerServer < reportCount; server++) {
    const digest = new Uint8Array(createHash('sha1').update(`server ${server}`).digest());
    const common = commonValues(random);
    for (let part = 0; part < pluginsPerServer; part++) {
      const pluginId = globalPluginId + 1 + Math.floor(perPart * (part + random.next() ** 3));
      const version = `${random.below(3)}.${random.below(8)}.${random.below(4)}`;
      batch.push({
        server: digest.subarray(0, 8),
        address: digest.subarray(8, 14),
        plugins: [{ pluginId, values: [...common, ['pluginVersion', share(version)]] }],
        globalPlugin: { pluginId: globalPluginId, values: common },
      });
    }
    if (batch.length < 500) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function commonValues(random: Random): readonly ChartValue[] {
  const oneOf = (items: readonly string[]) => items[Math.floor(items.length * random.next() ** 2)] ?? '';
  const javaVersion = oneOf(javaVersions);
  const country = oneOf(countries);
  return [
    ['servers', 1],
    ['players', Math.floor(60 * random.next() ** 3)],
    ['onlineMode', share(random.below(4) === 0 ? 'offline' : 'online')],
    ['minecraftVersion', share(oneOf(versions))],
    ['serverSoftware', share(oneOf(serverSoftware))],
    ['coreCount', share(String(2 ** random.below(5)))],
    ['osArch', share(random.below(9) === 0 ? 'aarch64' : 'amd64')],
    ['os', share(oneOf(kernels), 'Linux')],
    ['location', share(`Country ${country}`)],
    ['javaVersion', share(javaVersion, `Java ${javaVersion.split('.')[0]}`)],
    ['locationMap', share(country)],
  ];
}

function share(name: string, group: string | null = null) {
  return [{ group, name, values: [1] }];
}
