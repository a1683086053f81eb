/** Loads the content of a plugin's page. */

import { maxPlatforms, type PluginSummary } from '../../../model/catalogue.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { Span } from '../../../model/window.ts';
import { nextTurn } from '../../../runtime/next-turn.ts';
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
  /** The means of the last days of the lines of the insights, by chart id; NaN for a day without points. */
  readonly trends: ReadonlyMap<string, Float64Array>;
  /** This plugin, and those of the same owner and name on other software, by id. */
  readonly platforms: readonly PluginSummary[];
}

/** Loads the content of the page; rejects as `getPlugin` does. */
export async function loadPluginPage(view: MetricsView, pluginId: number): Promise<PluginPageContent> {
  const plugin = await view.getPlugin(pluginId);
  const { insights, trends } = await loadInsights(view, pluginId);
  const first = await loadFirstCharts(view, pluginId);
  // One owner may have any number of plugins of one name.
  const namesakes = await view.listNamesakes(plugin, maxPlatforms - 1);
  const platforms = [plugin, ...namesakes].sort((a, b) => a.id - b.id);
  const isWaiting = insights.at === null && !(await hasData(view, pluginId, first.charts));
  return { plugin, insights, ...first, isWaiting, trends, platforms };
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
