/** Loads the charts that a page of a plugin shows. */

import type { MetricsView } from '../../model/metrics-reader.ts';
import { spanOver } from '../../model/window.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import type { ListedChart } from './chart-article.ts';

/** Most charts on one page. */
const maxChartCount = 500;

/** Loads the first charts of a plugin, and the time that they span. */
export async function loadFirstCharts(view: MetricsView, pluginId: number) {
  const charts: ListedChart[] = [];
  for await (const batch of view.listCharts(pluginId)) {
    const spans = await view.findSpans(batch.map(({ uid }) => uid));
    for (const { chartId, title, type, isDefault, uid } of batch)
      charts.push({ chartId, title, type, isDefault, span: spans.get(uid) });
    if (charts.length > maxChartCount) break;
    await nextTurn();
  }
  const span = spanOver(charts.flatMap((chart) => chart.span ?? []));
  return { charts: charts.slice(0, maxChartCount), isCut: charts.length > maxChartCount, span };
}
