/** The page of one plugin: its numbers, then all of its charts. */
import { html } from 'ghtml';
import { formatDateTime, formatExact } from '../../draw/format.ts';
import { type Range, rangeNames } from '../../draw/range.ts';
import type { Chart } from '../../model/chart.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PluginDetail } from '../../model/plugin.ts';
import { readPluginCatalogue } from '../directory/read-directory.ts';
import { ownerPath, pluginJsonPath, pluginPath, softwarePath, withQuery } from '../paths.ts';
import { chartArticle } from './chart-article.ts';
import { compareAddress, maxComparedCharts } from './compare-endpoint.ts';
import { type LineFigures, readLineFigures } from './line-figures.ts';
import { overviewPreview, renderPage } from './page.ts';
import { changeWords, heading, name, rangeLabel } from './words.ts';

/** From this number of charts on, the page begins with a list of them. */
const minListedCharts = 9;

/** What the page shows beside the plugin. */
export interface PluginPageOptions {
  readonly range: Range;
  readonly origin: string;
}

/** What is read for the page. */
export interface PluginReading extends BothFigures {
  readonly plugin: PluginDetail;
  /** The plugin and what the same owner has under the same name on other software; one of them where there is nothing to add. */
  readonly summands: readonly PluginDetail[];
}

/** Reads everything that the page shows; rejects as `getPlugin`. */
export async function readPlugin(reader: MetricsReader, pluginId: number): Promise<PluginReading> {
  const plugin = await reader.getPlugin(pluginId);
  const servers = await figuresOf(reader, plugin, 'servers');
  const players = await figuresOf(reader, plugin, 'players');
  const summands = [plugin];
  const chartId = summedChartId(plugin);
  const namesakes = chartId === undefined ? [] : (await readPluginCatalogue(reader)).namesakes(pluginId);
  // One owner may have any number of plugins of one name.
  for (const { id } of namesakes.slice(0, maxComparedCharts - 1)) {
    const namesake = await reader.getPlugin(id);
    if (chartId !== undefined && hasLine(namesake, chartId)) summands.push(namesake);
  }
  return { plugin, servers, players, summands };
}

/** The whole document. */
export async function pluginPage(
  { plugin, servers, players, summands }: PluginReading,
  { range, origin }: PluginPageOptions,
): Promise<string> {
  const path = pluginPath(plugin);
  const description = describe(plugin, { servers, players });
  const head = {
    title: `${plugin.name} for ${plugin.software.name}`,
    description,
    origin,
    canonicalPath: path,
    preview: overviewPreview(plugin.id),
  };
  return renderPage(
    head,
    html`<div class="subject">
<p class="kicker"><a href="${softwarePath(plugin.software.url)}">!${name(plugin.software.name)}</a></p>
!${heading(plugin.name)}<p class="by">by <a href="${ownerPath(plugin.owner.id)}">!${name(plugin.owner.name)}</a>!${sumLink(summands)}</p>
</div>
!${figures({ servers, players })}!${
      plugin.charts.length === 0
        ? '<p class="empty">This plugin has no charts yet. They appear here with the first import that brings them.</p>'
        : html`<div class="toolbar">!${rangeLinks(path, range)}!${chartList(plugin.charts)}</div>
<link rel="preload" as="fetch" crossorigin href="${pluginJsonPath(plugin.id)}">
<div class="charts">
!${plugin.charts.map((chart) => chartArticle(plugin, chart, range))}</div>
`
    }`,
  );
}

/** To what the same owner has under the same name on other software, added into one line. */
function sumLink(summands: PluginReading['summands']): string {
  const [plugin, ...namesakes] = summands;
  const chartId = plugin === undefined ? undefined : summedChartId(plugin);
  if (chartId === undefined || namesakes.length === 0) return '';
  const charts = summands.map(({ id }) => ({ pluginId: id, chartId }));
  const others = namesakes.map(({ software }) => name(software.name));
  return html` · also for !${others.join(', ')}: <a href="${compareAddress({ charts, mode: 'sum', range: '30d', add: '' })}">sum over platforms</a>`;
}

function summedChartId(plugin: PluginDetail): string | undefined {
  return ['players', 'servers'].find((each) => hasLine(plugin, each));
}

function hasLine({ charts }: PluginDetail, chartId: string): boolean {
  return charts.some((chart) => chart.chartId === chartId && storageOf(chart.type) === 'series');
}

async function figuresOf(
  reader: MetricsReader,
  plugin: PluginDetail,
  chartId: string,
): Promise<LineFigures | undefined> {
  return hasLine(plugin, chartId) ? readLineFigures(reader, plugin.id, chartId) : undefined;
}

interface BothFigures {
  readonly servers: LineFigures | undefined;
  readonly players: LineFigures | undefined;
}

function describe({ name: pluginName, software }: PluginDetail, { servers, players }: BothFigures): string {
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
!${figure('Servers', servers)}!${figure('Players', players)}<p class="asof">As of <time datetime="${new Date(newest).toISOString()}">${formatDateTime(newest)}</time></p>
</section>
`;
}

function figure(label: string, figures: LineFigures | undefined): string {
  if (figures === undefined) return '';
  const { now, peak, weekChange, monthChange } = figures;
  return html`<div class="figure">
<h2>${label}</h2>
<p class="now">${formatExact(now)}</p>
<dl>
<div><dt>Peak, 30 days</dt><dd>${formatExact(peak)}</dd></div>
<div><dt>In 7 days</dt><dd>${changeWords(weekChange)}</dd></div>
<div><dt>In 30 days</dt><dd>${changeWords(monthChange)}</dd></div>
</dl>
</div>
`;
}

function rangeLinks(path: string, range: Range): string {
  const links = rangeNames.map((each) => {
    const current = each === range ? ' aria-current="true"' : '';
    const href = withQuery(path, { range: each === '30d' ? undefined : each });
    return html`<a href="${href}"!${current}>${rangeLabel(each)}</a>`;
  });
  return html`<nav class="ranges" aria-label="Range of all charts"><span>All charts</span>!${links}</nav>`;
}

function chartList(charts: readonly Chart[]): string {
  if (charts.length < minListedCharts) return '';
  const items = charts.map(({ chartId, title }) => html`<li><a href="#${chartId}">!${name(title)}</a></li>`);
  return html`<details class="contents"><summary>${charts.length} charts</summary><ol>!${items}</ol></details>`;
}
