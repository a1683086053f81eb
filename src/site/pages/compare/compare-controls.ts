/**
 * Controls of a comparison: the toolbar, and the form that adds a line. All are links to other states of the
 * page.
 */

import { html } from 'ghtml';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { chartNamesText } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { comparePath } from '../../address/paths.ts';
import { findChart } from '../../charts/load-chart.ts';
import { subjectOf } from '../../state/chart-words.ts';
import {
  type CompareQuery,
  changedComparison,
  compareAddress,
  compareParameters,
  includesChart,
} from '../../state/compare-query.ts';
import { nameHtml, renderHiddenInputs, renderSearch } from '../html.ts';
import { renderChoices, renderTimesForm } from '../toolbar.ts';

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

/** Renders the form with its results. An empty comparison offers the plugins with the most servers. */
export async function renderCompareForm(view: MetricsView, query: CompareQuery): Promise<string> {
  if (query.charts.length >= maxComparedLines)
    return `<section class="adding" id="adding"><p class="found">A comparison has up to ${maxComparedLines} lines.</p></section>\n`;
  const { add: _, ...others } = compareParameters(query);
  return html`<section class="adding" id="adding" aria-labelledby="add-title">
<h2 id="add-title">Add a line</h2>
!${renderSearch(`${comparePath}#add-title`, { name: 'add', value: query.add, label: 'Search for a line', list: 'offered', before: renderHiddenInputs(others) })}<div id="offered">!${await suggestions(view, query)}</div></section>
`;
}

async function suggestions(view: MetricsView, query: CompareQuery): Promise<string> {
  if (query.add === '' && query.charts.length > 0) return '';
  const { plugins } = await view.findPlugins({
    text: query.add,
    find: 'words',
    sort: 'servers',
    descending: true,
    limit: maxFound,
  });
  if (plugins.length === 0) return html`<p class="found" role="status">No plugins match “${query.add}”.</p>`;
  const items: string[] = [];
  for (const plugin of plugins) {
    const links = await offers(view, plugin, query);
    items.push(html`<li><span><strong>!${nameHtml(plugin.name)}</strong> <small>!${nameHtml(plugin.owner.name)} · !${nameHtml(plugin.software.name)}</small></span><span class="offers">!${links.length === 0 ? '<small>no more lines</small>' : links}</span></li>
`);
  }
  return html`<ul class="offered">
!${items}</ul>
`;
}

/**
 * Renders links that add a line of a plugin: servers, players, and the chart ids already in the comparison.
 */
async function offers(view: MetricsView, plugin: PluginSummary, query: CompareQuery): Promise<string[]> {
  const links: string[] = [];
  for (const chartId of new Set(['servers', 'players', ...query.charts.map((chart) => chart.chartId)])) {
    const offered = { pluginId: plugin.id, chartId };
    const chart = includesChart(query.charts, offered)
      ? undefined
      : await findChart(view, plugin.id, chartId);
    if (chart === undefined || formOf(chart.type) !== 'line') continue;
    const added = `charts=${chartNamesText([...query.charts, offered])}`;
    links.push(html`<a !${stateLink(query, added)}>!${nameHtml(subjectOf([{ plugin, chart }]) ?? '')}</a>`);
  }
  return links;
}
