/** State of the page of a plugin: what all its charts show. It is kept in the URL of the page. */
import { chartNamesText } from '../../model/catalogue.ts';
import { canBeLeast } from '../../model/versions.ts';
import { isSamePeriod, type Period, type Span, windowOver } from '../../model/window.ts';
import { withQuery } from '../address/paths.ts';
import {
  type ChartState,
  chartFields,
  elementFields,
  fieldsInUse,
  linesInUse,
  sharedViewField,
} from './chart-state.ts';
import type { CompareQuery } from './compare-query.ts';
import { fieldOf, type StateOf, wordField, write } from './fields.ts';
import { filterOf, filtersField } from './share-filter.ts';
import { windowField } from './shown-window.ts';

/** A version: the oldest one that counts. */
export const atLeastField = fieldOf<string | undefined>(
  {
    allowed: 'a version, such as 1.20, 21 or Java 21',
    parse: (given) => (given.length <= 200 && canBeLeast(given.trim()) ? given.trim() : undefined),
  },
  undefined,
);

/**
 * The state of all charts of a page, the shares that some of them show, and the version that is chosen in the
 * ladder.
 */
export const pageFields = {
  ...chartFields,
  view: sharedViewField,
  filters: filtersField,
  atLeast: atLeastField,
};

/** State of a page. */
export type PageState = StateOf<typeof pageFields>;

/** State of the charts of a page, which may be ladders. */
export interface ShownState extends ChartState, Pick<PageState, 'filters'> {}

/** Parameters of the data of a chart as a file. */
export const csvFields = {
  view: sharedViewField,
  window: windowField('all'),
  /** `true` for a byte order mark at the beginning, as in the links of pages. */
  bom: wordField(['false', 'true'], 'false'),
};

/** Returns the query parameters of a page. */
export function pageParameters(state: PageState) {
  const { filters, atLeast } = state;
  return write(pageFields, { ...fieldsInUse(state), filters, atLeast });
}

/** Returns the URL of a page in a state. */
export function pageAddress(path: string, state: PageState): string {
  return withQuery(path, pageParameters(state));
}

/** Returns the attributes of the `<plugin-chart>` of a comparison. */
export function comparisonAttributes(query: CompareQuery) {
  const { mode, axis, window, hidden } = linesInUse(query);
  const names = hidden.map((chart) => chartNamesText([chart]));
  const filter = filterOf((kind) => (kind === 'hide' ? names : []));
  return { charts: chartNamesText(query.charts), ...write(elementFields, { mode, axis, window, filter }) };
}

/** Returns the attributes of the `<plugin-chart>` of a chart on a page. */
export function chartAttributes(state: ShownState, chartId: string) {
  return write(elementFields, { ...state, filter: state.filters.get(chartId) });
}

/**
 * Chooses a period for one of several charts that show the same window: the shared window if the range would
 * give another window for this chart alone.
 */
export function sharedPeriod(period: Period, own: Span | undefined, shared: Span | undefined): Period {
  if (own === undefined || shared === undefined) return period;
  const window = windowOver(period, shared);
  return isSamePeriod(windowOver(period, own), window) ? period : window;
}
