/** One chart on the page of its plugin: the picture and its links. */

import { html } from 'ghtml';
import { noPointsIn, sentences } from '../../../draw/message.ts';
import type { Chart } from '../../../model/chart.ts';
import type { ChartSpan } from '../../../model/chart-data.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { csvPath, jsonPath } from '../../address/paths.ts';
import { chartLinks } from '../../state/chart-links.ts';
import { chartAttributes, type PageState } from '../../state/page-state.ts';
import { chartPictureAddress } from '../../state/pictures.ts';
import { name } from '../words.ts';

/** Sizes of pictures without script: lines, other charts, lines in medium windows, both on phones. */
const lineSize = { width: 1120, height: 320 };
const sharesSize = { width: 560, height: 340 };
const mediumSize = { width: 760, height: 300 };
const phoneSize = { width: 400, height: 300 };

/** The part of a chart that a page shows. */
export interface ListedChart extends Pick<Chart, 'chartId' | 'title' | 'type'> {
  /** The times of its first and its last point or history; undefined for a chart without. */
  readonly span: ChartSpan | undefined;
}

/** Renders an article with the chart id as its anchor. */
export function renderChartArticle(plugin: PluginSummary, chart: ListedChart, state: PageState): string {
  const { chartId, title, type } = chart;
  const form = formOf(type);
  const isLine = form === 'line';
  const size = isLine ? lineSize : sharesSize;
  const file = csvPath(plugin, chartId);
  const linked = { pluginId: plugin.id, chartId, form, csvPath: file };
  const { csv, compare, svg, png } = chartLinks(linked, state);
  const save = (href: string, extension: string) =>
    html`<a href="${href}" download="${`${plugin.name}-${chartId}.${extension}`}" data-${extension}>${extension.toUpperCase()}</a>`;
  const isEmpty = isLine && !hasPoints(chart, state);
  const content = isEmpty
    ? html`<p class="none"><b>!${name(title)}</b> <span>${noPoints(chart, state)}</span></p>`
    : html`<picture>!${isLine ? source(phoneSize, 600) + source(mediumSize, 1000) : source(phoneSize, 1000)}<img src="${picture(size)}" !${sizeOf(size)} alt="${title}" loading="lazy"></picture>`;
  return html`<article class="chart !${isLine ? 'line' : 'shares'}" id="${chartId}" aria-labelledby="${chartId}-title">
<h2 class="hush" id="${chartId}-title">!${name(title)}</h2>
<plugin-chart plugin="${plugin.id}" chart="${chartId}"!${attributesOf(chartAttributes(state, chartId))} controls="none" theme="auto"!${isEmpty ? ' empty' : ''}>!${content}</plugin-chart>
<p class="actions"><button type="button" data-embed data-plugin="${plugin.id}" data-chart="${chartId}" data-form="${form}" data-title="${title}" aria-haspopup="dialog">Embed</button>!${
    isLine ? html`<a href="${compare}" data-compare>Compare</a>` : ''
  }<a href="#${chartId}">Link</a><a href="${csv}" download="${`${plugin.name}-${chartId}.csv`}" data-csv="${file}">CSV</a><a href="${jsonPath(plugin.id, chartId)}">JSON</a>!${save(svg, 'svg')}!${save(png, 'png')}</p>
</article>
`;

  function source(size: typeof lineSize, maxWidth: number): string {
    return html`<source media="(max-width: ${maxWidth}px)" srcset="${picture(size)}" !${sizeOf(size)}>`;
  }

  function picture(look: typeof lineSize): string {
    const { filters: _, ...shown } = state;
    return chartPictureAddress({ pluginId: plugin.id, chartId }, 'svg', { ...shown, form, look });
  }
}

/** False for a line that ends before the window, begins after it, or has no points at all. */
function hasPoints({ span }: ListedChart, { window }: PageState): boolean {
  if (span === undefined || typeof window === 'string') return span !== undefined;
  return span.last >= window.from && span.first < window.to;
}

function noPoints({ span }: ListedChart, { window }: PageState): string {
  return span === undefined || typeof window === 'string' ? sentences.none : noPointsIn(window);
}

function sizeOf({ width, height }: typeof lineSize): string {
  return html`width="${width}" height="${height}"`;
}

function attributesOf(attributes: ReturnType<typeof chartAttributes>): string {
  return Object.entries(attributes)
    .map(([key, value]) => html` !${key}="${String(value)}"`)
    .join('');
}
