/** One chart on the page of its plugin: the picture and its links. */

import { html } from 'ghtml';
import type { Range } from '../../../draw/range.ts';
import { shortestQuery } from '../../../http/query-parameter.ts';
import type { Chart } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { chartPicturePath, comparePath, csvPath, jsonPath, withQuery } from '../../address/paths.ts';
import { pictureDefaults } from '../../address/picture-parameters.ts';
import { name } from '../words.ts';

/** Sizes of pictures without script: lines, other charts, lines in medium windows, both on phones. */
const lineSize = { width: 1120, height: 320 };
const sharesSize = { width: 560, height: 340 };
const mediumSize = { width: 760, height: 300 };
const phoneSize = { width: 400, height: 300 };

/** The part of a chart that a page shows. */
export type ListedChart = Pick<Chart, 'chartId' | 'title' | 'type'>;

/** Renders an article with the chart id as its anchor. */
export function renderChartArticle(plugin: PluginSummary, chart: ListedChart, range: Range): string {
  const { chartId, title, type } = chart;
  const form = formOf(type);
  const isLine = form === 'line';
  const shown = isLine ? range : undefined;
  const size = isLine ? lineSize : sharesSize;
  const csv = withQuery(csvPath(plugin, chartId), { range: shown });
  const compare = withQuery(comparePath, { charts: `${plugin.id}:${chartId}`, range: shown });
  return html`<article class="chart !${isLine ? 'line' : 'shares'}" id="${chartId}" aria-labelledby="${chartId}-title">
<h2 class="hush" id="${chartId}-title">!${name(title)}</h2>
<plugin-chart plugin="${plugin.id}" chart="${chartId}"!${isLine ? html` range="${range}"` : ''} theme="auto"><picture>!${isLine ? source(phoneSize, 600) + source(mediumSize, 1000) : source(phoneSize, 1000)}<img src="${picture(size)}" !${sizeOf(size)} alt="${title}" loading="lazy"></picture></plugin-chart>
<p class="actions"><button type="button" data-embed data-plugin="${plugin.id}" data-chart="${chartId}" data-form="${form}" data-title="${title}" hidden>Embed</button>!${
    isLine ? html`<a href="${compare}">Compare</a>` : ''
  }<a href="#${chartId}">Link</a><a href="${csv}" download>CSV</a><a href="${jsonPath(plugin.id, chartId)}">JSON</a></p>
</article>
`;

  function source(size: typeof lineSize, maxWidth: number): string {
    return html`<source media="(max-width: ${maxWidth}px)" srcset="${picture(size)}" !${sizeOf(size)}>`;
  }

  function picture({ width, height }: typeof lineSize): string {
    const query = shortestQuery(
      { ...pictureDefaults, range: shown ?? '30d', width, height },
      pictureDefaults,
    );
    return chartPicturePath(plugin.id, chartId, 'svg') + query;
  }
}

function sizeOf({ width, height }: typeof lineSize): string {
  return html`width="${width}" height="${height}"`;
}
