/** The figures of a comparison. */

import { html } from 'ghtml';
import { dashOf } from '../../../draw/line/comparison.ts';
import { Paint, seriesInk } from '../../../draw/theme.ts';
import { type CompareQuery, compareAddress } from '../../address/compared-charts.ts';
import { pluginPath } from '../../address/paths.ts';
import type { LineFigures } from '../../charts/line-figures.ts';
import type { FoundChart } from '../../charts/load-comparison.ts';
import { changeWords, formatCount, name } from '../words.ts';

/** Options of the table. */
interface LegendOptions {
  readonly query: CompareQuery;
  /** The names of the lines. */
  readonly names: readonly string[];
  readonly figures: readonly (LineFigures | undefined)[];
  /** The latest value of the sum; undefined in other modes. */
  readonly sum: number | undefined;
}

/** A table with a row for each line, and one for their sum. */
export function renderCompareLegend(
  found: readonly FoundChart[],
  { query, names, figures: allFigures, sum }: LegendOptions,
): string {
  const rows: string[] = [];
  for (const [index, { plugin, chart }] of found.entries()) {
    const figures = allFigures[index];
    const rest = query.charts.filter((_, place) => place !== index);
    const remove = compareAddress({ ...query, charts: rest, add: '' });
    rows.push(html`<tr><th scope="row">!${query.mode === 'sum' ? '' : swatch(index)}<a href="${pluginPath(plugin)}#${chart.chartId}">!${name(names[index] ?? '')}</a> <small>!${name(plugin.software.name)}</small></th><td>${formatCount(figures?.now)}</td><td>${formatCount(figures?.peak)}</td><td>${changeWords(figures?.weekChange)}</td><td>${changeWords(figures?.monthChange)}</td><td><a class="remove" href="${remove}" aria-label="Remove ${names[index]}">×</a></td></tr>
`);
  }
  return html`<div class="scroll"><table class="legend">
<thead><tr><th scope="col">Line</th><th scope="col">Now</th><th scope="col">Peak<span>, 30 days</span></th><th scope="col"><span>In </span>7 days</th><th scope="col"><span>In </span>30 days</th><th scope="col"><span class="hush">Remove</span></th></tr></thead>
<tbody>
!${rows}</tbody>
!${
    sum === undefined
      ? ''
      : html`<tfoot><tr><th scope="row">Sum</th><td>${formatCount(sum)}</td><td></td><td></td><td></td><td></td></tr></tfoot>
`
  }</table></div>
`;
}

function swatch(index: number): string {
  const dash = dashOf(index);
  const dashes = dash === undefined ? '' : html` stroke-dasharray="${dash}"`;
  return html`<svg class="swatch" viewBox="0 0 20 4" width="20" height="4" aria-hidden="true"><path d="M0 2h20"!${dashes}!${new Paint('auto').stroke(seriesInk(index))}/></svg>`;
}
