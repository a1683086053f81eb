/** The page of one plugin: how it stands, then its charts by section. */
import { html } from 'ghtml';
import { formatDate, formatMean, formatShare } from '../../../draw/format.ts';
import { lineStep } from '../../../draw/time-step.ts';
import { type Endpoint, Redirect } from '../../../http/endpoint.ts';
import { type PluginSummary, parsePluginId } from '../../../model/catalogue.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { Links } from '../../../model/links.ts';
import { changeBetween, dayMs, dayStart, lengthOf, windowOver } from '../../../model/window.ts';
import type { PluginInsights } from '../../../series/load-insights.ts';
import {
  aboutPath,
  feedPath,
  isAddressOf,
  platformsPath,
  pluginJsonPath,
  pluginNowPath,
  pluginPath,
} from '../../address/paths.ts';
import { changed, parse } from '../../state/fields.ts';
import { type PageState, pageAddress, pageFields } from '../../state/page-state.ts';
import { seriesPath, windowParameters } from '../../state/shown-window.ts';
import { type ListedChart, renderChartArticle, type SharedState } from '../chart-article.ts';
import { changeWords, countWords, nameHtml, timeTag } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import { renderSections } from './chart-sections.ts';
import { loadPluginPage, type PluginPageContent } from './load-plugin-page.ts';
import { askPlatforms } from './platforms-page.ts';
import { renderBar } from './plugin-bar.ts';
import { pluginTitle, renderHead } from './plugin-head.ts';
import { findLadder } from './version-ladder.ts';

/** Endpoint of the page of a plugin. */
export const pluginPageEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}',
  ask: (request) => {
    const { links, params } = request;
    const { softwareUrl = '', pluginName = '' } = params;
    if (params['pluginId']?.includes('+') === true) return askPlatforms(request);
    const pluginId = parsePluginId(params['pluginId']);
    const state = parse(pageFields, request.searchParams);
    const place = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}`;
    return {
      ...pageBody(pageAddress(place, state), links),
      async *parts(reader) {
        const content = await reader.read((view) => loadPluginPage(view, pluginId));
        const { plugin } = content;
        yield isAddressOf(plugin, params)
          ? await renderPluginPage(content, { state, links })
          : new Redirect(pageAddress(pluginPath(plugin), state));
      },
    };
  },
};

/** Renders the document. */
async function renderPluginPage(
  content: PluginPageContent,
  { state, links }: { readonly state: PageState; readonly links: Links },
): Promise<string> {
  const { plugin, insights, charts, isCut, isWaiting, span } = content;
  const shared = { state, span };
  const path = pluginPath(plugin);
  const { releases, versions } = insights;
  const addressOf = (change: string) => pageAddress(path, changed(pageFields, state, change));
  const sections = await renderSections(charts, {
    ...{ path, state, ladder: findLadder(versions) },
    isVersions: ({ chartId }) => versions.some((one) => one.chartId === chartId),
    renderChart: (chart) => renderChartArticle([plugin], chart, shared),
    releases: releases.length > 0 ? renderReleases(releases, addressOf) : '',
  });
  const head = {
    title: plugin.isGlobal ? pluginTitle(plugin) : `${plugin.name} for ${plugin.software.name}`,
    description: describe(content),
    links,
    canonicalPath: path,
    feeds: [
      ['application/atom+xml', feedPath(plugin, 'atom')],
      ['application/feed+json', feedPath(plugin, 'json')],
    ] as const,
    data: isWaiting ? [] : [pluginNowPath(plugin.id), ...firstSeries(plugin.id, sections.charts, shared)],
    previewOf: plugin.id,
  };
  const lineTitle = charts.find(({ chartId }) => chartId === insights.lines[0]?.chartId)?.title ?? '';
  const top = renderHead({ ...content, lineTitle, platforms: platformsLink(content) });
  if (isWaiting) return renderPage(head, top + renderWaiting(plugin, charts.length > 0));
  const bar = renderBar({
    ...{ path, state, addressOf, charts, span },
    hasPrevious: charts.some(({ type }) => formOf(type) === 'line'),
    hasVersions: versions.length > 0,
    sections: sections.titles,
  });
  return renderPage(
    head,
    html`!${top}!${bar}!${sections.html}!${isCut ? html`<p class="empty">These are the first ${charts.length} charts; <a href="${pluginJsonPath(plugin.id)}">the JSON</a> lists all of them.</p>` : ''}`,
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

/** Renders the link to the page of all platforms; empty for a plugin on one platform. */
function platformsLink({ plugin, platforms }: PluginPageContent): string {
  const [first] = platforms;
  if (first === undefined || platforms.length < 2) return '';
  const others = platforms
    .filter(({ id }) => id !== plugin.id)
    .map(({ software }) => nameHtml(software.name));
  const path = platformsPath(
    first,
    platforms.map(({ id }) => id),
  );
  return html` · also for !${others.join(', ')}: <a href="${path}">all platforms</a>`;
}

function describe({ plugin, insights }: PluginPageContent): string {
  const now = insights.lines
    .map(({ chartId, now }) => countWords(now[1], chartId.slice(0, -1)))
    .join(' and ');
  return `Metrics of ${plugin.name} for ${plugin.software.name}${now && `: ${now}`}.`;
}

/** Renders the card. */
function renderWaiting({ id, software }: PluginSummary, hasCharts: boolean): string {
  const report = JSON.stringify({ serverUUID: 'mine', playerAmount: 5, service: { id } });
  return html`<section class="card waiting" aria-labelledby="-waiting">
<h2 id="-waiting">Waiting for the first half hour</h2>
!${
    hasCharts
      ? ''
      : html`<p>This plugin has no charts yet. Those of its software come with <code>plugin-metrics add charts ${id}</code>.</p>
`
  }<p>Reports are counted when their half hour ends, at :00 and :30, and shown a few seconds later.</p>
<ol>
<li>Give your plugin the id <b>${id}</b> and the address of the collector of this server (<a href="${aboutPath}#add">reporters for Java and Node</a>).</li>
<li>Start a server with it. The first report comes after 3 to 6 minutes.</li>
<li>Try it without a server:
<pre>curl COLLECTOR/api/v2/data/${software.url} --data '${report}'</pre></li>
</ol>
</section>
`;
}

/** Days before and after a release that its link shows. */
const daysShown = 14;

/** Renders the table. @param addressOf the address of the page with a change, such as `range=7d`. */
function renderReleases(releases: PluginInsights['releases'], addressOf: (change: string) => string): string {
  const rows = releases.map(({ title, url, time, servers, share }) => {
    const day = dayStart(time);
    const around = { from: Math.max(0, day - daysShown * dayMs), to: day + (daysShown + 1) * dayMs };
    const change = new URLSearchParams(windowParameters(around)).toString();
    const label =
      url === null ? nameHtml(title) : html`<a href="${url}" rel="external nofollow">!${nameHtml(title)}</a>`;
    const shown = (value: number | null) => (value === null ? '–' : formatShare(value));
    return html`<tr><th scope="row">!${label}</th><td><a href="${addressOf(change)}#-usage" data-set="${change}" title="Show the weeks around it">!${timeTag(time, formatDate)}</a></td><td>${servers === null ? '–' : `${formatMean(servers.before)} → ${formatMean(servers.after)}`}</td><td>${servers === null ? '–' : changeWords(changeBetween(servers.before, servers.after))}</td><td>${shown(share['7d'])}</td><td>${shown(share['30d'])}</td><td>${shown(share.now)}</td></tr>
`;
  });
  return html`<div class="card releases scroll"><table>
<thead><tr><th scope="col">release</th><th scope="col">day</th><th scope="col">servers, week before → after</th><th scope="col">change</th><th scope="col">used after 7 days</th><th scope="col">30 days</th><th scope="col">now</th></tr></thead>
<tbody>
!${rows}</tbody></table></div>
`;
}
