/** How a line is added to a comparison: a search, and what it finds. */
import { html } from 'ghtml';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PluginDetail } from '../../model/plugin.ts';
import { readDirectory } from '../directory/read-directory.ts';
import { comparePath } from '../paths.ts';
import {
  type ComparedChart,
  type CompareQuery,
  chartsText,
  compareAddress,
  maxComparedCharts,
} from './compare-endpoint.ts';
import { maxSearchLength } from './query.ts';
import { name } from './words.ts';

const maxFound = 8;

/** The form with what was found; without a search, the plugins with the most servers where there is nothing to compare yet. */
export async function compareForm(reader: MetricsReader, query: CompareQuery): Promise<string> {
  if (query.charts.length >= maxComparedCharts)
    return `<p class="found">A comparison has up to ${maxComparedCharts} lines.</p>`;
  const hidden = [
    ['charts', query.charts.length === 0 ? '' : chartsText(query.charts)],
    ['mode', query.mode === 'absolute' ? '' : query.mode],
    ['range', query.range === '30d' ? '' : query.range],
  ].filter(([, value]) => value !== '');
  return html`<section class="adding" aria-labelledby="add-title">
<h2 id="add-title">Add a line</h2>
<form class="search" role="search" action="${comparePath}#add-title">
!${hidden.map(([parameter, value]) => html`<input type="hidden" name="${parameter}" value="${value}">`)}<input class="field" type="search" name="add" value="${query.add}" maxlength="${maxSearchLength}" placeholder="Plugin or owner" aria-label="Search plugins and owners" autocomplete="off">
<button class="button">Search</button>
</form>
!${await suggestions(reader, query)}</section>
`;
}

async function suggestions(reader: MetricsReader, query: CompareQuery): Promise<string> {
  if (query.add === '' && query.charts.length > 0) return '';
  const directory = await readDirectory(reader);
  const { rows } = await directory.search({ text: query.add, limit: maxFound });
  if (rows.length === 0) return html`<p class="found">No plugins match “${query.add}”.</p>`;
  const items: string[] = [];
  for (const { id } of rows) {
    const plugin = await reader.getPlugin(id);
    const charts = offeredCharts(plugin, query);
    const links = charts.map(({ chartId, title }) => {
      const href = compareAddress({
        ...query,
        charts: [...query.charts, { pluginId: id, chartId }],
        add: '',
      });
      return html`<a href="${href}">!${name(title)}</a>`;
    });
    items.push(html`<li><span><strong>!${name(plugin.name)}</strong> <small>!${name(plugin.owner.name)} · !${name(plugin.software.name)}</small></span><span class="offers">!${links.length === 0 ? '<small>no more lines</small>' : links}</span></li>
`);
  }
  return html`<ul class="offered">
!${items}</ul>
`;
}

/** Servers, players, and the kinds of lines that are compared already. */
function offeredCharts({ id, charts }: PluginDetail, query: CompareQuery): readonly Offer[] {
  const wanted = new Map([
    ['servers', 'Servers'],
    ['players', 'Players'],
  ]);
  for (const { chartId } of query.charts) if (!wanted.has(chartId)) wanted.set(chartId, '');
  return charts.flatMap(({ chartId, type, title }): Offer[] => {
    const label = wanted.get(chartId);
    const isThere = query.charts.some((chart) => chart.pluginId === id && chart.chartId === chartId);
    if (label === undefined || isThere || storageOf(type) !== 'series') return [];
    return [{ chartId, title: label === '' ? title : label }];
  });
}

interface Offer extends Pick<ComparedChart, 'chartId'> {
  readonly title: string;
}
