/** The comparison page: the picture, the figures of its lines, and the form that adds one. */
import { html } from 'ghtml';
import { listWords } from '../../../draw/format.ts';
import type { Endpoint } from '../../../http/endpoint.ts';
import { type ChartName, chartNamesText } from '../../../model/chart.ts';
import type { MetricsReader, MetricsView } from '../../../model/metrics-reader.ts';
import { isSameName } from '../../../model/names.ts';
import { type TimeWindow, windowOverAll } from '../../../model/window.ts';
import { comparePath, pluginNowPath, pluginPath } from '../../address/paths.ts';
import { loadLineFigures } from '../../charts/line-figures.ts';
import { type FoundChart, findKnownCharts } from '../../charts/load-comparison.ts';
import {
  type CompareQuery,
  compareAddress,
  includesChart,
  parseCompareQuery,
  shownCharts,
} from '../../state/compare-query.ts';
import { comparisonTitle, isScaleOffered, namesOf } from '../../state/comparison-words.ts';
import { comparisonAttributes } from '../../state/page-state.ts';
import { comparisonLinks, linesPictureAddress } from '../../state/pictures.ts';
import { pageBody, renderPage } from '../page.ts';
import { heading, name, renderAttributes, renderPicture, tableButton } from '../words.ts';
import { renderCompareForm, renderCompareToolbar, stateLink } from './compare-controls.ts';
import { type LegendLine, renderCompareLegend } from './compare-legend.ts';

/** The comparison page. */
export const compareEndpoint: Endpoint = {
  path: comparePath,
  ask: ({ searchParams, origin }) => {
    const query = parseCompareQuery(searchParams);
    return {
      ...pageBody(compareAddress(query), origin),
      size: 'large',
      async *parts(reader) {
        yield await renderComparePage(reader, { query, origin });
      },
    };
  },
};

/** Renders the document. */
async function renderComparePage(
  reader: MetricsReader,
  { query: asked, origin }: { readonly query: CompareQuery; readonly origin: string },
): Promise<string> {
  const { query, missing, lines, form } = await reader.read(async (view) => {
    const { found, missing } = await findKnownCharts(view, asked.charts);
    const charts = asked.charts.filter((chart) => !includesChart(missing, chart));
    const query = { ...asked, charts };
    const form = await renderCompareForm(view, query);
    return { query, missing, form, lines: await loadLegend(view, found, charts) };
  });
  if (lines.length === 0) {
    const head = { title: 'Compare plugins', description: lead, origin };
    const heading = html`<div id="compared"><h1>${head.title}</h1>
<p class="by">${lead}</p>
</div>
`;
    return renderPage(head, heading + form);
  }
  const found = lines.map((line) => line.found);
  const title = comparisonTitle(found, 'absolute');
  const description = `${title}: ${lines.map((line) => line.name).join(', ')}`;
  const pluginNames = [...new Set(found.map(({ plugin }) => plugin.name))];
  const subject = platformsOf(found, title) ?? {
    title: description,
    heading: html`<p class="kicker">!${name(title)}</p>
<h1>!${name(listWords(pluginNames.slice(0, maxNamed), pluginNames.length - maxNamed))}</h1>
`,
  };
  const ends = windowOverAll(
    query.window,
    lines.flatMap(({ span }) => span ?? []),
  );
  const data = [...new Set(query.charts.map(({ pluginId }) => pluginNowPath(pluginId)))];
  return renderPage(
    { title: subject.title, description: `${description}.`, origin, data },
    html`<div id="compared">
!${subject.heading}!${missingNote(missing)}!${renderCompareToolbar(query)}!${renderScaleNote(query, lines)}!${renderChart(query, description)}!${renderLinks(query, { title, ends })}!${renderCompareLegend(lines, { query, ends })}</div>
!${form}`,
  );
}

/** The plugins that the heading names. */
const maxNamed = 3;

const lead = 'Servers, players and other lines of up to ten plugins in one chart.';

/** Loads the figures of lines, which have these names in addresses. */
async function loadLegend(
  view: MetricsView,
  found: readonly FoundChart[],
  charts: readonly ChartName[],
): Promise<readonly LegendLine[]> {
  const spans = await view.findSpans(found.map(({ chart }) => chart.uid));
  const names = namesOf(found);
  const lines: LegendLine[] = [];
  for (const [index, each] of found.entries()) {
    const { uid, chartId } = each.chart;
    lines.push({
      chart: charts[index] ?? { pluginId: each.plugin.id, chartId },
      found: each,
      name: names[index] ?? '',
      figures: await loadLineFigures(view, uid),
      span: spans.get(uid),
    });
  }
  return lines;
}

/** The title and the heading of lines that are one plugin on several platforms, with links to its pages; undefined for others. */
function platformsOf(found: readonly FoundChart[], title: string) {
  const [first, ...others] = found;
  if (first === undefined || others.length === 0) return undefined;
  const isOnePlugin = others.every(
    ({ plugin, chart }) =>
      plugin.owner.id === first.plugin.owner.id &&
      isSameName(plugin.name, first.plugin.name) &&
      plugin.software.id !== first.plugin.software.id &&
      chart.chartId === first.chart.chartId,
  );
  if (!isOnePlugin) return undefined;
  const platforms = found.map(
    ({ plugin }) => html`<a href="${pluginPath(plugin)}">!${name(plugin.software.name)}</a>`,
  );
  return {
    title: `${first.plugin.name} on all platforms: ${title}`,
    heading: html`<p class="kicker">All platforms</p>
!${heading(first.plugin.name)}<p class="by">!${name(title)}: !${platforms.join(', ')}</p>
`,
  };
}

/** The sentence that offers other scales where lines differ much. The script hides it with what the page shows. */
function renderScaleNote(query: CompareQuery, lines: readonly LegendLine[]): string {
  const shown = lines.filter(({ chart }) => !includesChart(query.hidden, chart));
  const isOffered = isScaleOffered(
    query,
    shown.map(({ figures }) => figures?.now ?? 0),
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

/** The chart, with its picture for pages without script. */
function renderChart(query: CompareQuery, description: string): string {
  const { mode, axis, window } = query;
  const charts = shownCharts(query);
  const content =
    charts.length === 0
      ? '<p class="none">All lines are hidden.</p>'
      : renderPicture(sizes, (look) => linesPictureAddress('svg', { charts, mode, axis, window, look }), {
          alt: description,
        });
  return html`<div class="comparison"><plugin-chart!${renderAttributes(comparisonAttributes(query))} height="404" controls="none" theme="auto">!${content}</plugin-chart></div>
`;
}

/** The button of the Embed dialog, and the links to data and pictures. They are of the lines that are shown. */
function renderLinks(
  query: CompareQuery,
  { title, ends }: { readonly title: string; readonly ends: TimeWindow },
): string {
  const { link, csv, svg, png } = comparisonLinks(query, ends.to - 1 - ends.from);
  const isHidden = shownCharts(query).length === 0 ? ' hidden' : '';
  return html`<p class="actions"!${isHidden}>!${tableButton}<button type="button" data-embed data-charts data-title="${title}" aria-haspopup="dialog">Embed</button><a href="${link}" data-link>Link</a><a href="${csv}" download data-csv>CSV</a><a href="${svg}" download data-svg>SVG</a><a href="${png}" download data-png>PNG</a></p>
`;
}

function missingNote(missing: readonly ChartName[]): string {
  if (missing.length === 0) return '';
  const list = chartNamesText(missing).replaceAll(',', ', ');
  return html`<p class="note" role="note">${missing.length === 1 ? 'This chart does' : 'These charts do'} not exist and ${missing.length === 1 ? 'is' : 'are'} left out: ${list}.</p>
`;
}
