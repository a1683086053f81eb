/** The subject of a chart in words. */
import type { ChartToDraw } from './chart-content.ts';

/** The title, followed by the plugin if the title does not name it. */
export function chartSubject({
  title,
  pluginName,
  isDefault,
}: Pick<ChartToDraw, 'title' | 'pluginName' | 'isDefault'>): string {
  if (pluginName === undefined || title.includes(pluginName)) return title;
  return isDefault === true ? `${title} of servers using ${pluginName}` : `${title} (${pluginName})`;
}
