/** The toolbar of a page with charts: applies each choice at once and keeps it in the address. */
import type { Period, Range, TimeWindow } from '../../model/window.ts';
import { accept, changed, type Fields } from '../state/fields.ts';
import {
  chartAttributeNames,
  chartAttributes,
  type PageState,
  pageAddress,
  pageFields,
} from '../state/page-state.ts';
import { chartLinks } from '../state/pictures.ts';
import { filterOf, type ShareFilter } from '../state/share-filter.ts';
import { windowDates } from '../state/shown-window.ts';
import { fieldsOf, rove } from './elements.ts';

/** A page whose charts show what its address says. */
export interface ChartPage<State extends { readonly window: Period }> {
  readonly fields: Fields<State>;
  readonly addressOf: (state: State) => string;
  /** A state with a change that a link names in `data-set`. */
  readonly changed: (state: State, change: string) => State;
  /** A state with what a reader has chosen in a chart beside its window. */
  readonly chosen: (state: State, chart: HTMLElement, choice: ChartChoice) => State;
  /** Shows a state in the charts, and in what follows them. */
  readonly show: (state: State) => void;
}

/** A choice of a reader in a chart: its window and its shares. */
type ChartChoice = ({ readonly range: Range } | TimeWindow) &
  Partial<Record<ShareFilter['kind'], readonly string[]>>;

/** Makes the toolbar of the page work by script. Without it, its links load the page in the state that they name. */
export function enablePageToolbar<State extends { readonly window: Period }>(page: ChartPage<State>): void {
  const form = document.querySelector<HTMLFormElement>('form[data-times]');
  if (form === null) return;
  for (const actions of document.querySelectorAll<HTMLElement>('.chart .actions')) {
    actions.setAttribute('aria-label', 'Links');
    rove(actions);
  }
  const stateHere = () => accept(page.fields, new URLSearchParams(location.search));
  let state = stateHere();

  addEventListener('popstate', () => {
    if (location.pathname !== new URL(form.action).pathname) return;
    state = stateHere();
    show();
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-set]') : null;
    // A click for a new tab is left to the browser, and so is one for other charts.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const change = link.dataset['set'] ?? '';
    if (change.startsWith('charts=')) return;
    event.preventDefault();
    choose(page.changed(state, change));
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
    if (!(target instanceof HTMLElement && detail)) return;
    const window = 'from' in detail ? { from: detail.from, to: detail.to } : detail.range;
    choose({ ...page.chosen(state, target, detail), window });
  });

  function choose(next: State): void {
    const back = form?.querySelector<HTMLElement>('.whole');
    if (back && typeof next.window !== 'string' && typeof state.window === 'string')
      back.dataset['set'] = `range=${state.window}`;
    const before = page.addressOf(state);
    state = next;
    const address = page.addressOf(state);
    if (address !== before) history.pushState(null, '', address);
    show();
  }

  /** Shows the state: in the toolbar and in all links that change it, and then in the page. */
  function show(): void {
    const here = page.addressOf(state);
    for (const link of document.querySelectorAll<HTMLElement>('a[data-set]')) {
      const change = link.dataset['set'] ?? '';
      const address = page.addressOf(page.changed(state, change));
      link.setAttribute('href', address);
      if (link.matches('.whole')) {
        link.hidden = typeof state.window === 'string';
        const label = link.querySelector('span');
        if (label) label.textContent = change === 'range=all' ? 'All' : change.replace('range=', '');
      } else if (address === here) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    for (const [name, date] of Object.entries(windowDates(state.window))) {
      const field = form?.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = date;
    }
    page.show(state);
  }
}

/** Sets the attributes of a chart that say what it shows. */
export function setAttributes(chart: Element, attributes: Readonly<Record<string, unknown>>): void {
  for (const name of chartAttributeNames) {
    const value = attributes[name];
    if (value === undefined) chart.removeAttribute(name);
    else chart.setAttribute(name, String(value));
  }
}

/** The page of a plugin. */
export const pluginPage: ChartPage<PageState> = {
  fields: pageFields,
  addressOf: (state) => pageAddress(location.pathname, state),
  changed: (state, change) => changed(pageFields, state, change),
  chosen(state, chart, choice) {
    const filters = new Map(state.filters);
    const chartId = chart.getAttribute('chart') ?? '';
    const filter = filterOf((kind) => choice[kind] ?? []);
    if (filter === undefined) filters.delete(chartId);
    else filters.set(chartId, filter);
    return { ...state, filters };
  },
  show(state) {
    for (const part of document.querySelectorAll<HTMLElement>('[data-shown-in]'))
      part.hidden = part.dataset['shownIn'] !== state.view;
    for (const article of document.querySelectorAll<HTMLElement>('article.chart')) {
      const chart = article.querySelector('plugin-chart');
      if (chart !== null) showIn(article, chart, state);
    }
  },
};

function showIn(article: HTMLElement, chart: Element, state: PageState): void {
  const chartId = chart.getAttribute('chart') ?? '';
  setAttributes(chart, chartAttributes(state, chartId));
  const csv = article.querySelector<HTMLElement>('[data-csv]');
  const pluginId = Number(chart.getAttribute('plugin'));
  const form = article.querySelector<HTMLElement>('[data-form]')?.dataset['form'] ?? '';
  const links = chartLinks({ pluginId, chartId, form, csvPath: csv?.dataset['csv'] ?? '' }, state);
  for (const [name, address] of Object.entries(links))
    article.querySelector(`[data-${name}]`)?.setAttribute('href', address);
}
