/** The toolbar for all charts of a plugin's page: applies each choice at once and keeps it in the address. */
import type { Range, TimeWindow } from '../../model/window.ts';
import { chartLinks } from '../state/chart-links.ts';
import { accept } from '../state/fields.ts';
import {
  chartAttributeNames,
  chartAttributes,
  chartFields,
  type PageState,
  pageAddress,
  pageFields,
} from '../state/page-state.ts';
import { filterOf, type ShareFilter } from '../state/share-filter.ts';
import { windowDates } from '../state/shown-window.ts';
import { fieldsOf } from './elements.ts';
import { rove } from './roving.ts';

/** Makes the toolbar of the page work by script. Without it, its links load the page in the state that they name. */
export function enablePageToolbar(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-times]');
  const toolbar = form?.parentElement;
  if (!form || !toolbar) return;
  for (const actions of document.querySelectorAll<HTMLElement>('.chart .actions')) {
    actions.setAttribute('aria-label', 'Links');
    rove(actions);
  }
  let state = accept(pageFields, new URLSearchParams(location.search));

  addEventListener('popstate', () => {
    if (location.pathname !== new URL(form.action).pathname) return;
    state = accept(pageFields, new URLSearchParams(location.search));
    show(toolbar, state);
  });
  toolbar.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-set]') : null;
    // A click for a new tab is left to the browser.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(changed(state, link.dataset['set'] ?? ''));
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { window } = accept(pageFields, fieldsOf(form));
    const isWindow = typeof window !== 'string';
    const last = form.elements.namedItem('to');
    if (last instanceof HTMLInputElement) {
      last.setCustomValidity(isWindow ? '' : 'Choose a later date than the first one.');
      last.reportValidity();
    }
    if (isWindow) choose({ ...state, window });
  });
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) target.setCustomValidity('');
  });
  // A chart was zoomed: all show the same. Shares are hidden in one chart alone.
  document.addEventListener('rangechange', ({ target, detail }: CustomEventInit<ChartChoice> & Event) => {
    if (!(target instanceof HTMLElement && toolbar.parentElement?.contains(target) && detail)) return;
    const filters = new Map(state.filters);
    const chartId = target.getAttribute('chart') ?? '';
    const filter = filterOf((kind) => detail[kind] ?? []);
    if (filter === undefined) filters.delete(chartId);
    else filters.set(chartId, filter);
    choose({
      ...state,
      window: 'from' in detail ? { from: detail.from, to: detail.to } : detail.range,
      filters,
    });
  });

  function choose(next: PageState): void {
    const back = form?.querySelector<HTMLElement>('.whole');
    if (back && typeof next.window !== 'string' && typeof state.window === 'string')
      back.dataset['set'] = `range=${state.window}`;
    const before = state;
    state = next;
    const address = pageAddress(location.pathname, state);
    if (address !== pageAddress(location.pathname, before)) history.pushState(null, '', address);
    if (toolbar) show(toolbar, state);
  }
}

/** A choice of a reader in a chart: its window and its shares. */
type ChartChoice = ({ readonly range: Range } | TimeWindow) &
  Partial<Record<ShareFilter['kind'], readonly string[]>>;

/** A state with one change: `range=7d`, `view=history`. */
function changed(state: PageState, change: string): PageState {
  const name = change.startsWith('range=') ? 'window' : change.startsWith('view=') ? 'view' : 'unit';
  return { ...state, [name]: accept(chartFields, new URLSearchParams(change))[name] };
}

/** Shows a state: in the charts, in the toolbar, and in the links below the charts. */
function show(toolbar: HTMLElement, state: PageState): void {
  const here = pageAddress(location.pathname, state);
  for (const link of toolbar.querySelectorAll<HTMLElement>('a[data-set]')) {
    const change = link.dataset['set'] ?? '';
    const address = pageAddress(location.pathname, changed(state, change));
    link.setAttribute('href', address);
    if (link.matches('.whole')) {
      link.hidden = typeof state.window === 'string';
      const label = link.querySelector('span');
      if (label) label.textContent = change === 'range=all' ? 'All' : change.replace('range=', '');
    } else if (address === here) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  for (const [name, date] of Object.entries(windowDates(state.window))) {
    const field = toolbar.querySelector<HTMLInputElement>(`input[name=${name}]`);
    if (field) field.value = date;
  }
  for (const part of toolbar.querySelectorAll<HTMLElement>('[data-shown-in]'))
    part.hidden = part.dataset['shownIn'] !== state.view;
  for (const chart of document.querySelectorAll<HTMLElement>('article.chart')) showIn(chart, state);
}

function showIn(article: HTMLElement, state: PageState): void {
  const chart = article.querySelector('plugin-chart');
  if (chart === null) return;
  const chartId = chart.getAttribute('chart') ?? '';
  const attributes = chartAttributes(state, chartId);
  for (const name of chartAttributeNames) {
    const value = attributes[name];
    if (value === undefined) chart.removeAttribute(name);
    else chart.setAttribute(name, String(value));
  }
  const csv = article.querySelector<HTMLElement>('[data-csv]');
  const pluginId = Number(chart.getAttribute('plugin'));
  const form = article.querySelector<HTMLElement>('[data-form]')?.dataset['form'] ?? '';
  const links = chartLinks({ pluginId, chartId, form, csvPath: csv?.dataset['csv'] ?? '' }, state);
  csv?.setAttribute('href', links.csv);
  article.querySelector('[data-compare]')?.setAttribute('href', links.compare);
  for (const extension of ['svg', 'png'] as const) {
    article.querySelector(`[data-${extension}]`)?.setAttribute('href', links[extension]);
  }
}
