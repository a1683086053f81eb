// The charts that the authors of the fictional plugins added to them.

import { advancedPieSettings, defaultPieSettings, simplePieSettings } from '../catalogues/settings.ts';
import { divide, divideGroups, sharesData, type WeightGroup, weights } from '../catalogues/shares.ts';
import { examplePluginId, museumPluginId, type SamplePlugin } from './catalogue.ts';
import type { SampleChart } from './chart.ts';
import { createCounts, createLineChart } from './lines.ts';
import { createMuseumCharts } from './museum-charts.ts';

/** Makes the charts of a plugin besides the default ones. */
export function createCustomCharts(plugin: SamplePlugin): SampleChart[] {
  return customCharts[plugin.id]?.(plugin) ?? [];
}

const storages = 'SQLite=63, MySQL / MariaDB=24, YAML=11, PostgreSQL=2';
const features = 'Warps=74, Kits=61, Private messages=88, Mail=32, Scoreboard=40';
const economies: readonly WeightGroup[] = [
  ['None', weights('-=31')],
  ['Vault', weights('1.7.3=46, 1.6.7=4')],
  ['VaultUnlocked', weights('2.16.0=12, 2.10.1=3')],
];

const customCharts: Readonly<Record<number, (plugin: SamplePlugin) => SampleChart[]>> = {
  [museumPluginId]: createMuseumCharts,
  // A line to which no server has reported yet.
  1: () => [createLineChart('never_reported', 'Never reported', [])],
  [examplePluginId]: (plugin) => [
    simplePie(plugin, 'language', 'Language', 'en_US=58, de_DE=17, fr_FR=8, ru_RU=7, zh_CN=5'),
    advancedPie(plugin, 'enabled_features', 'Enabled features', features),
    line(plugin, 'commands_used', 'Commands used', { perServer: 9, growth: 0.1 }),
  ],
  2048: (plugin) => [
    simplePie(plugin, 'storage', 'Storage', storages),
    drilldownPie(plugin, 'economy', 'Economy', economies),
    line(plugin, 'homes_set', 'Homes set', { perServer: 0.6, growth: 0.04 }),
  ],
  2101: (plugin) => [
    simplePie(plugin, 'quote_style', 'Quotes & "style"', '"straight"=60, “curly”=25, <none>=10, &amp;=5'),
  ],
  2888: (plugin) => [
    simplePie(plugin, 'language', '语言', '简体中文=81, 繁體中文=12, English=6'),
    advancedPie(plugin, 'protected_blocks', '受保护的方块', '箱子=96, 门=71, 告示牌=38, 末影箱 📦=22'),
  ],
  3303: (plugin) => [simplePie(plugin, 'currency', 'Валюта', 'Монеты=66, Изумруды=21, Опыт=9')],
  3660: (plugin) => [simplePie(plugin, 'gate_mode', 'وضع البوابة', 'مفتوحة=64, مغلقة=20, للأعضاء فقط=16')],
};

function simplePie(plugin: SamplePlugin, chartId: string, title: string, slices: string): SampleChart {
  const type = 'simple_pie';
  const data = [sharesData(type, divide(weights(slices), seeded(plugin, chartId)))];
  return { chartId, type, title, settings: simplePieSettings, data };
}

/** A server may count in any number of slices, so each weight is a percentage of all servers. */
function advancedPie(plugin: SamplePlugin, chartId: string, title: string, percentages: string): SampleChart {
  const type = 'advanced_pie';
  const shares = weights(percentages).map(([name, percentage]) => ({
    name,
    value: Math.round((plugin.serverCount * percentage) / 100),
  }));
  return { chartId, type, title, settings: advancedPieSettings, data: [sharesData(type, shares)] };
}

function drilldownPie(
  plugin: SamplePlugin,
  chartId: string,
  title: string,
  groups: readonly WeightGroup[],
): SampleChart {
  const type = 'drilldown_pie';
  const data = [sharesData(type, divideGroups(groups, seeded(plugin, chartId)))];
  return { chartId, type, title, settings: defaultPieSettings, data };
}

function line(
  plugin: SamplePlugin,
  chartId: string,
  title: string,
  { perServer, growth }: { readonly perServer: number; readonly growth: number },
): SampleChart {
  const points = createCounts({
    ...seeded(plugin, chartId),
    level: plugin.serverCount * perServer,
    growth,
    dailySwing: 0.5,
    weeklySwing: 0.1,
    peakHour: plugin.peakHour,
    missingSlots: new Set(),
  });
  return createLineChart(chartId, title, points);
}

function seeded({ id, serverCount }: SamplePlugin, chartId: string) {
  return { total: serverCount, seed: `${id}/${chartId}` };
}
