/** `add chart`: adds a chart of a plugin. */
import { settingsOf } from '../../../collect/default-charts.ts';
import { newChartRecord } from '../../../collect/new-records.ts';
import { AppError, quote } from '../../../model/app-error.ts';
import type { ChartName } from '../../../model/chart.ts';
import type { Store } from '../../../model/store.ts';
import { register } from '../../register.ts';

/** Options of {@link addChart}. */
interface AddChartOptions {
  readonly type: string;
  readonly title: string;
  /** Left out, the line has the title of the chart. */
  readonly lineName: string | undefined;
  readonly isDryRun: boolean;
}

/** Adds a chart behind the others of its plugin, and prints its plugin and id. */
export async function addChart(
  store: Store,
  { pluginId, chartId }: ChartName,
  { type, title, lineName = title, isDryRun }: AddChartOptions,
): Promise<void> {
  await register(store, { isDryRun }, async (view, ids) => {
    const plugin = await view.getPlugin(pluginId);
    let position = 0;
    for await (const charts of view.listCharts(pluginId)) {
      for (const chart of charts) {
        if (chart.chartId === chartId)
          throw new AppError('conflict', `plugin ${pluginId} has a chart ${quote(chartId)} already`);
        position = Math.max(position, chart.position + 1);
      }
    }
    const settings = settingsOf(type, { title, lineName });
    const chart = { chartId, type, title, settings };
    const name = `${pluginId}/${chartId}`;
    return {
      records: [newChartRecord(pluginId, chart, { uid: ids.chartUid, position, isDefault: false })],
      result: name,
      message: (isDry) =>
        `${isDry ? 'would add' : 'added'} chart ${name}, ${quote(title)}, to plugin ${pluginId}, ${quote(plugin.name)}, in ${store.name}`,
    };
  });
}
