/** The lines of a comparison in figures, with links that hide a line, show it alone, or remove it. */

import { html } from 'ghtml';
import { formatDate } from '../../../draw/format.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import { type ChartName, chartNamesText } from '../../../model/chart.ts';
import type { ChartSpan } from '../../../model/chart-data.ts';
import type { TimeWindow } from '../../../model/window.ts';
import { pluginPath } from '../../address/paths.ts';
import type { LineFigures } from '../../charts/line-figures.ts';
import type { FoundChart } from '../../charts/load-comparison.ts';
import { type CompareQuery, includesChart, isAlone } from '../../state/compare-query.ts';
import { changeNote, changeWords, formatCount, name, timeTag } from '../words.ts';
import { stateLink } from './compare-controls.ts';

/** A line of the comparison. */
export interface LegendLine {
  readonly chart: ChartName;
  readonly found: FoundChart;
  readonly name: string;
  readonly figures: LineFigures | undefined;
  /** The times of its first and its last point. */
  readonly span: ChartSpan | undefined;
}

/** Options of the table. */
interface LegendOptions {
  readonly query: CompareQuery;
  /** The window that the lines show. */
  readonly ends: TimeWindow;
}

/** A table with a row for each line. */
export function renderCompareLegend(lines: readonly LegendLine[], options: LegendOptions): string {
  const newest = Math.max(...lines.map(({ figures }) => figures?.timestamp ?? Number.NEGATIVE_INFINITY));
  const rows = lines.map((line, place) => rowOf(line, { ...options, place, newest }));
  const asOf = Number.isFinite(newest) ? html`As of !${timeTag(newest)}. ` : '';
  return html`<div class="scroll"><table class="legend">
<thead><tr><th scope="col">Line</th><th scope="col">Latest</th><th scope="col">Peak<span>, 30 days</span></th><th scope="col">7 days</th><th scope="col">30 days</th><th scope="col"><span class="hush">Remove</span></th></tr></thead>
<tbody>
!${rows}</tbody>
</table></div>
<p class="note">!${asOf}${changeNote}</p>
`;
}

/** A line whose newest point is older than that of another one by more than this has its date. */
const oldMs = 2 * 24 * 60 * 60 * 1000;

interface RowOptions extends LegendOptions {
  readonly place: number;
  /** The time of the newest point of all lines. */
  readonly newest: number;
}

/** A row. The script changes it with what the page shows. */
function rowOf(line: LegendLine, { query, ends, place, newest }: RowOptions): string {
  const { chart, found, figures, span } = line;
  const { plugin } = found;
  const key = chartNamesText([chart]);
  const isHidden = includesChart(query.hidden, chart);
  const hasPoints = span !== undefined && span.last >= ends.from && span.first < ends.to;
  const rest = chartNamesText(query.charts.filter((each) => !includesChart([chart], each)));
  const isOld = figures !== undefined && newest - figures.timestamp > oldMs;
  const old = isOld
    ? html`<small class="empty-line">the newest is of !${timeTag(figures.timestamp, formatDate)}</small>`
    : '';
  const toggle =
    query.charts.length < 2
      ? swatch(place)
      : html`<a class="toggle" !${stateLink(query, `toggle=${key}`)} aria-label="${isHidden ? 'Show' : 'Hide'} ${line.name}">!${swatch(place)}</a>`;
  const only =
    query.charts.length < 2
      ? ''
      : html` <a class="only" !${stateLink(query, `only=${key}`)} aria-label="${isAlone(query, chart) ? 'Show all lines' : `Only ${line.name}`}">${isAlone(query, chart) ? 'All' : 'Only'}</a>`;
  return html`<tr data-chart="${key}" data-name="${line.name}" data-now="${figures?.now ?? 0}"!${span === undefined ? '' : html` data-first="${span.first}" data-last="${span.last}"`}!${isHidden ? ' class="off"' : ''}><th scope="row">!${toggle}<a href="${pluginPath(plugin)}#${chart.chartId}">!${name(line.name)}</a> <small>!${name(plugin.software.name)}</small>!${only}<small class="empty-line" data-empty!${isHidden || hasPoints ? ' hidden' : ''}>no points here</small>!${old}</th><td>${formatCount(figures?.now)}</td><td>${formatCount(figures?.peak)}</td><td>${changeWords(figures?.weekChange)}</td><td>${changeWords(figures?.monthChange)}</td><td><a class="remove" !${stateLink(query, `charts=${rest}`)} aria-label="Remove ${line.name}">×</a></td></tr>
`;
}

/** The piece of line in the drawing; the style makes an area of it in a sum. */
function swatch(place: number): string {
  const paint = new Paint('auto');
  return html`<svg class="swatch" viewBox="0 0 20 12" width="20" height="12" aria-hidden="true"><path d="M0 6h20"!${paint.stroke(seriesInk(place))}/></svg>`;
}
