/** Loads the content of a plugin's page. */

import { maxPlatforms, type PluginSummary } from '../../../model/catalogue.ts';
import { valuesOf } from '../../../model/columns.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { trendDays } from '../../../model/plugin-list.ts';
import { dayMs, type Span, startOfDays } from '../../../model/window.ts';
import { nextTurn } from '../../../runtime/next-turn.ts';
import { LineDays } from '../../../series/line-days.ts';
import { loadInsights, type PluginInsights } from '../../../series/load-insights.ts';
import type { ListedChart } from '../chart-article.ts';
import { loadFirstCharts } from '../first-charts.ts';

/** The content of the page. */
export interface PluginPageContent {
  readonly plugin: PluginSummary;
  readonly insights: PluginInsights;
  /** The first of its charts, without their settings, which may be large. */
  readonly charts: readonly ListedChart[];
  /** True if the plugin has more charts. */
  readonly isCut: boolean;
  /** True without any data, and without a word that nobody reported any. */
  readonly isWaiting: boolean;
  /** The time that the charts span; undefined if none has data with times. */
  readonly span: Span | undefined;
  /** The means of the last days of the lines of the insights; null for a day without points. */
  readonly days: ReadonlyMap<string, readonly (number | null)[]>;
  /** This plugin, and those of the same owner and name on other software, by id. */
  readonly platforms: readonly PluginSummary[];
}

/** Loads the content of the page; rejects as `getPlugin` does. */
export async function loadPluginPage(view: MetricsView, pluginId: number): Promise<PluginPageContent> {
  const plugin = await view.getPlugin(pluginId);
  const insights = await loadInsights(view, pluginId);
  const first = await loadFirstCharts(view, pluginId);
  const days = new Map<string, readonly (number | null)[]>();
  for (const { chartId, now } of insights.lines)
    days.set(chartId, await loadDays(view, pluginId, chartId, now[0]));
  // One owner may have any number of plugins of one name.
  const namesakes = await view.listNamesakes(plugin, maxPlatforms - 1);
  const platforms = [plugin, ...namesakes].sort((a, b) => a.id - b.id);
  const isWaiting = insights.at === null && !(await hasData(view, pluginId, first.charts));
  return { plugin, insights, ...first, isWaiting, days, platforms };
}

async function loadDays(view: MetricsView, pluginId: number, chartId: string, newest: number) {
  const from = startOfDays(newest, trendDays);
  const starts = Array.from({ length: trendDays }, (_, day) => from + day * dayMs);
  const days = new LineDays(newest, starts);
  const line = await view.getChart(pluginId, chartId);
  for await (const points of view.readColumns(line, { from, to: newest + 1 })) {
    days.add(points.times, valuesOf(points));
    await nextTurn();
  }
  return starts.map((day) => days.mean(day, 1) ?? null);
}

/** True if data without times came to a chart. */
async function hasData(
  view: MetricsView,
  pluginId: number,
  charts: readonly ListedChart[],
): Promise<boolean> {
  for (const { chartId } of charts) {
    const data = await view.readChartData(pluginId, chartId, 0);
    if (data.storage === 'latest' && data.isStored) return true;
    await nextTurn();
  }
  return false;
}
