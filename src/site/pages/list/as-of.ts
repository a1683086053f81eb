/** The time of the totals of a list: that of their newest number, which is marked where it is old. */
import { html } from 'ghtml';
import { formatDateTime } from '../../../draw/format.ts';

/** Collectors and mirrors bring a number every half hour; when several are missing, the totals do not speak of now. */
const oldMs = 2 * 60 * 60 * 1000;

/** True for totals whose newest number is older than two hours. */
export function isOld(newestTime: number | undefined, nowMs: number): boolean {
  return newestTime !== undefined && nowMs - newestTime > oldMs;
}

/** Renders the time; empty without any number. */
export function renderAsOf(newestTime: number | undefined, nowMs: number): string {
  if (newestTime === undefined) return '';
  const mark = isOld(newestTime, nowMs) ? ' <strong>older than two hours</strong>' : '';
  return html`<p class="asof">As of <time datetime="${new Date(newestTime).toISOString()}">${formatDateTime(newestTime)}</time>!${mark}</p>
`;
}
