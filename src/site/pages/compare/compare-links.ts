/** The links below a comparison: its pictures and its data, as they are shown. */
import { html } from 'ghtml';
import { lineStep } from '../../../draw/time-step.ts';
import { chartNamesText } from '../../../model/chart.ts';
import { withQuery } from '../../address/paths.ts';
import { type CompareQuery, compareAddress, includesChart } from '../../state/compare-query.ts';
import { linesPictureAddress } from '../../state/pictures.ts';
import { windowParameters } from '../../state/shown-window.ts';

/** Renders the links, and the button of the Embed dialog; none if all lines are hidden. `lengthMs` is the length of what the lines show. */
export function renderCompareLinks(
  query: CompareQuery,
  { title, lengthMs }: { readonly title: string; readonly lengthMs: number },
): string {
  const { mode, axis, window, hidden } = query;
  const shown = query.charts.filter((chart) => !includesChart(hidden, chart));
  if (shown.length === 0) return '';
  const charts = chartNamesText(shown);
  const csv = withQuery('/api/v2/series.csv', {
    charts,
    ...windowParameters(window),
    step: lineStep(lengthMs),
    sum: mode === 'sum' ? 'true' : undefined,
  });
  const picture = (extension: 'svg' | 'png') =>
    linesPictureAddress(extension, { charts: shown, mode, axis, window });
  const embed = html`<button type="button" data-embed data-charts="${charts}" data-mode="${mode}" data-axis="${axis}" data-title="${title}" aria-haspopup="dialog">Embed</button>`;
  const link = compareAddress({ ...query, add: '' });
  return html`<p class="actions">!${embed}<a href="${link}">Link</a><a href="${csv}" download>CSV</a><a href="${picture('svg')}" download>SVG</a><a href="${picture('png')}" download>PNG</a></p>
`;
}
