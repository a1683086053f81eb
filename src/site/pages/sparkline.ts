/** A small line of the last days, without axes, and the cells of a row that has one. */
import { html } from 'ghtml';
import { clamp } from '../../draw/clamp.ts';
import { formatDate } from '../../draw/format.ts';
import { type ListedPlugin, trendDays } from '../../model/plugin-list.ts';
import { chip, timeTag } from './html.ts';

/** Height in the units of its picture; a day is one wide. */
const height = 40;

/** The least height of the values, as a share of the highest: small changes stay small. */
const minSpan = 0.2;

/** Renders the means of the last days as SVG; null is a gap. Empty without values. */
export function renderSparkline(means: readonly (number | null)[]): string {
  const known = means.filter((mean) => mean !== null).map(clamp);
  if (known.length === 0) return '';
  const [lowest, highest] = [Math.min(...known), Math.max(...known)];
  const span = Math.max(highest - lowest, minSpan * Math.max(Math.abs(lowest), Math.abs(highest))) || 1;
  const middle = (highest + lowest) / 2;
  let path = '';
  let before: number | undefined;
  for (const [index, mean] of means.entries()) {
    const y = mean === null ? undefined : Math.round(height * (0.5 - (clamp(mean) - middle) / span));
    // A day alone is a dot.
    if (y !== undefined)
      path +=
        before === undefined
          ? `M${trendDays - means.length + index} ${y}h0`
          : `l1 ${y - before}`.replace(' -', '-');
    before = y;
  }
  return html`<svg class="spark" viewBox="0 -2 ${trendDays - 1} ${height + 4}" preserveAspectRatio="none" aria-hidden="true"><path d="${path}"/></svg>`;
}

/** Renders cells of the last days and the changes of a plugin; the date of a line that ended before. */
export function renderTrendCells({ servers, days, changes }: ListedPlugin, oldestTime: number): string {
  if (servers !== null && servers[0] < oldestTime)
    return html`<td class="number" colspan="3"><small>until !${timeTag(servers[0], formatDate)}</small></td>`;
  const cells = [changes['7d'], changes['28d']].map(
    (change) => html`<td class="number">!${chip(change) || '–'}</td>`,
  );
  return html`<td class="trend">!${renderSparkline(days)}</td>!${cells}`;
}
