/** The toolbar for all charts of a plugin's page: applies each choice at once and keeps it in the address. */
import { chartLinks } from '../state/chart-links.ts';
import { type PageState, pageAddress, pageStateAttributes, pageStateOf } from '../state/page-state.ts';
import { filtersInQuery, type ShareFilter, withFilters } from '../state/share-filter.ts';
import { type ShownWindow, windowOf, windowParameters } from '../state/shown-window.ts';
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
  let state = pageStateOf(new URLSearchParams(location.search));
  let filters = filtersInQuery(new URLSearchParams(location.search));
  showFilters(filters);

  addEventListener('popstate', () => {
    if (location.pathname !== new URL(form.action).pathname) return;
    state = pageStateOf(new URLSearchParams(location.search));
    filters = filtersInQuery(new URLSearchParams(location.search));
    show(toolbar, state);
    showFilters(filters);
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
    const fields = new FormData(form);
    const window = windowOf((name) => String(fields.get(name) ?? ''));
    const isWindow = 'from' in window;
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
    const next = new Map(filters);
    const chartId = target.getAttribute('chart') ?? '';
    next.delete(chartId);
    for (const kind of ['hide', 'only'] as const) {
      const names = detail[kind];
      if (names !== undefined) next.set(chartId, { kind, names });
    }
    choose(
      {
        ...state,
        axis: detail.axis,
        window: 'from' in detail ? { from: detail.from, to: detail.to } : { range: detail.range },
      },
      next,
    );
  });

  function choose(next: PageState, nextFilters = filters): void {
    const back = form?.querySelector<HTMLElement>('.whole');
    if (back && 'from' in next.window && 'range' in state.window)
      back.dataset['set'] = `range=${state.window.range}`;
    const [before, filtersBefore] = [state, filters];
    state = next;
    filters = nextFilters;
    const address = withFilters(pageAddress(location.pathname, state), filters);
    if (address !== withFilters(pageAddress(location.pathname, before), filtersBefore))
      history.pushState(null, '', address);
    if (toolbar) show(toolbar, state);
    showFilters(filters);
  }
}

/** A choice of a reader in a chart: its window, its axis, and its shares. */
type ChartChoice = ShownWindow &
  Pick<PageState, 'axis'> &
  Partial<Record<ShareFilter['kind'], readonly string[]>>;

function showFilters(filters: ReadonlyMap<string, ShareFilter>): void {
  for (const chart of document.querySelectorAll('article.chart plugin-chart')) {
    const filter = filters.get(chart.getAttribute('chart') ?? '');
    for (const kind of ['hide', 'only'] as const) {
      if (filter?.kind !== kind) chart.removeAttribute(kind);
      else chart.setAttribute(kind, filter.names.join('\n'));
    }
  }
}

/** A state with one change: `range=7d`, `view=history`. */
function changed(state: PageState, change: string): PageState {
  const query = new URLSearchParams(change);
  const next = pageStateOf(query);
  return {
    window: query.has('range') ? next.window : state.window,
    view: query.has('view') ? next.view : state.view,
    unit: query.has('unit') ? next.unit : state.unit,
    axis: state.axis,
  };
}

/** Shows a state: in the charts, in the toolbar, and in the links below the charts. */
function show(toolbar: HTMLElement, state: PageState): void {
  const times = windowParameters(state.window);
  for (const link of toolbar.querySelectorAll<HTMLElement>('a[data-set]')) {
    const change = link.dataset['set'] ?? '';
    const linked = changed(state, change);
    link.setAttribute('href', pageAddress(location.pathname, linked));
    const [name = '', value] = change.split('=');
    const shown: Readonly<Record<string, string | undefined>> = {
      ...times,
      view: state.view,
      unit: state.unit,
    };
    if (link.matches('.whole')) {
      link.hidden = 'range' in state.window;
      const label = link.querySelector('span');
      if (label && value !== undefined) label.textContent = value === 'all' ? 'All' : value;
    } else if (shown[name] === value) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  for (const name of ['from', 'to'] as const) {
    const field = toolbar.querySelector<HTMLInputElement>(`input[name=${name}]`);
    if (field) field.value = times[name]?.slice(0, 10) ?? '';
  }
  for (const part of toolbar.querySelectorAll<HTMLElement>('[data-shown-in]'))
    part.hidden = part.dataset['shownIn'] !== state.view;
  for (const chart of document.querySelectorAll<HTMLElement>('article.chart')) showIn(chart, state);
}

function showIn(article: HTMLElement, state: PageState): void {
  const chart = article.querySelector('plugin-chart');
  if (chart === null) return;
  for (const [name, value] of Object.entries(pageStateAttributes(state))) {
    if (value === undefined) chart.removeAttribute(name);
    else if (chart.getAttribute(name) !== value) chart.setAttribute(name, value);
  }
  const csv = article.querySelector<HTMLElement>('[data-csv]');
  const pluginId = Number(chart.getAttribute('plugin'));
  const chartId = chart.getAttribute('chart') ?? '';
  const form = article.querySelector<HTMLElement>('[data-form]')?.dataset['form'] ?? '';
  const links = chartLinks({ pluginId, chartId, form, csvPath: csv?.dataset['csv'] ?? '' }, state);
  csv?.setAttribute('href', links.csv);
  article.querySelector('[data-compare]')?.setAttribute('href', links.compare);
  for (const extension of ['svg', 'png'] as const) {
    const link = article.querySelector<HTMLElement>(`[data-${extension}]`);
    const href = links[extension];
    if (link) link.hidden = href === undefined;
    if (href === undefined) link?.removeAttribute('href');
    else link?.setAttribute('href', href);
  }
}
