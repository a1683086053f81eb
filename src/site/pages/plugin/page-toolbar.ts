/** The toolbar for all charts of a plugin's page: links for each state, and a form for two dates. */
import { html } from 'ghtml';
import { rangeNames } from '../../../draw/range.ts';
import { type PageState, pageAddress, pageStateParameters } from '../../state/page-state.ts';
import { rangeLabel } from '../words.ts';

/** The page of the toolbar. */
interface ToolbarPlace {
  readonly path: string;
  readonly state: PageState;
  /** True if a chart of the page has a view over time. */
  readonly hasShares: boolean;
}

/**
 * Renders the toolbar. Each link names in `data-set` what it changes, so that the script can apply it without a new page.
 */
export function renderPageToolbar({ path, state, hasShares }: ToolbarPlace): string {
  const { window } = state;
  const ranges = rangeNames.map((range) => {
    const isCurrent = 'range' in window && window.range === range;
    return link(`range=${range}`, rangeLabel(range), { ...state, window: { range } }, isCurrent);
  });
  const whole = { ...state, window: { range: '30d' } } as const;
  const { from, to, ...others } = pageStateParameters(state);
  const hidden = ['view', 'unit'].flatMap((name) => {
    const value = others[name];
    return value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`];
  });
  return html`<form class="times" action="${path}" data-times>
<nav class="ranges" aria-label="Range of all charts">!${ranges}</nav>
<p class="dates"><label>From <input type="date" name="from" required value="${dayOf(from)}"></label> <label>until <input type="date" name="to" required value="${dayOf(to)}"></label>!${hidden} <button>Show</button></p>
<a class="whole" href="${pageAddress(path, whole)}" data-set="range=30d"!${'range' in window ? ' hidden' : ''}>← Back to <span>30d</span></a>
</form>
!${hasShares ? views() : ''}!${'range' in window ? '' : windowNote}`;

  function views(): string {
    const view = (to: PageState['view'], label: string) =>
      link(`view=${to}`, label, { ...state, view: to }, state.view === to);
    const unit = (to: PageState['unit'], label: string) =>
      link(`unit=${to}`, label, { ...state, unit: to }, state.unit === to);
    const isNow = state.view === 'now';
    return html`<nav class="ranges views" aria-label="View of shares">!${view('now', 'Now')}!${view('history', 'Over time')}<span data-shown-in="history"!${isNow ? ' hidden' : ''}>!${unit('percent', 'Per cent')}!${unit('count', 'Counts')}</span></nav>
`;
  }

  function link(change: string, label: string, linked: PageState, isCurrent: boolean): string {
    const current = isCurrent ? ' aria-current="true"' : '';
    return html`<a href="${pageAddress(path, linked)}" data-set="${change}"!${current}>${label}</a>`;
  }
}

const windowNote =
  '<noscript><p class="note">Pictures end at the newest point, so they show the last 30 days. CSV has the time between the two dates.</p></noscript>\n';

function dayOf(time: string | undefined): string {
  return time?.slice(0, 10) ?? '';
}
