/** The lines of a comparison in figures, with links that hide a line, show it alone, or remove it. */

import { html } from 'ghtml';
import { formatDate, formatDateTime } from '../../../draw/format.ts';
import { dashOf } from '../../../draw/line/comparison.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import type { ChartName } from '../../../model/chart.ts';
import { pluginPath } from '../../address/paths.ts';
import type { LineFigures } from '../../charts/line-figures.ts';
import type { FoundChart } from '../../charts/load-comparison.ts';
import { type CompareQuery, compareAddress, includesChart } from '../../state/compare-query.ts';
import { changeNote, changeWords, formatCount, name } from '../words.ts';

/** A line of the comparison. */
export interface LegendLine {
  readonly found: FoundChart;
  readonly name: string;
  /** Gives its colour. */
  readonly place: number;
  readonly figures: LineFigures | undefined;
  readonly isHidden: boolean;
  /** True if it is shown and has no points in the window. */
  readonly isEmpty: boolean;
}

/** Options of the table. */
interface LegendOptions {
  readonly query: CompareQuery;
  /** The latest value of the sum; undefined in other modes, and in a window that ends before it. */
  readonly sum: number | undefined;
}

/** A table with a row for each line, and one for their sum. */
export function renderCompareLegend(lines: readonly LegendLine[], { query, sum }: LegendOptions): string {
  const newest = Math.max(...lines.map(({ figures }) => figures?.timestamp ?? Number.NEGATIVE_INFINITY));
  const rows = lines.map((line, index) => rowOf(line, index, { query, newest }));
  const asOf = Number.isFinite(newest) ? `As of ${formatDateTime(newest)}. ` : '';
  return html`<div class="scroll"><table class="legend">
<thead><tr><th scope="col">Line</th><th scope="col">Latest</th><th scope="col">Peak<span>, 30 days</span></th><th scope="col">7 days</th><th scope="col">30 days</th><th scope="col"><span class="hush">Remove</span></th></tr></thead>
<tbody>
!${rows}</tbody>
!${
    sum === undefined
      ? ''
      : html`<tfoot><tr><th scope="row">Sum</th><td>${formatCount(sum)}</td><td></td><td></td><td></td><td></td></tr></tfoot>
`
  }</table></div>
<p class="note">${asOf}${changeNote}</p>
`;
}

/** A line whose newest point is older than that of another one by more than this has its date. */
const oldMs = 2 * 24 * 60 * 60 * 1000;

interface RowOptions extends Pick<LegendOptions, 'query'> {
  /** The time of the newest point of all lines. */
  readonly newest: number;
}

function rowOf(line: LegendLine, index: number, { query, newest }: RowOptions): string {
  const { found, figures, isHidden, isEmpty } = line;
  const { plugin, chart } = found;
  const rest = query.charts.filter((_, place) => place !== index);
  const remove = compareAddress({ ...query, charts: rest, add: '' });
  const isOld = figures !== undefined && newest - figures.timestamp > oldMs;
  const words = [
    ...(isEmpty ? ['no points here'] : []),
    ...((isEmpty || isOld) && figures !== undefined
      ? [`the newest is of ${formatDate(figures.timestamp)}`]
      : []),
  ];
  const said = words.length === 0 ? '' : html`<small class="empty-line">${words.join(', ')}</small>`;
  return html`<tr!${isHidden ? ' class="off"' : ''}><th scope="row">!${toggle(line, index, query)}<a href="${pluginPath(plugin)}#${chart.chartId}">!${name(line.name)}</a> <small>!${name(plugin.software.name)}</small>!${only(line, index, query)}!${said}</th><td>${formatCount(figures?.now)}</td><td>${formatCount(figures?.peak)}</td><td>${changeWords(figures?.weekChange)}</td><td>${changeWords(figures?.monthChange)}</td><td><a class="remove" href="${remove}" aria-label="Remove ${line.name}">×</a></td></tr>
`;
}

/** The link that hides a line or shows it again. */
function toggle(
  { name: lineName, place, isHidden, found }: LegendLine,
  index: number,
  query: CompareQuery,
): string {
  if (query.charts.length < 2) return swatch(place, query);
  const { pluginId, chartId } = chartAt(query, index, found);
  const hidden = isHidden
    ? query.hidden.filter((chart) => chart.pluginId !== pluginId || chart.chartId !== chartId)
    : [...query.hidden, { pluginId, chartId }];
  // In the order of the lines, so that one state has one address.
  const ordered = query.charts.filter((chart) => includesChart(hidden, chart));
  const href = compareAddress({ ...query, hidden: ordered, add: '' });
  return html`<a class="toggle" id="toggle-${pluginId}:${chartId}" href="${href}" aria-label="${isHidden ? 'Show' : 'Hide'} ${lineName}">!${swatch(place, query)}</a>`;
}

/** The link that shows a line alone, or all lines again. */
function only({ name: lineName, isHidden, found }: LegendLine, index: number, query: CompareQuery): string {
  if (query.charts.length < 2) return '';
  const shown = chartAt(query, index, found);
  const isAlone = !isHidden && query.hidden.length === query.charts.length - 1;
  const hidden = isAlone ? [] : query.charts.filter((chart) => !includesChart([shown], chart));
  const label = isAlone ? 'Show all lines' : `Only ${lineName}`;
  return html` <a class="only" id="only-${shown.pluginId}:${shown.chartId}" href="${compareAddress({ ...query, hidden, add: '' })}" data-set="hide" aria-label="${label}">${isAlone ? 'All' : 'Only'}</a>`;
}

function chartAt({ charts }: CompareQuery, index: number, { plugin, chart }: FoundChart): ChartName {
  return charts[index] ?? { pluginId: plugin.id, chartId: chart.chartId };
}

function swatch(place: number, { mode }: CompareQuery): string {
  const paint = new Paint('auto');
  const ink = seriesInk(place);
  if (mode === 'sum')
    return html`<svg class="swatch area" viewBox="0 0 20 12" width="20" height="12" aria-hidden="true"><rect width="20" height="12" rx="2"!${paint.fill(ink)}/></svg>`;
  const dash = dashOf(place);
  const dashes = dash === undefined ? '' : html` stroke-dasharray="${dash}"`;
  return html`<svg class="swatch" viewBox="0 0 20 4" width="20" height="4" aria-hidden="true"><path d="M0 2h20"!${dashes}!${paint.stroke(ink)}/></svg>`;
}
