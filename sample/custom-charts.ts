// The charts that the authors of the invented plugins added to them.
import { examplePluginId, museumPluginId, type SamplePlugin } from './catalogue.ts';
import { advancedPieSettings, defaultPieSettings, type SampleChart, simplePieSettings } from './chart.ts';
import { createCounts, createLineChart } from './lines.ts';
import { createMuseumCharts } from './museum-charts.ts';
import { divide, type Weight, writeDrilldownPie, writePie } from './shares.ts';

/** Makes the charts that a plugin has beside the default ones; they take the positions from `firstPosition` on. */
export function createCustomCharts(plugin: SamplePlugin, firstPosition: number): SampleChart[] {
  if (plugin.id === museumPluginId) return createMuseumCharts(plugin, firstPosition);
  const makers = customCharts.get(plugin.id) ?? [];
  return makers.map((make, index) => make(plugin, firstPosition + index));
}

type ChartMaker = (plugin: SamplePlugin, position: number) => SampleChart;

const customCharts: ReadonlyMap<number, readonly ChartMaker[]> = new Map([
  [1, [silentLine('never_reported', 'Never reported')]],
  [
    examplePluginId,
    [
      simplePie('language', 'Language', [
        ['en_US', 58],
        ['de_DE', 17],
        ['fr_FR', 8],
        ['ru_RU', 7],
        ['zh_CN', 5],
      ]),
      advancedPie('enabled_features', 'Enabled features', [
        ['Warps', 74],
        ['Kits', 61],
        ['Private messages', 88],
        ['Mail', 32],
        ['Scoreboard', 40],
      ]),
      line('commands_used', { title: 'Commands used', perServer: 9, growth: 0.1 }),
    ],
  ],
  [
    2048,
    [
      simplePie('storage', 'Storage', [
        ['SQLite', 63],
        ['MySQL / MariaDB', 24],
        ['YAML', 11],
        ['PostgreSQL', 2],
      ]),
      drilldownPie('economy', 'Economy', {
        None: [['-', 31]],
        Vault: [
          ['1.7.3', 46],
          ['1.6.7', 4],
        ],
        VaultUnlocked: [
          ['2.16.0', 12],
          ['2.10.1', 3],
        ],
      }),
      line('homes_set', { title: 'Homes set', perServer: 0.6, growth: 0.04 }),
    ],
  ],
  [
    2101,
    [
      simplePie('quote_style', 'Quotes & "style"', [
        ['"straight"', 60],
        ['“curly”', 25],
        ['<none>', 10],
        ['&amp;', 5],
      ]),
    ],
  ],
  [
    2888,
    [
      simplePie('language', '语言', [
        ['简体中文', 81],
        ['繁體中文', 12],
        ['English', 6],
      ]),
      advancedPie('protected_blocks', '受保护的方块', [
        ['箱子', 96],
        ['门', 71],
        ['告示牌', 38],
        ['末影箱 📦', 22],
      ]),
    ],
  ],
  [
    3303,
    [
      simplePie('currency', 'Валюта', [
        ['Монеты', 66],
        ['Изумруды', 21],
        ['Опыт', 9],
      ]),
    ],
  ],
  [
    3660,
    [
      simplePie('gate_mode', 'وضع البوابة', [
        ['مفتوحة', 64],
        ['مغلقة', 20],
        ['للأعضاء فقط', 16],
      ]),
    ],
  ],
]);

function simplePie(chartId: string, title: string, weights: readonly Weight[]): ChartMaker {
  return (plugin, position) => {
    const shares = divide(weights, { total: plugin.serverCount, seed: `${plugin.id}/${chartId}` });
    const settings = simplePieSettings();
    return {
      chartId,
      type: 'simple_pie',
      position,
      title,
      isDefault: false,
      settings,
      data: [writePie(shares)],
    };
  };
}

/** A server counts in as many slices as it likes, so each weight is a percentage of all servers. */
function advancedPie(chartId: string, title: string, percentages: readonly Weight[]): ChartMaker {
  return (plugin, position) => {
    const shares = percentages.map(([name, percentage]) => {
      return { name, count: Math.round((plugin.serverCount * percentage) / 100) };
    });
    const settings = advancedPieSettings();
    return {
      chartId,
      type: 'advanced_pie',
      position,
      title,
      isDefault: false,
      settings,
      data: [writePie(shares)],
    };
  };
}

function drilldownPie(
  chartId: string,
  title: string,
  groups: Readonly<Record<string, readonly Weight[]>>,
): ChartMaker {
  return (plugin, position) => {
    const total = plugin.serverCount;
    const data = [writeDrilldownPie(Object.entries(groups), { total, seed: `${plugin.id}/${chartId}` })];
    const settings = defaultPieSettings();
    return { chartId, type: 'drilldown_pie', position, title, isDefault: false, settings, data };
  };
}

/** A line to which no server has reported yet. */
function silentLine(chartId: string, title: string): ChartMaker {
  return (_plugin, position) => createLineChart({ chartId, position, title }, []);
}

function line(
  chartId: string,
  {
    title,
    perServer,
    growth,
  }: { readonly title: string; readonly perServer: number; readonly growth: number },
): ChartMaker {
  return (plugin, position) => {
    const points = createCounts({
      seed: `${plugin.id}/${chartId}`,
      level: plugin.serverCount * perServer,
      growth,
      dailySwing: 0.5,
      weeklySwing: 0.1,
      peakHour: plugin.peakHour,
      missingSlots: new Set(),
    });
    return createLineChart({ chartId, position, title }, points);
  };
}
