/** The toolbar of a page with charts: links to its other states, and a form for two dates. */
import { html } from 'ghtml';
import { type Period, rangeNames, ranges } from '../../model/window.ts';
import type { QueryParameters } from '../address/paths.ts';
import { unitLabels } from '../state/chart-state.ts';
import { windowDates } from '../state/shown-window.ts';
import { renderHiddenInputs } from './html.ts';

/** Returns the URL of the page with one change, such as `range=7d`. */
export type AddressOf = (change: string) => string;

/** Values of a choice with their labels. */
type Labels = Readonly<Record<string, string>>;

/**
 * Renders a link for each value of a parameter. `data-set` names the change, so that the script can apply it
 * without loading a page.
 */
export function renderChoices(
  parameter: string,
  labels: Labels,
  {
    label,
    current,
    addressOf,
  }: { readonly label: string; readonly current: string; readonly addressOf: AddressOf },
): string {
  const links = Object.entries(labels).map(([value, text]) => {
    const address = addressOf(`${parameter}=${value}`);
    return html`<a href="${address}" data-set="${parameter}=${value}"!${value === current ? ' aria-current="true"' : ''}>${text}</a>`;
  });
  return html`<nav class="choice" aria-label="${label}"><span aria-hidden="true">${label}</span>!${links}</nav>`;
}

/** Renders the choice of units, which shares over time have alone; the script shows and hides it. */
export function renderUnits(current: string, isShown: boolean, addressOf: AddressOf): string {
  return html`<div class="units" data-shown-in="history"!${isShown ? '' : ' hidden'}>!${renderChoices('unit', unitLabels, { label: 'Unit', current, addressOf })}</div>`;
}

/** Describes the page of the form. */
interface TimesForm {
  readonly path: string;
  readonly window: Period;
  readonly addressOf: AddressOf;
  /** Query parameters of the page. */
  readonly parameters: QueryParameters;
  /** Time that its longest chart spans, if known. */
  readonly lengthMs?: number;
}

/** Renders links for the ranges, and a form for two dates. */
export function renderTimesForm({
  path,
  window,
  addressOf,
  parameters,
  lengthMs = Number.POSITIVE_INFINITY,
}: TimesForm): string {
  // A range that covers everything would look like All.
  const offered = rangeNames.filter(
    (range) => range === 'all' || range === window || ranges[range] < lengthMs,
  );
  const labels = Object.fromEntries(offered.map((range) => [range, range === 'all' ? 'All' : range]));
  const { from, to } = windowDates(window);
  const { range: _, from: __, to: ___, ...others } = parameters;
  return html`<form class="times" action="${path}" data-times>
!${renderChoices('range', labels, { label: 'Range', current: String(window), addressOf })}
<details class="menu dates" name="menu"><summary>Custom…</summary><p><label>From !${dateField('from', from)}</label> <label>until !${dateField('to', to)}</label>!${renderHiddenInputs(others)} <button>Show</button></p></details>
</form>
`;
}

function dateField(field: 'from' | 'to', date: string): string {
  return html`<input type="date" name="${field}" min="1970-01-01" max="9999-12-31" required value="${date}">`;
}
