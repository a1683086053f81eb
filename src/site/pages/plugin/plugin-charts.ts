/** The charts of a plugin's page, each a card with buttons and a menu of links. */

import { html } from 'ghtml';
import { noPointsIn } from '../../../draw/message.ts';
import type { Chart } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { mayBeIn, type Span, sharedPeriod, windowOverAll } from '../../../model/window.ts';
import { csvPath, jsonPath } from '../../address/paths.ts';
import { titleBesideName } from '../../state/chart-words.ts';
import { chartAttributes, type PageState } from '../../state/page-state.ts';
import { chartLinks, chartPictureAddress } from '../../state/pictures.ts';
import { nameHtml, renderAttributes, renderPicture } from '../html.ts';

/** Sizes of the pictures without script, for lines and for other charts. */
const lineSizes = [
  { width: 400, height: 300, maxWidth: 600 },
  { width: 760, height: 300, maxWidth: 1000 },
  { width: 1120, height: 320 },
];
const sharesSizes = [
  { width: 400, height: 300, maxWidth: 1000 },
  { width: 560, height: 340 },
];

/** Fields of a chart that a page shows. */
export interface ListedChart extends Pick<Chart, 'chartId' | 'title' | 'type' | 'isDefault'> {
  /** Times of its first and last point or history; undefined without any. */
  readonly span: Span | undefined;
}

/** State of a page, and the combined span of its charts, which share one window. */
export interface SharedState {
  readonly state: PageState;
  readonly span: Span | undefined;
}

/** Renders an article with the chart id as its anchor. */
export function renderChartArticle(plugin: PluginSummary, chart: ListedChart, shared: SharedState): string {
  const { chartId, type } = chart;
  const title = chart.isDefault ? titleBesideName(chart) : chart.title;
  const named = title === chart.title ? {} : { title };
  const { state } = shared;
  const form = formOf(type);
  const isLine = form === 'line';
  const sizes = isLine || state.view !== 'now' ? lineSizes : sharesSizes;
  const { filters: _, ...shown } = state;
  const pictured = { ...shown, form, window: sharedPeriod(state.window, chart.span, shared.span) };
  const file = csvPath(plugin, chartId);
  const linked = { pluginId: plugin.id, chartId, form, csvPath: file };
  const { csv, compare, svg, png } = chartLinks(linked, state);
  const save = (href: string, extension: string) =>
    html`<a href="${href}" download="${`${plugin.name}-${chartId}.${extension}`}" data-${extension}>${extension.toUpperCase()}</a>`;
  const isEmpty =
    isLine && !mayBeIn(windowOverAll(state.window, shared.span ? [shared.span] : []), chart.span);
  // Charts of shares may have data without a history.
  const hasTable = isLine ? chart.span !== undefined : form !== 'other';
  const content = isEmpty
    ? html`<p class="none"><b>!${nameHtml(title)}</b> <span>${noPoints(chart, shared)}</span></p>`
    : renderPicture(
        sizes,
        (look) =>
          chartPictureAddress({ pluginId: plugin.id, chartId }, 'svg', {
            ...pictured,
            look: { ...look, ...named },
          }),
        { alt: title, isLazy: true },
      );
  const links = [
    html`<a href="#${chartId}">Link to this chart</a>`,
    ...(isLine ? [html`<a href="${compare}" data-compare>Compare</a>`] : []),
    html`<a href="${csv}" download="${`${plugin.name}-${chartId}.csv`}" data-csv="${file}">CSV</a>`,
    html`<a href="${jsonPath(plugin.id, chartId)}">JSON</a>`,
    save(svg, 'svg'),
    save(png, 'png'),
  ];
  return html`<article class="chart !${isLine ? 'line' : 'shares'}" id="${chartId}" aria-labelledby="${chartId}-title">
<h3 class="hush" id="${chartId}-title">!${nameHtml(title)}</h3>
<div class="tools">!${hasTable ? tableIcon : ''}<button type="button" data-embed data-plugin="${plugin.id}" data-chart="${chartId}" data-form="${form}" data-title="${chart.title}" aria-haspopup="dialog" aria-label="Embed" title="Embed">!${embedIcon}</button><details class="menu" name="menu"><summary aria-label="More" title="More">!${moreIcon}</summary><ul>!${links.map((link) => html`<li>!${link}</li>`)}</ul></details></div>
<plugin-chart plugin="${plugin.id}" chart="${chartId}"!${renderAttributes({ ...chartAttributes(state, chartId), ...named })} controls="page" theme="auto"!${isEmpty ? ' empty' : ''}>!${content}</plugin-chart>
</article>
`;
}

const iconOf = (path: string) => `<svg viewBox="0 0 20 20" aria-hidden="true"><path d="${path}"/></svg>`;
const embedIcon = iconOf('M7 6l-4 4 4 4M13 6l4 4-4 4');
const moreIcon = iconOf('M4.5 10h.01M10 10h.01M15.5 10h.01');
const tableIcon = `<button type="button" data-table aria-pressed="false" aria-label="Table" title="Table">${iconOf('M3 4.5h14v11H3zM3 8.5h14M8 8.5v7')}</button>`;

function noPoints({ span }: ListedChart, { state: { window }, span: shared }: SharedState): string {
  return noPointsIn(window, span && shared && { timestamp: shared.last });
}
