/** Charts of a page, each a card with buttons and a menu of links. */

import { html } from 'ghtml';
import { noPointsIn } from '../../draw/message.ts';
import { type Chart, chartNamesText } from '../../model/catalogue.ts';
import { formOf } from '../../model/chart-types.ts';
import { mayBeIn, type Span, windowOverAll } from '../../model/window.ts';
import { csvPath, jsonPath, type PluginAddress } from '../address/paths.ts';
import { titleBesideName } from '../state/chart-words.ts';
import { chartAttributes, type ShownState, sharedPeriod } from '../state/page-state.ts';
import { chartLinks, chartPictureAddress } from '../state/pictures.ts';
import { nameHtml, renderAttributes, renderPicture } from './html.ts';

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

/** A chart with an anchor and a heading of its own, where a page has several of one id. */
interface ShownChart extends ListedChart {
  readonly anchor?: string;
  readonly heading?: string;
  /** Combined span of all charts of its plugins, where a page has several plugins. */
  readonly pluginSpan?: Span | undefined;
}

/** State of a page, and the combined span of its charts, which share one window. */
export interface SharedState {
  readonly state: ShownState;
  readonly span: Span | undefined;
  /** Combined span of all charts of all its plugins, where a page has several plugins. */
  readonly pluginsSpan?: Span | undefined;
}

/**
 * Renders an article with the chart id as its anchor: the chart of a plugin, or the sum of those of several
 * plugins, the first of which names the files.
 */
export function renderChartArticle(
  plugins: readonly PluginAddress[],
  chart: ShownChart,
  shared: SharedState,
): string {
  const { chartId, type } = chart;
  const { anchor = chartId } = chart;
  const title = chart.heading ?? (chart.isDefault ? titleBesideName(chart) : chart.title);
  const { state } = shared;
  const form = formOf(type);
  const isLine = form === 'line';
  const sizes = isLine || state.view !== 'now' ? lineSizes : sharesSizes;
  const charts = plugins.map(({ id }) => ({ pluginId: id, chartId }));
  const [plugin] = plugins;
  const isSum = charts.length > 1;
  const named = title === chart.title && !isSum ? {} : { title };
  const { filters: _, ...shown } = state;
  const pictured = { ...shown, form, window: sharedPeriod(state.window, chart.span, shared.span) };
  const file = plugin === undefined ? '' : csvPath(plugin, chartId);
  const { csv, compare, svg, png } = chartLinks({ charts, form, csvPath: file }, state);
  const save = (href: string, extension: 'csv' | 'svg' | 'png', attribute = html`data-${extension}`) =>
    html`<a href="${href}" download="${`${plugin?.name}-${chartId}.${extension}`}" !${attribute}>${extension.toUpperCase()}</a>`;
  const isEmpty =
    isLine && !mayBeIn(windowOverAll(state.window, shared.span ? [shared.span] : []), chart.span);
  // Charts of shares may have data without a history.
  const hasTable = isLine ? chart.span !== undefined : form !== 'other';
  const content = isEmpty
    ? html`<p class="none"><b>!${nameHtml(title)}</b> <span>${noPoints(chart, shared)}</span></p>`
    : renderPicture(
        sizes,
        (look) => chartPictureAddress(charts, 'svg', { ...pictured, look: { ...look, ...named } }),
        { alt: title, isLazy: true },
      );
  const links = [
    html`<a href="#${anchor}">Link to this chart</a>`,
    ...(form !== 'other' ? [html`<a href="${compare}" data-compare>Compare</a>`] : []),
    save(csv, 'csv', html`data-csv="${file}"`),
    ...(isSum ? [] : charts.map(({ pluginId }) => html`<a href="${jsonPath(pluginId, chartId)}">JSON</a>`)),
    save(svg, 'svg'),
    save(png, 'png'),
  ];
  const source = isSum
    ? { charts: chartNamesText(charts), mode: 'sum' }
    : { plugin: plugin?.id, chart: chartId };
  // The element alone counts a range back from the newest time of its plugins.
  const window = sharedPeriod(state.window, chart.pluginSpan, shared.pluginsSpan);
  const spans = [chart.pluginSpan, shared.pluginsSpan].flatMap((span) => span ?? []);
  return html`<article class="chart !${isLine ? 'line' : 'shares'}" id="${anchor}" aria-labelledby="${anchor}-title"!${spans.length > 1 ? html` data-spans="${JSON.stringify(spans)}"` : ''}>
<h3 class="hush" id="${anchor}-title">!${nameHtml(title)}</h3>
<div class="tools">!${hasTable ? tableIcon : ''}<button type="button" data-embed data-chart="${chartId}" data-form="${form}" data-title="${chart.title}" aria-haspopup="dialog" aria-label="Embed" title="Embed">!${embedIcon}</button><details class="menu" name="menu"><summary aria-label="More" title="More">!${moreIcon}</summary><ul>!${links.map((link) => html`<li>!${link}</li>`)}</ul></details></div>
<plugin-chart!${renderAttributes({ ...source, ...chartAttributes({ ...state, window }, chartId), ...named })} controls="page" theme="auto"!${isEmpty ? ' empty' : ''}>!${content}</plugin-chart>
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
