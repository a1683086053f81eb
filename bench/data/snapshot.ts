/** Charts that are no lines: their types and what they show. */
import { createRandom, type Random } from './random.ts';

/** A chart that is no line. */
export interface Snapshot {
  readonly chartId: string;
  readonly type: string;
  readonly title: string;
  /** Its data as JSON text. */
  readonly json: string;
}

/** The chart at this place among those of its plugin that are no lines. */
export function snapshotAt(index: number, seed: number): Snapshot {
  const form = forms[index % forms.length] ?? pie('chart', ['yes', 'no']);
  const repeat = Math.floor(index / forms.length);
  const chartId = repeat === 0 ? form.chartId : `${form.chartId}${repeat}`;
  const json = JSON.stringify(form.data(createRandom(seed)));
  return { chartId, type: form.type, title: chartId, json };
}

interface Form {
  readonly chartId: string;
  readonly type: string;
  readonly data: (random: Random) => unknown;
}

const countries = 'DE US FR GB NL PL RU BR CA SE CZ AU IT ES UA TR HU AT CH FI DK BE NO CN JP KR VN ID'.split(
  ' ',
);
const versions = Array.from({ length: 16 }, (_, index) => `1.${index + 7}.${index % 5}`);

const forms: readonly Form[] = [
  pie('onlineMode', ['online', 'offline']),
  pie('minecraftVersion', versions),
  pie('serverSoftware', ['Paper', 'Spigot', 'Purpur', 'CraftBukkit', 'Folia', 'Pufferfish', 'Other']),
  pie('pluginVersion', versions.slice(0, 9)),
  pie('coreCount', ['1', '2', '4', '6', '8', '12', '16', '24', '32', '64']),
  pie('osArch', ['amd64', 'aarch64', 'x86']),
  drilldown('os', { Linux: ['4.19', '5.4', '5.10', '5.15', '6.1', '6.8'], Windows: ['10', '11', '2022'] }),
  drilldown('javaVersion', { 'Java 8': ['1.8.0_392', '1.8.0_402'], 'Java 17': ['17.0.9', '17.0.10'] }),
  {
    chartId: 'location',
    type: 'simple_map',
    data: (random) => countries.map((code) => ({ code, value: random.below(500) })),
  },
  {
    chartId: 'features',
    type: 'simple_bar',
    data: (random) =>
      ['economy', 'chat', 'worlds', 'skills'].map((name) => ({ name, data: [random.below(900)] })),
  },
];

function pie(chartId: string, names: readonly string[]): Form {
  return {
    chartId,
    type: 'simple_pie',
    data: (random) => names.map((name) => ({ name, y: random.below(1000) })),
  };
}

function drilldown(chartId: string, groups: Readonly<Record<string, readonly string[]>>): Form {
  return {
    chartId,
    type: 'drilldown_pie',
    data: (random) => ({
      drilldownData: Object.entries(groups).map(([name, parts]) => ({
        name,
        id: name,
        data: parts.map((part) => [part, random.below(500)]),
      })),
      seriesData: Object.keys(groups).map((name) => ({ name, y: random.below(1000), drilldown: name })),
    }),
  };
}
