/**
 * Pages with charts: a toolbar whose choices are kept in the URL, the charts, and links that follow the
 * choices.
 */
import { rangeInWords } from '../../draw/format.ts';
import { parseChartName } from '../../model/catalogue.ts';
import {
  type DataWindow,
  isSamePeriod,
  lengthOf,
  mayBeIn,
  type Period,
  type RangeName,
  type Span,
  windowOverAll,
} from '../../model/window.ts';
import { chartAttributeNames } from '../state/chart-state.ts';
import {
  type CompareQuery,
  changedComparison,
  compareAddress,
  compareFields,
  compareParameters,
  includesChart,
  isAlone,
  isScaleOffered,
} from '../state/compare-query.ts';
import { accept, changed, type Fields } from '../state/fields.ts';
import {
  chartAttributes,
  comparisonAttributes,
  type PageState,
  pageAddress,
  pageFields,
  type ShownState,
  sharedPeriod,
} from '../state/page-state.ts';
import { chartLinks, comparisonLinks } from '../state/pictures.ts';
import { filterOf, type ShareFilter } from '../state/share-filter.ts';
import {
  type ComparedShares,
  comparedSharesAddress,
  comparedSharesFields,
  comparedSharesParameters,
  shownShares,
} from '../state/shares-query.ts';
import { meanWords, usualRange, windowDates, windowWords } from '../state/shown-window.ts';
import { chartsOf, element, fieldsOf } from './elements.ts';
import { pageLinks } from './page-links.ts';

/** A page whose charts show the state in its URL. */
interface ChartPage<State extends { readonly window: Period }> {
  readonly fields: Fields<State>;
  readonly addressOf: (state: State) => string;
  /** Applies a change that a link specifies in `data-set`. */
  readonly changed: (state: State, change: string) => State;
  /** Applies what a reader has chosen in a chart, except for the window. */
  readonly chosen: (state: State, chart: HTMLElement, choice: ChartChoice) => State;
  /** Updates the charts, and everything that depends on the state. */
  readonly show: (state: State) => void;
}

/** The choice of a reader in a chart: window, view and shares. */
type ChartChoice = ({ readonly range: RangeName } | DataWindow) &
  Pick<PageState, 'view'> &
  Partial<Record<ShareFilter['kind'], readonly string[]>>;

/**
 * Makes the toolbar of a page with charts work without reloading. Without script, its links load the page in
 * the new state.
 */
export function enableCharts(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-times]');
  if (form === null) return;
  document.addEventListener('click', ({ target }) => {
    const opener = target instanceof Element ? target.closest('button[data-table]') : null;
    const chart = opener && (opener.closest('.chart') ?? document).querySelector('plugin-chart');
    if (chart) opener?.setAttribute('aria-pressed', String(chart.toggleAttribute('table')));
  });
  const compared = document.getElementById('-compared');
  if (compared?.dataset['shares'] !== undefined) followState(form, sharesPage);
  else if (compared !== null) followState(form, comparisonPage);
  else {
    followState(form, pluginPage);
    // The mean depends on the width of the charts, which the server does not know.
    showWords(accept(pageFields, new URLSearchParams(location.search)));
  }
}

function followState<State extends { readonly window: Period }>(
  form: HTMLFormElement,
  page: ChartPage<State>,
): void {
  const stateHere = () => accept(page.fields, new URLSearchParams(location.search));
  let state = stateHere();

  addEventListener('popstate', () => {
    state = stateHere();
    show();
  });
  document.addEventListener('click', (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-set]') : null;
    // Leaves clicks that open a new tab to the browser, and also links to other charts.
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const change = link.dataset['set'] ?? '';
    if (change.startsWith('charts=')) return;
    event.preventDefault();
    choose(page.changed(state, change));
    if (link.hash !== '') document.getElementById(link.hash.slice(1))?.scrollIntoView();
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
    if (!isWindow) return;
    choose({ ...state, window });
    form.querySelector('details')?.removeAttribute('open');
  });
  form.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) target.setCustomValidity('');
  });
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.closest('[data-ladder]') !== null)
      choose(page.changed(state, `${target.name}=${target.value}`));
  });
  // When a chart is zoomed or shows its history, all charts follow. Shares are hidden in a single chart only.
  document.addEventListener('rangechange', ({ target, detail }: CustomEventInit<ChartChoice> & Event) => {
    if (!(target instanceof HTMLElement && detail)) return;
    const chosen = 'from' in detail ? { from: detail.from, to: detail.to } : detail.range;
    const window = isSamePeriod(chosen, windowIn(target, state.window)) ? state.window : chosen;
    choose({ ...page.chosen(state, target, detail), window });
  });

  // A published page is one file for all states.
  if (document.querySelector('plugin-chart[files]') !== null) show();

  function choose(next: State): void {
    const before = page.addressOf(state);
    state = next;
    const address = page.addressOf(state);
    if (address !== before) history.pushState(null, '', address);
    show();
  }

  /** Shows the state: in the toolbar, in all links that change it, and in the page. */
  function show(): void {
    const here = page.addressOf(state);
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-set]')) {
      const change = link.dataset['set'] ?? '';
      const address = page.addressOf(page.changed(state, change));
      link.setAttribute('href', address + link.hash);
      link.ariaCurrent = address === here ? 'true' : null;
    }
    for (const [name, date] of Object.entries(windowDates(state.window))) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement) field.value = date;
    }
    page.show(state);
  }
}

/** Sets the attributes of a chart that determine what it shows. */
function setAttributes(chart: Element, attributes: Readonly<Record<string, unknown>>): void {
  for (const name of chartAttributeNames) {
    const value = attributes[name];
    if (value === undefined) chart.removeAttribute(name);
    else chart.setAttribute(name, String(value));
  }
}

/** Sets the URLs of links, which are marked by `data-` attributes with these names. */
function setLinks(actions: Element | null, links: object): void {
  for (const [name, address] of Object.entries(links))
    actions?.querySelector(`[data-${name}]`)?.setAttribute('href', pageLinks.to(address));
}

/** The page of a plugin. */
const pluginPage: ChartPage<PageState> = {
  fields: pageFields,
  addressOf: (state) => pageAddress(location.pathname, state),
  changed: (state, change) => changed(pageFields, state, change),
  chosen: chosenShares,
  show(state) {
    showLadder(state);
    showCards(state);
    // The means depend on the width of the cards.
    showWords(state);
  },
};

/** The page that compares charts of shares. */
const sharesPage: ChartPage<ComparedShares> = {
  fields: comparedSharesFields,
  addressOf: (state) => pageLinks.to(comparedSharesAddress({ ...state, add: '' })),
  changed: (state, change) => changed(comparedSharesFields, state, change),
  chosen: chosenShares,
  show(state) {
    showCards(shownShares(state));
    keepParameters(comparedSharesParameters({ ...state, add: '' }));
  },
};

/** Applies the view and the shares that a reader has chosen in a chart. */
function chosenShares<State extends Pick<PageState, 'filters'>>(
  state: State,
  chart: HTMLElement,
  choice: ChartChoice,
): State {
  const filters = new Map(state.filters);
  const filter = filterOf((kind) => choice[kind] ?? []);
  for (const { chartId } of chartsOf(chart))
    if (filter === undefined) filters.delete(chartId);
    else filters.set(chartId, filter);
  return { ...state, view: choice.view, filters };
}

/** Shows the state in all cards. */
function showCards(state: ShownState): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-shown-in]'))
    part.hidden = state.view === 'now' || state.view === 'ladder';
  for (const article of document.querySelectorAll<HTMLElement>('article.chart')) {
    const chart = article.querySelector('plugin-chart');
    if (chart !== null) showIn(article, chart, state);
  }
}

/** The range that was shown last, which a reader goes back to from another window. */
let lastRange: RangeName = usualRange;

/** Says a window that is no range, with the way back, and the mean of the shares of all charts. */
function showWords(state: PageState): void {
  const shown = document.querySelector<HTMLElement>('.shown');
  const back = shown?.querySelector<HTMLElement>('[data-back]');
  if (shown === null || back == null) return;
  if (typeof state.window === 'string') lastRange = state.window;
  back.hidden = typeof state.window === 'string';
  back.textContent = `Back to ${rangeInWords[lastRange]}`;
  back.dataset['set'] = `range=${lastRange}`;
  back.setAttribute('href', pluginPage.addressOf({ ...state, window: lastRange }));
  const width = document.querySelector('.shares plugin-chart')?.clientWidth ?? 0;
  const hasShares = document.querySelector('[data-shown-in]') !== null;
  const mean = hasShares ? meanWords(state, { lengthMs: Number(shown.dataset['length']), width }) : '';
  const words = [windowWords(state.window), mean].filter((each) => each !== '').join(' · ');
  shown.firstElementChild?.replaceChildren(words);
}

/** Shows in the ladder which versions are left behind. */
function showLadder({ atLeast }: PageState): void {
  const form = document.querySelector<HTMLFormElement>('form[data-ladder]');
  const select = form?.querySelector('select');
  if (form == null || select == null) return;
  const options = [...select.options];
  const label = atLeast ?? form.dataset['ladder'];
  const named = options.findIndex(({ text }) => text === label);
  // For a version that is written otherwise, the server has chosen.
  select.selectedIndex = named === -1 ? options.findIndex((one) => one.defaultSelected) : named;
  const { left, before } = select.selectedOptions[0]?.dataset ?? {};
  form.querySelector('b')?.replaceChildren(left ?? '');
  form.querySelector('span')?.replaceChildren(before ?? '');
  for (const [index, row] of form.parentElement?.querySelectorAll('tbody tr').entries() ?? [])
    row.classList.toggle('left', index > select.selectedIndex);
}

/** The period for a chart alone that is the window of the page. */
function windowIn(chart: Element, period: Period): Period {
  const { spans = '[]' } = chart.closest<HTMLElement>('article')?.dataset ?? {};
  const [own, shared]: readonly Span[] = JSON.parse(spans);
  return sharedPeriod(period, own, shared);
}

function showIn(article: HTMLElement, chart: Element, state: ShownState): void {
  const mode = chart.getAttribute('mode') ?? undefined;
  const charts = chartsOf(chart);
  const window = windowIn(chart, state.window);
  setAttributes(chart, { ...chartAttributes({ ...state, window }, charts[0]?.chartId ?? ''), mode });
  const { csv: csvPath = '' } = article.querySelector<HTMLElement>('[data-csv]')?.dataset ?? {};
  const { form = '' } = article.querySelector<HTMLElement>('[data-form]')?.dataset ?? {};
  setLinks(article, chartLinks({ charts, form, csvPath }, state));
}

/** The page of a comparison. Its state excludes the search for more plugins. */
const comparisonPage: ChartPage<CompareQuery> = {
  fields: compareFields,
  addressOf: (state) => pageLinks.to(compareAddress({ ...state, add: '' })),
  changed: changedComparison,
  chosen: (state) => state,
  show(state) {
    const chart = document.querySelector('plugin-chart');
    if (chart) setAttributes(chart, comparisonAttributes(state));
    showRows(state);
    keepParameters(compareParameters({ ...state, add: '' }));
  },
};

/** Keeps the state of a comparison in its search for more plugins. */
function keepParameters(parameters: ReturnType<typeof compareParameters>): void {
  const form = document.querySelector('#adding form');
  for (const input of form?.querySelectorAll('[type=hidden]') ?? []) input.remove();
  const inputs = Object.entries(parameters).flatMap(([name, values = []]) =>
    [values].flat().map((value) => element('input', { type: 'hidden', name, value })),
  );
  form?.prepend(...inputs);
}

/** Marks hidden lines and lines without points in the table, and updates the links below it. */
function showRows(state: CompareQuery): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-chart]'), (row) => {
    const { chart = '', name = '', first, last } = row.dataset;
    const span = first === undefined ? undefined : { first: Number(first), last: Number(last) };
    return { row, name, span, chart: parseChartName(chart) };
  });
  const ends = windowOverAll(
    state.window,
    rows.flatMap(({ span }) => span ?? []),
  );
  for (const { row, name, span, chart } of rows) {
    if (chart === undefined) continue;
    const isHidden = includesChart(state.hidden, chart);
    const isOnly = isAlone(state, chart);
    const hasPoints = mayBeIn(ends, span);
    row.classList.toggle('off', isHidden);
    label('.toggle', `${isHidden ? 'Show' : 'Hide'} ${name}`);
    const only = label('.only', isOnly ? 'Show all lines' : `Only ${name}`);
    if (only) only.textContent = isOnly ? 'All' : 'Only';
    for (const note of row.querySelectorAll<HTMLElement>('[data-empty]')) note.hidden = isHidden || hasPoints;

    function label(selector: string, words: string): Element | null {
      const link = row.querySelector(selector);
      link?.setAttribute('aria-label', words);
      return link;
    }
  }
  const shown = rows.filter(({ chart }) => chart !== undefined && !includesChart(state.hidden, chart));
  const note = document.querySelector<HTMLElement>('[data-scale]');
  const values = shown.map(({ row }) => Number(row.dataset['now']));
  if (note !== null) note.hidden = !isScaleOffered(state, values);
  const actions = document.querySelector<HTMLElement>('.acts');
  if (actions !== null) actions.hidden = shown.length === 0;
  setLinks(actions, comparisonLinks(state, lengthOf(ends)));
}
