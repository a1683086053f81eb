/** A small line of the last days, without axes, and what has one: a card with a number, cells of a row. */
import { html } from 'ghtml';
import { clamp } from '../../draw/clamp.ts';
import { formatDate } from '../../draw/format.ts';
import { type ListedPlugin, trendDays } from '../../model/plugin-list.ts';
import { chip, formatCount, timeTag } from './html.ts';

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

/** A number, and the means of its last days. */
export interface Figure {
  /** HTML of the heading. */
  readonly title: string;
  readonly count: number;
  readonly days?: readonly (number | null)[];
  /** HTML below the number. */
  readonly rest?: string;
  /** Path to which the card leads. */
  readonly href?: string | undefined;
}

/** Renders the card of a number, which is smaller if it is long. */
export function renderFigure({ title, count, days = [], rest = '', href }: Figure): string {
  const [open, close] = href === undefined ? ['section', 'section'] : [html`a href="${href}"`, 'a'];
  const text = formatCount(count);
  return html`<!${open} class="card figure">
<h2>!${title}</h2>
<div class="value"><p class="now!${text.length > 9 ? ' long' : ''}">${text}</p>!${renderSparkline(days)}</div>
!${rest}</!${close}>
`;
}

/**
 * Renders cells of the numbers of a plugin, their last days and their changes; the date of a line that ended
 * before.
 */
export function renderNumberCells(plugin: ListedPlugin, oldestTime: number): string {
  const { servers, players } = plugin;
  return html`<td class="number"><b>${formatCount(servers?.[1])}</b></td><td class="number">${formatCount(players?.[1])}</td>!${renderTrendCells(plugin, oldestTime)}`;
}

function renderTrendCells({ servers, days, changes }: ListedPlugin, oldestTime: number): string {
  if (servers !== null && servers[0] < oldestTime)
    return html`<td class="number" colspan="3"><small>until !${timeTag(servers[0], formatDate)}</small></td>`;
  const cells = [changes['7d'], changes['28d']].map(
    (change) => html`<td class="number">!${chip(change) || '–'}</td>`,
  );
  return html`<td class="trend">!${renderSparkline(days)}</td>!${cells}`;
}
