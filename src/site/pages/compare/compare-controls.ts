/**
 * Controls of a comparison: the toolbar, and the form that adds a line. All are links to other states of the
 * page.
 */

import { html } from 'ghtml';
import { listWords } from '../../../draw/format.ts';
import { maxComparedLines } from '../../../draw/line/line-layout.ts';
import { type ChartName, chartNamesText } from '../../../model/chart.ts';
import { formOf } from '../../../model/chart-types.ts';
import type { MetricsView } from '../../../model/metrics-reader.ts';
import type { PluginSummary } from '../../../model/plugin.ts';
import { comparePath, type QueryParameters } from '../../address/paths.ts';
import { type FoundChart, findChart } from '../../charts/load-chart.ts';
import { subjectOf } from '../../state/chart-words.ts';
import {
  type CompareQuery,
  changedComparison,
  compareAddress,
  compareParameters,
  includesChart,
} from '../../state/compare-query.ts';
import { heading, nameHtml, renderHiddenInputs, renderSearch } from '../html.ts';
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
export async function renderCompareForm(view: MetricsView, adding: Adding): Promise<string> {
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
  const request = { find: 'words', sort: 'servers', descending: true } as const;
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
