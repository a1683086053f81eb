/** The page that compares charts of shares, such as the ladders of versions of two plugins, side by side. */
import { html } from 'ghtml';
import { listWords } from '../../../draw/format.ts';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { areVersionNames } from '../../../draw/shares/share-colours.ts';
import { type EndpointRequest, Redirect, type ResponseBody } from '../../../http/endpoint.ts';
import { type ChartName, chartNamesText, type PluginSummary } from '../../../model/catalogue.ts';
import { hasShares } from '../../../model/chart-forms.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { type Span, spanOver } from '../../../model/window.ts';
import { comparePath, pluginNowPath, pluginPath, type QueryParameters } from '../../address/paths.ts';
import { type FoundChart, findChart, findCharts } from '../../charts/load-chart.ts';
import { loadFacts } from '../../charts/load-facts.ts';
import { chartViewLabels, groupLabels, viewLabels } from '../../state/chart-state.ts';
import { subjectOf, withNames } from '../../state/chart-words.ts';
import {
  type CompareQuery,
  changedComparison,
  compareAddress,
  compareParameters,
  includesChart,
} from '../../state/compare-query.ts';
import { changed, parse } from '../../state/fields.ts';
import {
  type ComparedShares,
  comparedSharesAddress,
  comparedSharesFields,
  comparedSharesParameters,
  shownShares,
} from '../../state/shares-query.ts';
import { renderChartArticle } from '../chart-article.ts';
import { loadFirstCharts } from '../first-charts.ts';
import { heading, nameHtml, renderHiddenInputs, renderSearch } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { renderChoices, renderTimesForm, renderUnits } from '../toolbar.ts';

const modes = { absolute: 'Values', indexed: 'Indexed', sum: 'Sum' };
const axes = { linear: 'Linear', log: 'Logarithmic' };

/**
 * Renders the toolbar. The style hides the choice of axes for a sum, because a stacked picture has only one.
 */
export function renderCompareToolbar(query: CompareQuery): string {
  const { mode, axis, window } = query;
  const addressOf = (change: string) => addressWith(query, change);
  const parameters = compareParameters({ ...query, add: '' });
  return html`<div class="toolbar"><div class="row">!${renderTimesForm({ path: comparePath, window, addressOf, parameters })}!${renderChoices('mode', modes, { label: 'Mode', current: mode, addressOf })}!${renderChoices('axis', axes, { label: 'Axis', current: axis, addressOf })}</div></div>
`;
}

function addressWith(query: CompareQuery, change: string): string {
  return compareAddress({ ...changedComparison(query, change), add: '' });
}

/** Returns the attributes of a link to the comparison with one change. */
export function stateLink(query: CompareQuery, change: string): string {
  return html`href="${addressWith(query, change)}" data-set="${change}"`;
}

const maxFound = 8;

/** A comparison to which a chart can be added. */
interface Adding {
  readonly charts: readonly ChartName[];
  /** The noun of what can be added. */
  readonly what: 'a line' | 'a plugin';
  /** Search text. */
  readonly add: string;
  /** Query parameters of the page. */
  readonly parameters: QueryParameters;
  /** The charts offered of each plugin: their ids, and a test of their types. */
  readonly chartIds: Iterable<string>;
  readonly isOffered: (type: string) => boolean;
  /** Returns the attributes of a link to the page with these charts. */
  readonly linkTo: (charts: readonly ChartName[]) => string;
}

/** Renders the form that adds a line. */
export function renderLineForm(view: MetricsView, query: CompareQuery): Promise<string> {
  const { charts, add } = query;
  return renderCompareForm(view, {
    ...{ what: 'a line', charts, add, parameters: compareParameters(query) },
    chartIds: new Set(['servers', 'players', ...charts.map((chart) => chart.chartId)]),
    isOffered: (type) => formOf(type) === 'line',
    linkTo: (names) => stateLink(query, `charts=${chartNamesText(names)}`),
  });
}

/** Renders the form with its results. An empty comparison offers the plugins with the most servers. */
async function renderCompareForm(view: MetricsView, adding: Adding): Promise<string> {
  if (adding.charts.length >= maxComparedLines)
    return `<section class="adding" id="adding"><p class="found">A comparison has up to ${maxComparedLines} charts.</p></section>\n`;
  const { add: _, ...others } = adding.parameters;
  return html`<section class="adding" id="adding" aria-labelledby="add-title">
<h2 id="add-title">Add ${adding.what}</h2>
!${renderSearch(`${comparePath}#add-title`, { name: 'add', value: adding.add, label: `Search for ${adding.what}`, list: 'offered', before: renderHiddenInputs(others) })}<div id="offered">!${await suggestions(view, adding)}</div></section>
`;
}

async function suggestions(view: MetricsView, adding: Adding): Promise<string> {
  const { add: text, charts } = adding;
  if (text === '' && charts.length > 0) return '';
  const request = { find: 'best', sort: 'servers', descending: true } as const;
  const { plugins } = await view.findPlugins({ ...request, text, limit: maxFound });
  if (plugins.length === 0) return html`<p class="found" role="status">No plugins match “${text}”.</p>`;
  const items: string[] = [];
  for (const plugin of plugins) {
    const links = await offers(view, plugin, adding);
    items.push(html`<li><span><strong>!${nameHtml(plugin.name)}</strong> <small>!${nameHtml(plugin.owner.name)} · !${nameHtml(plugin.software.name)}</small></span><span class="offers">!${links.length === 0 ? '<small>nothing to add</small>' : links}</span></li>
`);
  }
  return html`<ul class="offered">
!${items}</ul>
`;
}

/** Renders links that add a chart of a plugin. */
async function offers(
  view: MetricsView,
  plugin: PluginSummary,
  { charts, chartIds, isOffered, linkTo }: Adding,
): Promise<string[]> {
  const links: string[] = [];
  for (const chartId of chartIds) {
    const offered = { pluginId: plugin.id, chartId };
    const chart = includesChart(charts, offered) ? undefined : await findChart(view, plugin.id, chartId);
    if (chart === undefined || !isOffered(chart.type)) continue;
    links.push(
      html`<a !${linkTo([...charts, offered])}>!${nameHtml(subjectOf([{ plugin, chart }]) ?? '')}</a>`,
    );
  }
  return links;
}

/** Renders the heading: the names of the compared plugins. */
export function pluginsHeading(charts: readonly FoundChart[]): string {
  const plugins = [...new Set(charts.map(({ plugin }) => plugin.name))];
  return heading(listWords(plugins.slice(0, maxNamed), plugins.length - maxNamed));
}

/** Maximum number of plugins in the heading; the table has all. */
const maxNamed = 3;

/** Renders a note that names the charts that are left out; empty for none. */
export function missingNote(missing: readonly ChartName[]): string {
  if (missing.length === 0) return '';
  const list = chartNamesText(missing).replaceAll(',', ', ');
  return html`<p class="note" role="note">Charts that do not exist are left out: ${list}.</p>
`;
}

/** Finds the address of the page for charts of a comparison; undefined if they are no charts of shares. */
export async function findSharesAddress(
  view: MetricsView,
  [first]: readonly FoundChart[],
  { charts, window, add }: CompareQuery,
): Promise<string | undefined> {
  if (first === undefined || !hasShares(first.chart.type)) return undefined;
  const { colours = [] } = await loadFacts(view, { ...first.chart, pluginId: first.pluginId });
  const shown = areVersionNames(colours) ? 'ladder' : 'now';
  return comparedSharesAddress({ ...parse(comparedSharesFields, {}), charts, window, add, view: shown });
}

/** Makes the body of the page. Lines are redirected to their comparison. */
export function askShares({ searchParams, links }: EndpointRequest): ResponseBody {
  const query = parse(comparedSharesFields, searchParams);
  return {
    ...pageBody(comparedSharesAddress(query), links),
    size: 'large',
    async *parts(reader) {
      const compared = await reader.read((view) => loadShares(view, query));
      const { charts, window } = query;
      yield compared === undefined
        ? new Redirect(compareAddress({ charts, window }), 302)
        : renderShares(compared, links);
    },
  };
}

/** The charts that exist. */
interface ComparedCharts {
  readonly query: ComparedShares;
  readonly missing: readonly ChartName[];
  readonly found: ReadonlyArray<FoundChart & Record<'span' | 'pluginSpan', Span | undefined>>;
  /** True for charts of versions, which have ladders. */
  readonly areVersions: boolean;
  /** The form that adds a plugin, as HTML. */
  readonly form: string;
}

/** Loads the charts; undefined for lines, and without charts. Rejects as {@link findCharts} does. */
async function loadShares(view: MetricsView, asked: ComparedShares): Promise<ComparedCharts | undefined> {
  const missing: ChartName[] = [];
  const found = await findCharts(view, asked.charts, missing);
  if (found[0] === undefined || !hasShares(found[0].chart.type)) return undefined;
  const charts = found.map(({ pluginId, chartId }) => ({ pluginId, chartId }));
  const query = { ...asked, charts };
  const spans = await view.findSpans(found.map(({ chart }) => chart.uid));
  let areVersions = false;
  for (const { pluginId, chart } of found) {
    const { colours = [] } = await loadFacts(view, { ...chart, pluginId });
    areVersions ||= areVersionNames(colours);
  }
  const form = await renderCompareForm(view, {
    ...{ what: 'a plugin', charts, add: asked.add, isOffered: hasShares },
    parameters: comparedSharesParameters(query),
    chartIds: new Set(charts.map(({ chartId }) => chartId)),
    linkTo: (names) => linkTo(query, names),
  });
  const spanned: ComparedCharts['found'][number][] = [];
  for (const one of found) {
    const { span: pluginSpan } = await loadFirstCharts(view, one.pluginId);
    spanned.push({ ...one, span: spans.get(one.chart.uid), pluginSpan });
  }
  return { query, missing, found: spanned, areVersions, form };
}

/** Renders the attributes of a link to the page with other charts. The script leaves it to the browser. */
function linkTo(query: ComparedShares, names: readonly ChartName[]): string {
  const address = comparedSharesAddress({ ...query, charts: names, add: '' });
  return html`href="${address}" data-set="charts=${chartNamesText(names)}"`;
}

/** Renders the document. */
function renderShares(compared: ComparedCharts, links: Links): string {
  const { query, missing, found, form } = compared;
  const named = withNames(found);
  const subject = subjectOf(found) ?? 'Comparison';
  const title = `${subject}: ${named.map(({ name }) => name).join(', ')}`;
  const span = spanOver(found.flatMap((one) => one.span ?? []));
  const pluginsSpan = spanOver(found.flatMap((one) => one.pluginSpan ?? []));
  const articles = named.map(({ plugin, chart, span: own, pluginSpan, name: heading }) => {
    const anchor = `${plugin.id}-${chart.chartId}`;
    const shown = { ...chart, span: own, pluginSpan, anchor, heading };
    return renderChartArticle([plugin], shown, { state: shownShares(query), span, pluginsSpan });
  });
  const items = named.map((one) => {
    const rest = query.charts.filter((each) => !includesChart([one], each));
    return html`<li><a href="${pluginPath(one.plugin)}#${one.chartId}">!${nameHtml(one.name)}</a> <a class="remove" !${linkTo(query, rest)} aria-label="Remove ${one.name}">×</a></li>`;
  });
  return renderPage(
    {
      title,
      description: `${title}.`,
      links,
      data: query.charts.map(({ pluginId }) => pluginNowPath(pluginId)),
    },
    html`<div id="-compared" data-shares>
<p class="kicker">${subject}</p>
!${pluginsHeading(found)}!${missingNote(missing)}!${form}!${renderToolbar(compared)}<ul class="sides">!${items}</ul>
<div class="charts">
!${articles}</div></div>
`,
  );
}

function renderToolbar({ query, areVersions }: ComparedCharts): string {
  const { window, view: current = 'now', unit, group } = query;
  const addressOf = (change: string) =>
    comparedSharesAddress({ ...changed(comparedSharesFields, query, change), add: '' });
  const parameters = comparedSharesParameters({ ...query, add: '' });
  const units = renderUnits(unit, current === 'history' || current === 'lines', addressOf);
  const views = areVersions ? chartViewLabels : viewLabels;
  const versions = renderChoices('group', groupLabels, { label: 'Versions', current: group, addressOf });
  return html`<div class="toolbar"><div class="row">!${renderTimesForm({ path: comparePath, window, addressOf, parameters })}!${renderChoices('view', views, { label: 'Shares', current, addressOf })}!${areVersions ? versions : ''}!${units}</div></div>
`;
}
