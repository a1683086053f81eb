/** The page of one plugin: its numbers, then all of its charts. */
import { html } from 'ghtml';
import { formatDate, formatExact } from '../../../draw/format.ts';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { lineStep } from '../../../draw/time-step.ts';
import { type Endpoint, Redirect } from '../../../http/endpoint.ts';
import type { Chart } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import { storageOf } from '../../../model/data-shapes.ts';
import { hasShares } from '../../../model/data-shares.ts';
import { parsePluginId } from '../../../model/identifier.ts';
import type { Links } from '../../../model/links.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { lengthOf, type Span, spanOver, windowOver } from '../../../model/window.ts';
import { nextTurn } from '../../../runtime/next-turn.ts';
import {
  isSegmentOf,
  ownerPath,
  pluginJsonPath,
  pluginNowPath,
  pluginPath,
  softwarePath,
} from '../../address/paths.ts';
import { type LineFigures, loadLineFigures } from '../../charts/line-figures.ts';
import { findChart } from '../../charts/load-chart.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { parse } from '../../state/fields.ts';
import { type PageState, pageAddress, pageFields } from '../../state/page-state.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { changeNote, changeWords, heading, nameHtml, timeTag } from '../html.ts';
import { pageBody, renderPage } from '../page.ts';
import {
  type ListedChart,
  renderChartArticle,
  renderPageToolbar,
  type SharedState,
} from './plugin-charts.ts';

/** The page of a plugin. */
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

/** Fewest charts for which the page begins with a list of them. */
const minListedCharts = 9;

/** Charts that a desktop shows before it is scrolled. */
const firstScreenCharts = 2;

/** Most charts on one page. */
const maxChartCount = 500;

/** The content of the page. */
interface PluginPageContent {
  readonly plugin: PluginSummary;
  readonly servers: LineFigures | undefined;
  readonly players: LineFigures | undefined;
  /** The first of its charts, without their settings, which may be large. */
  readonly charts: readonly ListedChart[];
  /** True if the plugin has more charts. */
  readonly isCut: boolean;
  /** The time that the charts span; undefined if none has data with times. */
  readonly span: Span | undefined;
  /** The chart that can be added up over platforms. */
  readonly summed: string;
  /** This plugin, and those with that chart, of the same owner and name, on other software. */
  readonly platforms: readonly PluginSummary[];
}

/** Loads the content of the page; rejects as `getPlugin` does. */
async function loadPluginPage(view: MetricsView, pluginId: number): Promise<PluginPageContent> {
  const plugin = await view.getPlugin(pluginId);
  const first = await loadFirstCharts(view, pluginId);
  const findLine = async (id: number, chartId: string) => {
    const chart = await findChart(view, id, chartId);
    return chart !== undefined && storageOf(chart.type) === 'points' ? chart : undefined;
  };
  const loadFigures = async (chart: Chart | undefined) =>
    chart && loadLineFigures(view, chart, { hasRecord: true });
  const servers = await findLine(pluginId, 'servers');
  const players = await findLine(pluginId, 'players');
  const summed = players ?? servers;
  const platforms = [plugin];
  if (summed !== undefined)
    // One owner may have any number of plugins of one name.
    for (const namesake of await view.listNamesakes(plugin, maxComparedLines - 1))
      if ((await findLine(namesake.id, summed.chartId)) !== undefined) platforms.push(namesake);
  return {
    plugin,
    ...first,
    servers: await loadFigures(servers),
    players: await loadFigures(players),
    summed: summed?.chartId ?? '',
    platforms,
  };
}

async function loadFirstCharts(view: MetricsView, pluginId: number) {
  const charts: ListedChart[] = [];
  for await (const batch of view.listCharts(pluginId)) {
    const spans = await view.findSpans(batch.map(({ uid }) => uid));
    for (const { chartId, title, type, uid } of batch)
      charts.push({ chartId, title, type, span: spans.get(uid) });
    if (charts.length > maxChartCount) break;
    await nextTurn();
  }
  const span = spanOver(charts.flatMap((chart) => chart.span ?? []));
  return { charts: charts.slice(0, maxChartCount), isCut: charts.length > maxChartCount, span };
}

/** Charts that are rendered in one turn: more would hold up other requests for longer than other work does. */
const chartsPerTurn = 50;

/** Renders the document. */
async function renderPluginPage(
  content: PluginPageContent,
  { state, links }: { readonly state: PageState; readonly links: Links },
): Promise<string> {
  const { plugin, charts, isCut, span } = content;
  const shared = { state, span };
  const { software, owner, isGlobal } = plugin;
  let articles = '';
  for (const [index, chart] of charts.entries()) {
    if (index > 0 && index % chartsPerTurn === 0) await nextTurn();
    articles += renderChartArticle(plugin, chart, shared);
  }
  const path = pluginPath(plugin);
  const allServers = `All servers on ${software.name}`;
  const head = {
    title: isGlobal ? allServers : `${plugin.name} for ${software.name}`,
    description: describe(content),
    links,
    canonicalPath: path,
    data: charts.length === 0 ? [] : [pluginNowPath(plugin.id), ...firstSeries(plugin.id, charts, shared)],
    previewOf: plugin.id,
  };
  const by = html`by <a href="${ownerPath(owner.id)}">!${nameHtml(owner.name)}</a>`;
  const list = (words: string) =>
    html`<a href="${softwarePath(software.url)}">${words}!${nameHtml(software.name)}</a>`;
  return renderPage(
    head,
    html`<div class="subject">
<p class="kicker">!${list('')}</p>
!${heading(isGlobal ? allServers : plugin.name)}<p class="by">!${isGlobal ? `${nameHtml(plugin.name)} ${by} · ${list('plugins for ')}` : by + sumLink(content)}</p>
</div>
!${figures(content)}!${
      charts.length === 0
        ? '<p class="empty">This plugin has no charts yet. They appear here with the first import that has them.</p>'
        : html`<div class="toolbar">!${renderPageToolbar({ path, state, hasShares: charts.some(({ type }) => hasShares(type)), lengthMs: span === undefined ? 0 : span.last - span.first })}!${chartList(charts)}</div>
<div class="charts">
!${articles}</div>
<p class="note">${changeNote}</p>
!${isCut ? html`<p class="empty">These are the first ${charts.length} charts; <a href="${pluginJsonPath(plugin.id)}">the JSON</a> lists all of them.</p>` : ''}`
    }`,
  );
}

/** The points of the lines in the first screen, as the script asks for them. */
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

/** The link to the sum over platforms; empty for a plugin of one platform. */
function sumLink({ platforms, summed }: PluginPageContent): string {
  if (platforms.length < 2) return '';
  const charts = platforms.map(({ id }) => ({ pluginId: id, chartId: summed }));
  const others = platforms.slice(1).map(({ software }) => nameHtml(software.name));
  return html` · also for !${others.join(', ')}: <a href="${compareAddress({ charts, mode: 'sum' })}">sum over platforms</a>`;
}

function describe({ plugin, servers, players }: PluginPageContent): string {
  const counts = [
    servers && `${formatExact(servers.now)} servers`,
    players && `${formatExact(players.now)} players`,
  ];
  const now = counts.filter((words) => words !== undefined).join(' and ');
  return `Metrics of ${plugin.name} for ${plugin.software.name}${now && `: ${now}`}.`;
}

function figures({ servers, players }: PluginPageContent): string {
  if (servers === undefined && players === undefined) return '';
  const newest = Math.max(servers?.timestamp ?? 0, players?.timestamp ?? 0);
  return html`<section class="figures" aria-label="Now">
!${figure('Servers', servers)}!${figure('Players', players)}<p class="asof">As of !${timeTag(newest)}</p>
</section>
`;
}

function figure(label: string, figures: LineFigures | undefined): string {
  if (figures === undefined) return '';
  const { now, peak, weekChange, monthChange, record } = figures;
  return html`<div class="figure">
<h2>${label}</h2>
<p class="now">${formatExact(now)}</p>
<div class="facts">
<dl>
<div><dt>Peak, 30 days</dt><dd>${formatExact(peak)}</dd></div>
<div><dt>Record, !${timeTag(record.timestamp, formatDate)}</dt><dd>${formatExact(record.value)}</dd></div>
</dl>
<dl>
<div><dt>7 days</dt><dd>${changeWords(weekChange)}</dd></div>
<div><dt>28 days</dt><dd>${changeWords(monthChange)}</dd></div>
</dl>
</div>
</div>
`;
}

function chartList(charts: readonly ListedChart[]): string {
  if (charts.length < minListedCharts) return '';
  const items = charts.map(
    ({ chartId, title }) => html`<li><a href="#${chartId}">!${nameHtml(title)}</a></li>`,
  );
  return html`<details class="contents"><summary>${charts.length} charts</summary><ol>!${items}</ol></details>`;
}
