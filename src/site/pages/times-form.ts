/** The form for the window of time of a page: links for ranges, and two dates. */
import { html } from 'ghtml';
import { type Period, rangeNames, ranges } from '../../model/window.ts';
import type { QueryParameters } from '../address/paths.ts';
import { usualRange, windowDates } from '../state/shown-window.ts';
import { rangeLabel } from './words.ts';

/** The page of the form. */
interface TimesForm {
  readonly path: string;
  readonly window: Period;
  /** The name of the links for ranges. */
  readonly label: string;
  /** The address of the page with another window. */
  readonly addressOf: (window: Period) => string;
  /** The other query parameters of the page; those that are undefined are left out. */
  readonly others: QueryParameters;
  /** The time that its longest chart spans; infinite if it is not known. */
  readonly lengthMs: number;
}

/** Renders the form. Each link names in `data-set` what it changes, so that the script applies it without a new page. */
export function renderTimesForm({ path, window, label, addressOf, others, lengthMs }: TimesForm): string {
  const { from, to } = windowDates(window);
  const shown = typeof window === 'string' ? window : undefined;
  // A range that has everything would look like All.
  const offered = rangeNames.filter(
    (range) => range === 'all' || range === shown || ranges[range] < lengthMs,
  );
  const links = offered.map((range) => {
    const current = range === shown ? ' aria-current="true"' : '';
    return html`<a href="${addressOf(range)}" data-set="range=${range}"!${current}>${rangeLabel(range)}</a>`;
  });
  return html`<form class="times" action="${path}" data-times>
<nav class="ranges" aria-label="${label}">!${links}</nav>
<p class="dates"><label>From !${dateField('from', from)}</label> <label>until !${dateField('to', to)}</label>!${renderHiddenInputs(others)} <button>Show</button></p>
<a class="whole" href="${addressOf(usualRange)}" data-set="range=${usualRange}"!${typeof window === 'string' ? ' hidden' : ''}>← Back to <span>${usualRange}</span></a>
</form>
`;
}

/** Renders parameters that a form keeps; those that are undefined are left out. */
export function renderHiddenInputs(parameters: QueryParameters): string[] {
  return Object.entries(parameters).flatMap(([name, values = []]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">`),
  );
}

function dateField(field: 'from' | 'to', date: string): string {
  return html`<input type="date" name="${field}" required value="${date}">`;
}
