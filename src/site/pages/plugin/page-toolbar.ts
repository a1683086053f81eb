/** The toolbar for all charts of a plugin's page: links for each state, and a form for two dates. */
import { html } from 'ghtml';
import { type PageState, pageAddress, pageParameters } from '../../state/page-state.ts';
import { renderTimesForm } from '../times-form.ts';

/** The page of the toolbar. */
interface ToolbarPlace {
  readonly path: string;
  readonly state: PageState;
  /** True if a chart of the page has a view over time. */
  readonly hasShares: boolean;
  /** The time that its longest chart spans. */
  readonly lengthMs: number;
}

/**
 * Renders the toolbar. Each link names in `data-set` what it changes, so that the script can apply it without a new page.
 */
export function renderPageToolbar({ path, state, hasShares, lengthMs }: ToolbarPlace): string {
  const { window } = state;
  const { range: _, from: __, to: ___, ...others } = pageParameters(state);
  const times = renderTimesForm({
    path,
    window,
    label: 'Range of all charts',
    addressOf: (linked) => pageAddress(path, { ...state, window: linked }),
    others,
    lengthMs,
  });
  return html`!${times}!${hasShares ? views() : ''}`;

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
