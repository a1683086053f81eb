/** The page of one plugin: its numbers, then all of its charts. */
import { html } from 'ghtml';
import { formatDate, formatDateTime, formatExact } from '../../../draw/format.ts';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { lineStep } from '../../../draw/time-step.ts';
import { type Endpoint, Redirect } from '../../../http/endpoint.ts';
import type { Chart } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import { storageOf } from '../../../model/data-shapes.ts';
import { hasShares } from '../../../model/data-shares.ts';
import { parsePluginId } from '../../../model/identifier.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import { nextTurn } from '../../../model/next-turn.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { windowOver } from '../../../model/window.ts';
import {
  nameSegment,
  ownerPath,
  pluginJsonPath,
  pluginNowPath,
  pluginPath,
  softwarePath,
} from '../../address/paths.ts';
import {
  type LineFigures,
  type LineRecord,
  loadLineFigures,
  loadLineRecord,
} from '../../charts/line-figures.ts';
import { findChart } from '../../charts/load-chart.ts';
import { compareAddress } from '../../state/compare-query.ts';
import { parse } from '../../state/fields.ts';
import { type PageState, pageAddress, pageFields } from '../../state/page-state.ts';
import { seriesPath } from '../../state/shown-window.ts';
import { overviewPreview, renderPage } from '../page.ts';
import { pageQuestion } from '../page-question.ts';
import { changeNote, changeWords, heading, name } from '../words.ts';
import { type ListedChart, renderChartArticle } from './chart-article.ts';
import { renderPageToolbar } from './page-toolbar.ts';

/** The page of a plugin. */
export const pluginPageEndpoint: Endpoint = {
  path: '/plugin/{softwareUrl}/{pluginName}/{pluginId}',
  ask: (request) => {
    const { origin } = request;
    const pluginId = parsePluginId(request.params['pluginId']);
    const { softwareUrl = '', pluginName = '' } = request.params;
    const state = parse(pageFields, request.searchParams);
    const place = `/plugin/${encodeURIComponent(softwareUrl)}/${encodeURIComponent(pluginName)}/${pluginId}`;
    return {
      ...pageQuestion(pageAddress(place, state), origin),
      async *parts(reader) {
        const content = await reader.read((view) => loadPluginPage(view, pluginId));
        const { plugin } = content;
        const isHere = plugin.software.url === softwareUrl && nameSegment(plugin.name) === pluginName;
        yield isHere
          ? await renderPluginPage(content, { state, origin })
          : new Redirect(pageAddress(pluginPath(plugin), state));
      },
    };
  },
};

/** The short address, which redirects to the page. */
export const shortPluginPageEndpoint: Endpoint = {
  path: '/plugin/{pluginId}',
  ask: (request) => {
    const pluginId = parsePluginId(request.params['pluginId']);
    const state = parse(pageFields, request.searchParams);
    return {
      ...pageQuestion(pageAddress(`/plugin/${pluginId}`, state), request.origin),
      size: 'small',
      async *parts(reader) {
        const plugin = await reader.read((view) => view.getPlugin(pluginId));
        yield new Redirect(pageAddress(pluginPath(plugin), state));
      },
    };
  },
};

/** Fewest charts for which the page begins with a list of them. */
const minListedCharts = 9;

/** Charts that a desktop shows before it is scrolled. */
const firstScreenCharts = 2;

/** Options of the page. */
interface PluginPageOptions {
  readonly state: PageState;
  readonly origin: string;
}

/** Most charts on one page. */
const maxChartCount = 500;

/** The content of the page. */
interface PluginPageContent extends BothFigures {
  readonly plugin: PluginSummary;
  /** The first of its charts, without their settings, which may be large. */
  readonly charts: readonly ListedChart[];
  /** True if the plugin has more charts. */
  readonly isCut: boolean;
  /** The time that the longest of the charts spans. */
  readonly lengthMs: number;
  /** The chart of the sum, and its plugins: this one, and those of the same owner and name on other software. */
  readonly sum: { readonly chartId: string; readonly plugins: readonly PluginSummary[] } | undefined;
}

/** Loads the content of the page; rejects as `getPlugin` does. */
async function loadPluginPage(view: MetricsView, pluginId: number): Promise<PluginPageContent> {
  const plugin = await view.getPlugin(pluginId);
  const first = await loadFirstCharts(view, pluginId);
  const findLine = async (id: number, chartId: string) => {
    const chart = await findChart(view, id, chartId);
    return chart !== undefined && storageOf(chart.type) === 'series' ? chart : undefined;
  };
  const loadFigures = async (chart: Chart | undefined): Promise<FiguresWithRecord | undefined> => {
    if (chart === undefined) return undefined;
    const figures = await loadLineFigures(view, chart.uid);
    const record = await loadLineRecord(view, chart.uid);
    return figures && record && { ...figures, record };
  };
  const serversLine = await findLine(pluginId, 'servers');
  const playersLine = await findLine(pluginId, 'players');
  const servers = await loadFigures(serversLine);
  const players = await loadFigures(playersLine);
  const chartId = playersLine === undefined ? 'servers' : 'players';
  const summands = [plugin];
  if (serversLine !== undefined || playersLine !== undefined) {
    // One owner may have any number of plugins of one name.
    for (const namesake of await view.listNamesakes(plugin, maxComparedLines - 1))
      if ((await findLine(namesake.id, chartId)) !== undefined) summands.push(namesake);
  }
  const sum = summands.length < 2 ? undefined : { chartId, plugins: summands };
  return { plugin, ...first, servers, players, sum };
}

async function loadFirstCharts(view: MetricsView, pluginId: number) {
  const charts: ListedChart[] = [];
  let lengthMs = 0;
  for await (const batch of view.listCharts(pluginId)) {
    const spans = await view.findSpans(batch.map(({ uid }) => uid));
    for (const { chartId, title, type, uid } of batch)
      charts.push({ chartId, title, type, span: spans.get(uid) });
    for (const { first, last } of spans.values()) lengthMs = Math.max(lengthMs, last - first);
    if (charts.length > maxChartCount) break;
    await nextTurn();
  }
  return { charts: charts.slice(0, maxChartCount), isCut: charts.length > maxChartCount, lengthMs };
}

/** Renders the document. */
async function renderPluginPage(
  { plugin, charts, isCut, lengthMs, servers, players, sum }: PluginPageContent,
  { state, origin }: PluginPageOptions,
): Promise<string> {
  const articles = await renderCharts({ plugin, charts }, state);
  const path = pluginPath(plugin);
  const description = describe(plugin, { servers, players });
  const head = {
    title: plugin.isGlobal ? globalTitle(plugin) : `${plugin.name} for ${plugin.software.name}`,
    description,
    origin,
    canonicalPath: path,
    data: charts.length === 0 ? [] : [pluginNowPath(plugin.id), ...firstSeries(plugin.id, charts, state)],
    preview: overviewPreview(plugin.id),
  };
  return renderPage(
    head,
    html`<div class="subject">
<p class="kicker"><a href="${softwarePath(plugin.software.url)}">!${name(plugin.software.name)}</a></p>
!${plugin.isGlobal ? heading(globalTitle(plugin)) : heading(plugin.name)}<p class="by">!${plugin.isGlobal ? html`!${name(plugin.name)} ` : ''}by <a href="${ownerPath(plugin.owner.id)}">!${name(plugin.owner.name)}</a>!${plugin.isGlobal ? html` · <a href="${softwarePath(plugin.software.url)}">plugins for !${name(plugin.software.name)}</a>` : sumLink(sum)}</p>
</div>
!${figures({ servers, players })}!${
      charts.length === 0
        ? '<p class="empty">This plugin has no charts yet. They appear here with the first import that brings them.</p>'
        : html`<div class="toolbar">!${renderPageToolbar({ path, state, hasShares: charts.some(({ type }) => hasShares(type)), lengthMs })}!${chartList(charts)}</div>
<div class="charts">
!${articles}</div>
!${isCut ? html`<p class="empty">These are the first ${charts.length} charts; <a href="${pluginJsonPath(plugin.id)}">the JSON</a> lists all of them.</p>` : ''}`
    }`,
  );
}

/** Charts that are rendered in one turn: more would hold up other requests for longer than other work does. */
const chartsPerTurn = 50;

async function renderCharts(
  { plugin, charts }: Pick<PluginPageContent, 'plugin' | 'charts'>,
  state: PageState,
): Promise<string> {
  let articles = '';
  for (const [index, chart] of charts.entries()) {
    if (index > 0 && index % chartsPerTurn === 0) await nextTurn();
    articles += renderChartArticle(plugin, chart, state);
  }
  return articles;
}

/** The points of the lines in the first screen, as the script asks for them. */
function firstSeries(pluginId: number, charts: readonly ListedChart[], { window }: PageState): string[] {
  return charts.slice(0, firstScreenCharts).flatMap(({ chartId, type, span }) => {
    if (formOf(type) !== 'line' || span === undefined) return [];
    const ends = windowOver(window, span);
    const isByPoint = lineStep(ends.to - 1 - ends.from) === undefined;
    return isByPoint ? [seriesPath(`${pluginId}:${encodeURIComponent(chartId)}`, ends)] : [];
  });
}

/** The name of what a global plugin counts. */
function globalTitle({ software }: PluginSummary): string {
  return `All servers on ${software.name}`;
}

/** The link to the sum over platforms. */
function sumLink(sum: PluginPageContent['sum']): string {
  if (sum === undefined) return '';
  const { chartId, plugins } = sum;
  const charts = plugins.map(({ id }) => ({ pluginId: id, chartId }));
  const others = plugins.slice(1).map(({ software }) => name(software.name));
  return html` · also for !${others.join(', ')}: <a href="${compareAddress({ charts, mode: 'sum' })}">sum over platforms</a>`;
}

interface FiguresWithRecord extends LineFigures {
  readonly record: LineRecord;
}

interface BothFigures {
  readonly servers: FiguresWithRecord | undefined;
  readonly players: FiguresWithRecord | undefined;
}

function describe({ name: pluginName, software }: PluginSummary, { servers, players }: BothFigures): string {
  const counts = [
    ...(servers === undefined ? [] : [`${formatExact(servers.now)} servers`]),
    ...(players === undefined ? [] : [`${formatExact(players.now)} players`]),
  ];
  const now = counts.length === 0 ? '' : `: ${counts.join(' and ')}`;
  return `Metrics of ${pluginName} for ${software.name}${now}.`;
}

function figures({ servers, players }: BothFigures): string {
  if (servers === undefined && players === undefined) return '';
  const newest = Math.max(servers?.timestamp ?? 0, players?.timestamp ?? 0);
  return html`<section class="figures" aria-label="Now">
!${figure('Servers', servers)}!${figure('Players', players)}<p class="asof">As of <time datetime="${new Date(newest).toISOString()}">${formatDateTime(newest)}</time>. ${changeNote}</p>
</section>
`;
}

function figure(label: string, figures: FiguresWithRecord | undefined): string {
  if (figures === undefined) return '';
  const { now, peak, weekChange, monthChange, record } = figures;
  return html`<div class="figure">
<h2>${label}</h2>
<p class="now">${formatExact(now)}</p>
<dl>
<div><dt>Peak, 30 days</dt><dd>${formatExact(peak)}</dd></div>
<div><dt>Record, <time datetime="${new Date(record.timestamp).toISOString()}">${formatDate(record.timestamp)}</time></dt><dd>${formatExact(record.value)}</dd></div>
<div><dt>7 days</dt><dd>${changeWords(weekChange)}</dd></div>
<div><dt>30 days</dt><dd>${changeWords(monthChange)}</dd></div>
</dl>
</div>
`;
}

function chartList(charts: readonly ListedChart[]): string {
  if (charts.length < minListedCharts) return '';
  const items = charts.map(({ chartId, title }) => html`<li><a href="#${chartId}">!${name(title)}</a></li>`);
  return html`<details class="contents"><summary>${charts.length} charts</summary><ol>!${items}</ol></details>`;
}
