/** The table of releases: what each did. */
import { html } from 'ghtml';
import { formatDate, formatMean, formatShare } from '../../../draw/format.ts';
import { dayMs, dayStart } from '../../../model/window.ts';
import type { PluginInsights } from '../../../series/load-insights.ts';
import { windowParameters } from '../../state/shown-window.ts';
import { changeWords, nameHtml, timeTag } from '../html.ts';

/** Days before and after a release that its link shows. */
const daysShown = 14;

/** Renders the table. @param addressOf the address of the page with a change, such as `range=7d`. */
export function renderReleases(
  releases: PluginInsights['releases'],
  addressOf: (change: string) => string,
): string {
  const rows = releases.map(({ title, url, time, servers, share }) => {
    const day = dayStart(time);
    const around = { from: Math.max(0, day - daysShown * dayMs), to: day + (daysShown + 1) * dayMs };
    const change = new URLSearchParams(windowParameters(around)).toString();
    const label =
      url === null ? nameHtml(title) : html`<a href="${url}" rel="external nofollow">!${nameHtml(title)}</a>`;
    const shown = (value: number | null) => (value === null ? '–' : formatShare(value));
    return html`<tr><th scope="row">!${label}</th><td><a href="${addressOf(change)}#-usage" data-set="${change}" title="Show the weeks around it">!${timeTag(time, formatDate)}</a></td><td>${servers === null ? '–' : `${formatMean(servers.before)} → ${formatMean(servers.after)}`}</td><td>${servers === null ? '–' : changeWords(servers.after / servers.before - 1)}</td><td>${shown(share['7d'])}</td><td>${shown(share['30d'])}</td><td>${shown(share.now)}</td></tr>
`;
  });
  return html`<div class="card releases scroll"><table>
<thead><tr><th scope="col">release</th><th scope="col">day</th><th scope="col">servers, week before → after</th><th scope="col">change</th><th scope="col">used after 7 days</th><th scope="col">30 days</th><th scope="col">now</th></tr></thead>
<tbody>
!${rows}</tbody></table></div>
`;
}
