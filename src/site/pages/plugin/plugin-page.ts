/** The page of one plugin: how it stands, then its charts by section. */
import { html } from 'ghtml';
import { formatExact } from '../../../draw/format.ts';
import { lineStep } from '../../../draw/time-step.ts';
import { type Endpoint, Redirect } from '../../../http/endpoint.ts';
import { hasShares } from '../../../model/chart-forms.ts';
import { formOf } from '../../../model/chart-types.ts';
import { parsePluginId } from '../../../model/identifier.ts';
import type { Links } from '../../../model/links.ts';
import { lengthOf, windowOver } from '../../../model/window.ts';
import { nextTurn } from '../../../runtime/next-turn.ts';
import { feedPath, isSegmentOf, pluginJsonPath, pluginNowPath, pluginPath } from '../../address/paths.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { changed, parse } from '../../state/fields.ts';
import { type PageState, pageAddress, pageFields, pageParameters } from '../../state/page-state.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { nameHtml } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { loadPluginPage, type PluginPageContent } from './load-plugin-page.ts';
import { renderBar } from './plugin-bar.ts';
import { type ListedChart, renderChartArticle, type SharedState } from './plugin-charts.ts';
import { pluginTitle, renderHead } from './plugin-head.ts';
import { renderReleases } from './release-table.ts';
import { findLadder, renderLadder } from './version-ladder.ts';
import { renderWaiting } from './waiting.ts';

/** Endpoint of the page of a plugin. */
export const pluginPageEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}',
  ask: (request) => {
    const { links } = request;
    const pluginId = parsePluginId(request.params['pluginId']);
    const { softwareUrl = '', pluginName = '' } = request.params;
    const state = parse(pageFields, request.searchParams);
    const place = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}`;
    return {
      ...pageBody(pageAddress(place, state), links),
      async *parts(reader) {
        const content = await reader.read((view) => loadPluginPage(view, pluginId));
        const { plugin } = content;
        const isHere = plugin.software.url === softwareUrl && isSegmentOf(plugin.name, pluginName);
        yield isHere
          ? await renderPluginPage(content, { state, links })
          : new Redirect(pageAddress(pluginPath(plugin), state));
      },
    };
  },
};

/** The sections, by what the ids of their elements begin with: no chart has an id like it. */
const sectionTitles = {
  '-usage': 'Usage',
  '-versions': 'Versions',
  '-releases': 'Releases',
  '-servers': 'Servers',
  '-own': 'From the plugin',
} as const;

type SectionId = keyof typeof sectionTitles;

/** The section of a chart. */
function sectionOf({ chartId, type, isDefault }: ListedChart, { insights }: PluginPageContent): SectionId {
  const isLine = formOf(type) === 'line';
  if (isLine && (isDefault || chartId === 'servers' || chartId === 'players')) return '-usage';
  if (!isDefault) return '-own';
  const isVersions = insights.versions.some((one) => one.chartId === chartId) || chartId.endsWith('Version');
  return isVersions ? '-versions' : '-servers';
}

/** Number of charts rendered per turn; more would delay other requests too long. */
const chartsPerTurn = 50;

/** Renders the document. */
async function renderPluginPage(
  content: PluginPageContent,
  { state, links }: { readonly state: PageState; readonly links: Links },
): Promise<string> {
  const { plugin, insights, charts, isCut, isWaiting, span } = content;
  const shared = { state, span };
  const path = pluginPath(plugin);
  const sections = new Map<SectionId, string>();
  const listed = Map.groupBy(charts, (chart) => sectionOf(chart, content));
  const ladder = findLadder(insights.versions);
  let count = 0;
  for (const id of Object.keys(sectionTitles) as SectionId[]) {
    let articles = '';
    for (const chart of listed.get(id) ?? []) {
      if (++count % chartsPerTurn === 0) await nextTurn();
      articles += renderChartArticle(plugin, chart, shared);
      if (chart.chartId === ladder?.chartId) {
        const parameters = pageParameters({ ...state, atLeast: undefined });
        articles += renderLadder(ladder, { path, parameters, atLeast: state.atLeast });
      }
    }
    if (articles !== '')
      sections.set(
        id,
        html`<div class="charts">
!${articles}</div>`,
      );
  }
  const { releases } = insights;
  const addressOf = (change: string) => pageAddress(path, changed(pageFields, state, change));
  if (releases.length > 0) sections.set('-releases', renderReleases(releases, addressOf));
  const shown = (Object.entries(sectionTitles) as [SectionId, string][]).filter(([id]) => sections.has(id));
  const first = shown.flatMap(([id]) => listed.get(id) ?? []);
  const head = {
    title: plugin.isGlobal ? pluginTitle(plugin) : `${plugin.name} for ${plugin.software.name}`,
    description: describe(content),
    links,
    canonicalPath: path,
    feeds: [
      ['application/atom+xml', feedPath(plugin, 'atom')],
      ['application/feed+json', feedPath(plugin, 'json')],
    ] as const,
    data: isWaiting ? [] : [pluginNowPath(plugin.id), ...firstSeries(plugin.id, first, shared)],
    previewOf: plugin.id,
  };
  const lineTitle = charts.find(({ chartId }) => chartId === insights.lines[0]?.chartId)?.title ?? '';
  const top = renderHead({ ...content, lineTitle, platforms: sumLink(content) });
  if (isWaiting) return renderPage(head, top + renderWaiting(plugin, charts.length > 0));
  const bar = renderBar({
    path,
    state,
    hasLines: charts.some(({ type }) => formOf(type) === 'line'),
    hasShares: charts.some(({ type }) => hasShares(type)),
    hasVersions: insights.versions.length > 0,
    lengthMs: span === undefined ? 0 : span.last - span.first,
    sections: shown,
  });
  const parts = shown.map(
    ([id, title]) => html`<section class="part" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
!${sections.get(id) ?? ''}
</section>
`,
  );
  return renderPage(
    head,
    html`!${top}!${bar}!${parts}!${isCut ? html`<p class="empty">These are the first ${charts.length} charts; <a href="${pluginJsonPath(plugin.id)}">the JSON</a> lists all of them.</p>` : ''}`,
  );
}

/** Number of charts that a desktop shows without scrolling. */
const firstScreenCharts = 2;

/** Returns the series of the lines on the first screen, at the same URLs that the script requests. */
function firstSeries(
  pluginId: number,
  charts: readonly ListedChart[],
  { state: { window }, span: shared }: SharedState,
): string[] {
  return charts.slice(0, firstScreenCharts).flatMap(({ chartId, type, span }) => {
    if (formOf(type) !== 'line' || span === undefined || shared === undefined) return [];
    const ends = windowOver(window, shared);
    const isByPoint = lineStep(lengthOf(ends)) === undefined;
    return isByPoint ? [seriesPath(`${pluginId}:${encodeURIComponent(chartId)}`, ends)] : [];
  });
}

/** Renders the link to the sum over platforms; empty for a plugin on one platform. */
function sumLink({ platforms, summed }: PluginPageContent): string {
  if (platforms.length < 2) return '';
  const charts = platforms.map(({ id }) => ({ pluginId: id, chartId: summed }));
  const others = platforms.slice(1).map(({ software }) => nameHtml(software.name));
  return html` · also for !${others.join(', ')}: <a href="${compareAddress({ charts, mode: 'sum' })}">sum over platforms</a>`;
}

function describe({ plugin, insights }: PluginPageContent): string {
  const now = insights.lines.map(({ chartId, now }) => `${formatExact(now[1])} ${chartId}`).join(' and ');
  return `Metrics of ${plugin.name} for ${plugin.software.name}${now && `: ${now}`}.`;
}
