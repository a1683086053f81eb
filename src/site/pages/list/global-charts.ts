/** The charts of all servers of a software below the list of its plugins: the first charts of shares of its global plugin. */

import { html } from 'ghtml';
import { hasShares } from '../../../model/data-shares.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { Software } from '../../../model/software.ts';
import { chartPicturePath, pluginPath, withQuery } from '../../address/paths.ts';
import { name } from '../words.ts';

/** Most charts on the page of a software; the page of the global plugin has all. */
const maxChartCount = 6;

const wide = { width: '560', height: '340' };
const narrow = { width: '400', height: '300' };

/** The global plugin of a software and some of its charts. */
export interface GlobalCharts {
  readonly pluginId: number;
  readonly pluginName: string;
  readonly software: Software;
  readonly charts: readonly { readonly chartId: string; readonly title: string }[];
}

/** Loads the charts; undefined for a software without a global plugin, and for one whose global plugin has no charts of shares. */
export async function loadGlobalCharts(
  view: MetricsView,
  software: Software | undefined,
): Promise<GlobalCharts | undefined> {
  if (software === undefined || software.globalPlugin === null) return undefined;
  const { id: pluginId, name: pluginName } = software.globalPlugin;
  const charts: { readonly chartId: string; readonly title: string }[] = [];
  // Default charts are among the first.
  for await (const batch of view.listCharts(pluginId)) {
    for (const { chartId, title, type } of batch) if (hasShares(type)) charts.push({ chartId, title });
    break;
  }
  if (charts.length === 0) return undefined;
  return { pluginId, pluginName, software, charts: charts.slice(0, maxChartCount) };
}

/** Renders the charts, and the link to all of them. */
export function renderGlobalCharts(global: GlobalCharts | undefined): string {
  if (global === undefined) return '';
  const { pluginId, pluginName, software, charts } = global;
  const page = pluginPath({ id: pluginId, name: pluginName, software });
  const articles = charts.map(({ chartId, title }) => {
    const picture = (size: typeof wide) => withQuery(chartPicturePath(pluginId, chartId, 'svg'), size);
    return html`<article class="chart shares" aria-labelledby="global-${chartId}">
<h3 class="hush" id="global-${chartId}">!${name(title)}</h3>
<plugin-chart plugin="${pluginId}" chart="${chartId}" theme="auto"><picture><source media="(max-width: 1000px)" srcset="${picture(narrow)}" width="400" height="300"><img src="${picture(wide)}" width="560" height="340" alt="${title}" loading="lazy"></picture></plugin-chart>
<p class="actions"><a href="${page}#${chartId}">Explore</a></p>
</article>
`;
  });
  return html`<section class="global" id="all-servers" aria-labelledby="all-servers-title">
<h2 id="all-servers-title">All servers on !${name(software.name)}</h2>
<p class="by"><a href="${page}">All charts</a></p>
<div class="charts">
!${articles}</div>
</section>
`;
}
