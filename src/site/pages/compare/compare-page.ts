/** The comparison page: the picture, the figures of its lines, and the form that adds a line. */
import { html } from 'ghtml';
import { formatDate } from '../../../draw/format.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import { type Endpoint, Redirect } from '../../../http/endpoint.ts';
import { type ChartName, chartNamesText } from '../../../model/catalogue.ts';
import type { StoredSpan } from '../../../model/chart-data.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { type DataWindow, lengthOf, mayBeIn, spanOver, windowOverAll } from '../../../model/window.ts';
import { comparePath, pluginNowPath, pluginPath } from '../../address/paths.ts';
import { type LineFigures, loadLineFigures } from '../../charts/line-figures.ts';
import { type FoundChart, findCharts } from '../../charts/load-chart.ts';
import { comparisonTitle, withNames } from '../../state/chart-words.ts';
import {
  type CompareQuery,
  compareAddress,
  includesChart,
  isAlone,
  isScaleOffered,
  parseCompareQuery,
  shownCharts,
} from '../../state/compare-query.ts';
import { comparisonAttributes, sharedPeriod } from '../../state/page-state.ts';
import { comparisonLinks, linesPictureAddress } from '../../state/pictures.ts';
import {
  changeNote,
  changeWords,
  formatCount,
  nameHtml,
  renderAttributes,
  renderPicture,
  timeTag,
} from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import {
  askShares,
  findSharesAddress,
  missingNote,
  pluginsHeading,
  renderCompareToolbar,
  renderLineForm,
  stateLink,
} from './compare-shares.ts';

/** Endpoint of the comparison page. */
export const compareEndpoint: Endpoint = {
  path: comparePath,
  ask: (request) => {
    const { searchParams, links } = request;
    // A comparison of shares always has a view.
    if (searchParams['view'] !== undefined && searchParams['charts'] !== undefined) return askShares(request);
    const query = parseCompareQuery(searchParams);
    return {
      ...pageBody(compareAddress(query), links),
      size: 'large',
      async *parts(reader) {
        const comparison = await reader.read((view) => loadComparison(view, query));
        yield comparison instanceof Redirect ? comparison : renderComparePage(comparison, links);
      },
    };
  },
};

/** A comparison of the charts that exist. */
interface Comparison {
  readonly query: CompareQuery;
  readonly missing: readonly ChartName[];
  readonly lines: readonly ComparedLine[];
  /** The form that adds a line, as HTML. */
  readonly form: string;
}

/** A line of the comparison. */
interface ComparedLine extends FoundChart {
  /** Name in URLs, such as `1337:players`. */
  readonly key: string;
  readonly name: string;
  readonly figures: LineFigures | undefined;
  /** Times of its first and last point. */
  readonly span: StoredSpan | undefined;
}

/** Loads a comparison; rejects as {@link findCharts} does. */
async function loadComparison(view: MetricsView, asked: CompareQuery): Promise<Comparison | Redirect> {
  const missing: ChartName[] = [];
  const found = await findCharts(view, asked.charts, missing);
  const shares = await findSharesAddress(view, found, asked);
  if (shares !== undefined) return new Redirect(shares, 302);
  const query = { ...asked, charts: asked.charts.filter((chart) => !includesChart(missing, chart)) };
  const spans = await view.findSpans(found.map(({ chart }) => chart.uid));
  const lines: ComparedLine[] = [];
  for (const line of withNames(found)) {
    const span = spans.get(line.chart.uid);
    const figures = span && (await loadLineFigures(view, line.chart, span));
    lines.push({ ...line, key: chartNamesText([line]), figures, span });
  }
  return { query, missing, lines, form: await renderLineForm(view, query) };
}

const lead = 'Servers, players and other lines of up to ten plugins in one chart.';

/** Renders the document. */
function renderComparePage({ query, missing, lines, form }: Comparison, links: Links): string {
  if (lines.length === 0) {
    const head = { title: 'Compare plugins', description: lead, links };
    const content = html`<div id="-compared"><h1>${head.title}</h1>
<p class="by">${lead}</p>
</div>
`;
    return renderPage(head, content + form);
  }
  const subject = comparisonTitle(lines, 'absolute');
  const title = `${subject}: ${lines.map((line) => line.name).join(', ')}`;
  const spans = lines.flatMap(({ span }) => span ?? []);
  const ends = windowOverAll(query.window, spans);
  const data = [...new Set(query.charts.map(({ pluginId }) => pluginNowPath(pluginId)))];
  return renderPage(
    { title, description: `${title}.`, links, data },
    html`<div id="-compared">
<p class="kicker">${subject}</p>
!${pluginsHeading(lines)}!${missingNote(missing)}!${form}!${renderCompareToolbar(query)}!${renderScaleNote(query, lines)}!${renderChart(query, lines, title)}!${renderLinks(query, { title: subject, ends })}!${renderLegend(lines, { query, ends })}</div>
`,
  );
}

/**
 * Renders a note that offers other scales if the lines differ widely. The script hides it when it does not
 * apply.
 */
function renderScaleNote(query: CompareQuery, lines: readonly ComparedLine[]): string {
  const shown = lines.filter((line) => !includesChart(query.hidden, line));
  const isOffered = isScaleOffered(
    query,
    shown.map(({ figures }) => figures?.now[1] ?? 0),
  );
  return html`<p class="note" data-scale!${isOffered ? '' : ' hidden'}>The largest line is over twenty times the smallest: show them <a !${stateLink(query, 'mode=indexed')}>indexed</a>, or on a <a !${stateLink(query, 'axis=log')}>logarithmic axis</a>.</p>
`;
}

/** Sizes of the picture without script. */
const sizes = [
  { width: 400, height: 480, maxWidth: 600 },
  { width: 760, height: 400, maxWidth: 1000 },
  { width: 1120, height: 440 },
];

/** Renders the chart, with a picture for pages without script. */
function renderChart(query: CompareQuery, compared: readonly ComparedLine[], alt: string): string {
  const charts = shownCharts(query);
  const spanOf = (some: readonly ComparedLine[]) => spanOver(some.flatMap(({ span }) => span ?? []));
  const shown = compared.filter((line) => includesChart(charts, line));
  const window = sharedPeriod(query.window, spanOf(shown), spanOf(compared));
  const lines = { ...query, charts, window };
  const content =
    lines.charts.length === 0
      ? '<p class="none">All lines are hidden.</p>'
      : renderPicture(sizes, (look) => linesPictureAddress('svg', { ...lines, look }), { alt });
  return html`<div class="comparison"><plugin-chart!${renderAttributes(comparisonAttributes(query))} height="404" controls="none" theme="auto">!${content}</plugin-chart></div>
`;
}

/**
 * Renders the button of the Embed dialog, and the links to data and pictures, for the lines that are shown.
 */
function renderLinks(
  query: CompareQuery,
  { title, ends }: { readonly title: string; readonly ends: DataWindow },
): string {
  const { link, csv, svg, png } = comparisonLinks(query, lengthOf(ends));
  const isHidden = shownCharts(query).length === 0 ? ' hidden' : '';
  return html`<div class="acts"!${isHidden}><button type="button" class="button" data-table aria-pressed="false">Table</button><a class="button" href="${link}" data-link>Link</a><a class="button" href="${csv}" download data-csv>CSV</a><a class="button" href="${svg}" download data-svg>SVG</a><a class="button" href="${png}" download data-png>PNG</a><button type="button" class="button primary" data-embed data-charts data-title="${title}" aria-haspopup="dialog">Embed</button></div>
`;
}

interface LegendOptions {
  readonly query: CompareQuery;
  /** Window that the lines show. */
  readonly ends: DataWindow;
}

/** Renders a table with a row per line: its figures, and links that hide it, show it alone, or remove it. */
function renderLegend(lines: readonly ComparedLine[], options: LegendOptions): string {
  const newest = Math.max(...lines.map(({ figures }) => figures?.now[0] ?? Number.NEGATIVE_INFINITY));
  const rows = lines.map((line, place) => renderRow(line, { ...options, place, newest }));
  const asOf = Number.isFinite(newest) ? html`As of !${timeTag(newest)}. ` : '';
  return html`<div class="scroll"><table class="legend">
<thead><tr><th scope="col">Line</th><th scope="col">Latest</th><th scope="col">Peak<span>, 30 days</span></th><th scope="col">7 days</th><th scope="col">28 days</th><th scope="col"><span class="hush">Remove</span></th></tr></thead>
<tbody>
!${rows}</tbody>
</table></div>
<p class="note">!${asOf}${changeNote}</p>
`;
}

/** A line gets a date if its newest point is older than that of another line by more than this. */
const oldMs = 2 * 24 * 60 * 60 * 1000;

interface RowOptions extends LegendOptions {
  readonly place: number;
  /** Time of the newest point of all lines. */
  readonly newest: number;
}

/** Renders a row, which the script updates when the state changes. */
function renderRow(line: ComparedLine, { query, ends, place, newest }: RowOptions): string {
  const { plugin, chartId, key, figures, span } = line;
  const isHidden = includesChart(query.hidden, line);
  const isShown = mayBeIn(ends, span);
  const rest = query.charts.filter((each) => !includesChart([line], each));
  const isOld = figures !== undefined && newest - figures.now[0] > oldMs;
  const old = isOld
    ? html`<small class="empty-line">the newest is of !${timeTag(figures.now[0], formatDate)}</small>`
    : '';
  const hasOthers = rest.length > 0;
  const toggle = hasOthers
    ? html`<a class="toggle" !${stateLink(query, `toggle=${key}`)} aria-label="${isHidden ? 'Show' : 'Hide'} ${line.name}">!${swatch(place)}</a>`
    : swatch(place);
  const isOnly = isAlone(query, line);
  const only = hasOthers
    ? html` <a class="only" !${stateLink(query, `only=${key}`)} aria-label="${isOnly ? 'Show all lines' : `Only ${line.name}`}">${isOnly ? 'All' : 'Only'}</a>`
    : '';
  return html`<tr data-chart="${key}" data-name="${line.name}" data-now="${figures?.now[1] ?? 0}"!${span === undefined ? '' : html` data-first="${span.first}" data-last="${span.last}"`}!${isHidden ? ' class="off"' : ''}><th scope="row">!${toggle}<a href="${pluginPath(plugin)}#${chartId}">!${nameHtml(line.name)}</a> <small>!${nameHtml(line.name === plugin.software.name ? plugin.name : plugin.software.name)}</small>!${only}<small class="empty-line" data-empty!${isHidden || isShown ? ' hidden' : ''}>no points here</small>!${old}</th><td>${formatCount(figures?.now[1])}</td><td>${formatCount(figures?.peak30d[1])}</td><td>${changeWords(figures?.changes['7d'])}</td><td>${changeWords(figures?.changes['28d'])}</td><td><a class="remove" !${stateLink(query, `charts=${chartNamesText(rest)}`)} aria-label="Remove ${line.name}">×</a></td></tr>
`;
}

/** Renders the sample of a line in the legend; for a sum, the style turns it into an area. */
function swatch(place: number): string {
  const paint = new Paint('auto');
  return html`<svg class="swatch" viewBox="0 0 20 12" width="20" height="12" aria-hidden="true"><path d="M0 6h20"!${paint.stroke(seriesInk(place))}/></svg>`;
}
