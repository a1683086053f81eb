/** The page of a comparison: its chart, its table of figures and its links, as its state says. */
import { parseChartName } from '../../model/chart.ts';
import { windowOverAll } from '../../model/window.ts';
import {
  type CompareQuery,
  changedComparison,
  compareAddress,
  compareFields,
  compareParameters,
  includesChart,
  isAlone,
  shownCharts,
} from '../state/compare-query.ts';
import { comparisonAttributes } from '../state/page-state.ts';
import { comparisonLinks } from '../state/pictures.ts';
import { element } from './elements.ts';
import { type ChartPage, setAttributes } from './page-toolbar.ts';

/** The page of a comparison. A search for more plugins is no part of its state. */
export const comparisonPage: ChartPage<CompareQuery> = {
  fields: compareFields,
  addressOf: (state) => compareAddress({ ...state, add: '' }),
  changed: changedComparison,
  chosen: (state) => state,
  show(state) {
    const chart = document.querySelector('plugin-chart');
    if (chart) setAttributes(chart, comparisonAttributes(state));
    showRows(state);
    const form = document.querySelector('#adding form');
    for (const input of form?.querySelectorAll('[type=hidden]') ?? []) input.remove();
    const parameters = Object.entries(compareParameters({ ...state, add: '' }));
    form?.prepend(
      ...parameters.map(([name, value]) => element('input', { type: 'hidden', name, value: String(value) })),
    );
  },
};

/** Shows in the table which lines are hidden and which have no points, and below it the links to what is shown. */
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
    const hasPoints = span !== undefined && span.last >= ends.from && span.first < ends.to;
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
  const actions = document.querySelector<HTMLElement>('.actions');
  if (actions === null) return;
  actions.hidden = shownCharts(state).length === 0;
  for (const [name, address] of Object.entries(comparisonLinks(state, ends.to - 1 - ends.from)))
    actions.querySelector(`[data-${name}]`)?.setAttribute('href', address);
}
