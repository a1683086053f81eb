/** The page that compares charts of shares, such as the ladders of versions of two plugins, side by side. */
import { html } from 'ghtml';
import { areVersionNames } from '../../../draw/shares/share-colours.ts';
import { type EndpointRequest, Redirect, type ResponseBody } from '../../../http/endpoint.ts';
import { type ChartName, chartNamesText } from '../../../model/chart.ts';
import { hasShares } from '../../../model/chart-forms.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { type Span, spanOver } from '../../../model/window.ts';
import { comparePath, pluginNowPath, pluginPath } from '../../address/paths.ts';
import { type FoundChart, findCharts } from '../../charts/load-chart.ts';
import { loadFacts } from '../../charts/load-facts.ts';
import { chartViewLabels, groupLabels, unitLabels, viewLabels } from '../../state/chart-state.ts';
import { namesOf, subjectOf } from '../../state/chart-words.ts';
import { type CompareQuery, compareAddress } from '../../state/compare-query.ts';
import { changed, parse } from '../../state/fields.ts';
import {
  type ComparedShares,
  comparedSharesAddress,
  comparedSharesFields,
  comparedSharesParameters,
  shownShares,
} from '../../state/shares-query.ts';
import { renderChartArticle } from '../chart-article.ts';
import { nameHtml } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { renderChoices, renderTimesForm } from '../toolbar.ts';
import { missingNote, pluginsHeading, renderCompareForm } from './compare-controls.ts';

/** Finds the address of the page for charts of a comparison; undefined if they are no charts of shares. */
export async function findSharesAddress(
  view: MetricsView,
  [first]: readonly FoundChart[],
  { charts, window, add }: CompareQuery,
): Promise<string | undefined> {
  if (first === undefined || !hasShares(first.chart.type)) return undefined;
  const { colours = [] } = await loadFacts(view, { ...first.chart, pluginId: first.plugin.id });
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
  readonly found: ReadonlyArray<FoundChart & { readonly span: Span | undefined }>;
  /** True for charts of versions, which have ladders. */
  readonly areVersions: boolean;
  /** The form that adds a plugin, as HTML. */
  readonly form: string;
}

/** Loads the charts; undefined for lines, and without charts. Rejects as {@link findCharts} does. */
async function loadShares(view: MetricsView, asked: ComparedShares): Promise<ComparedCharts | undefined> {
  const missing: ChartName[] = [];
  const found = await findCharts(view, asked.charts, { missing, canBeShares: true });
  if (found[0] === undefined || !hasShares(found[0].chart.type)) return undefined;
  const charts = found.map(({ plugin, chart }) => ({ pluginId: plugin.id, chartId: chart.chartId }));
  const query = { ...asked, charts };
  const spans = await view.findSpans(found.map(({ chart }) => chart.uid));
  let areVersions = false;
  for (const { plugin, chart } of found) {
    const { colours = [] } = await loadFacts(view, { ...chart, pluginId: plugin.id });
    areVersions ||= areVersionNames(colours);
  }
  const form = await renderCompareForm(view, {
    ...{ what: 'a plugin', charts, add: asked.add, isOffered: hasShares },
    parameters: comparedSharesParameters(query),
    chartIds: new Set(charts.map(({ chartId }) => chartId)),
    linkTo: (names) => linkTo(query, names),
  });
  const spanned = found.map((one) => ({ ...one, span: spans.get(one.chart.uid) }));
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
  const names = namesOf(found);
  const subject = subjectOf(found) ?? 'Comparison';
  const title = `${subject}: ${names.join(', ')}`;
  const span = spanOver(found.flatMap((one) => one.span ?? []));
  const articles = found.map(({ plugin, chart, span: own }, index) => {
    const { chartId } = chart;
    const anchor = `${plugin.id}-${chartId}`;
    const shown = { ...chart, span: own, anchor, heading: names[index] ?? '' };
    return renderChartArticle([plugin], shown, { state: shownShares(query), span });
  });
  const items = found.map(({ plugin, chart: { chartId } }, index) => {
    const rest = query.charts.filter((each) => !(each.pluginId === plugin.id && each.chartId === chartId));
    return html`<li><a href="${pluginPath(plugin)}#${chartId}">!${nameHtml(names[index] ?? '')}</a> <a class="remove" !${linkTo(query, rest)} aria-label="Remove ${names[index]}">×</a></li>`;
  });
  return renderPage(
    {
      title,
      description: `${title}.`,
      links,
      data: query.charts.map(({ pluginId }) => pluginNowPath(pluginId)),
    },
    html`<div id="compared" data-shares>
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
  const areOverTime = current === 'history' || current === 'lines';
  const views = areVersions ? chartViewLabels : viewLabels;
  const versions = renderChoices('group', groupLabels, { label: 'Versions', current: group, addressOf });
  return html`<div class="toolbar"><div class="row">!${renderTimesForm({ path: comparePath, window, addressOf, parameters })}!${renderChoices('view', views, { label: 'Shares', current, addressOf })}!${areVersions ? versions : ''}<div class="units" data-shown-in="history"!${areOverTime ? '' : ' hidden'}>!${renderChoices('unit', unitLabels, { label: 'Unit', current: unit, addressOf })}</div></div></div>
`;
}
