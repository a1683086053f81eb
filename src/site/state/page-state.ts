/** The state of a plugin's page: what all of its charts show. It is in the address of the page. */
import { chartNamesText } from '../../model/chart.ts';
import { canBeLeast } from '../../model/versions.ts';
import { withQuery } from '../address/paths.ts';
import { type CompareQuery, linesFields, linesInUse } from './compare-query.ts';
import { fieldOf, type StateOf, wordField, write } from './fields.ts';
import { filterField, filterOf, filtersField } from './share-filter.ts';
import { windowField } from './shown-window.ts';

/** The views of a chart of shares: its newest data, or its history as areas or as lines. */
export const viewLabels = { now: 'Now', history: 'Over time', lines: 'Lines' } as const;

/** A view of a chart of shares. */
export type ChartView = keyof typeof viewLabels;

/** The names of {@link viewLabels}. */
export const viewNames = Object.keys(viewLabels) as readonly ChartView[];

/** The labels of `group`: each version alone, or those of a minor line together. */
export const groupLabels = { none: 'Each', minor: 'Minor lines' } as const;

/** The window of a chart, and the view and the unit of shares. */
export const chartFields = {
  window: windowField(),
  view: wordField(viewNames, 'now'),
  unit: wordField(['percent', 'count'], 'percent'),
  group: wordField(['none', 'minor'], 'none'),
  /** `true` for the period before, as a pale line beside a line. */
  previous: wordField(['false', 'true'], 'false'),
};

/** The state of a chart. */
export type ChartState = StateOf<typeof chartFields>;

/** The names of the attributes of `<plugin-chart>` that say what is shown. */
export const chartAttributeNames: readonly string[] = [
  'range',
  'from',
  'to',
  'view',
  'unit',
  'group',
  'previous',
  'mode',
  'axis',
  'hide',
  'only',
];

/** The state of a `<plugin-chart>`: what it shows, and the shares or lines of it. */
export const elementFields = {
  ...chartFields,
  mode: linesFields.mode,
  axis: linesFields.axis,
  filter: filterField,
};

/** The state of {@link elementFields}. */
export type ElementState = StateOf<typeof elementFields>;

/** A version: the oldest one that counts. */
export const atLeastField = fieldOf<string | undefined>(
  {
    allowed: 'a version, such as 1.20, 21 or Java 21',
    parse: (given) => (given.length <= 200 && canBeLeast(given.trim()) ? given.trim() : undefined),
  },
  undefined,
);

/** The state of all charts of a page, the shares that some of them show, and the version that is chosen in the ladder. */
export const pageFields = { ...chartFields, filters: filtersField, atLeast: atLeastField };

/** The state of a page. */
export type PageState = StateOf<typeof pageFields>;

/** The data of a chart as a file. */
export const csvFields = {
  view: chartFields.view,
  window: windowField('all'),
  /** `true` for a byte order mark at the beginning, which the links of pages have. */
  bom: wordField(['false', 'true'], 'false'),
};

/** True if a chart of this form has a view over time beside that of now. */
export function hasHistoryForm(form: string): boolean {
  return form !== 'line' && form !== 'other';
}

/** The members of a state that have an effect on a chart of this form; on a chart of any form if it is left out. */
export function fieldsInUse(
  { window, view, unit, group, previous }: ChartState,
  form?: string,
): Partial<ChartState> {
  const ofLine = form === undefined || form === 'line' ? { window, previous } : {};
  const ofShares = form === undefined || hasHistoryForm(form) ? { group } : {};
  return view !== 'now' && 'group' in ofShares
    ? { ...ofLine, ...ofShares, window, view, unit }
    : { ...ofLine, ...ofShares };
}

/** The query parameters of a page. */
export function pageParameters(state: PageState) {
  const { filters, atLeast } = state;
  return write(pageFields, { ...fieldsInUse(state), filters, atLeast });
}

/** The address of a page in a state. */
export function pageAddress(path: string, state: PageState): string {
  return withQuery(path, pageParameters(state));
}

/** The attributes of the `<plugin-chart>` of a comparison. */
export function comparisonAttributes(query: CompareQuery) {
  const { mode, axis, window, hidden } = linesInUse(query);
  const names = hidden.map((chart) => chartNamesText([chart]));
  const filter = filterOf((kind) => (kind === 'hide' ? names : []));
  return { charts: chartNamesText(query.charts), ...write(elementFields, { mode, axis, window, filter }) };
}

/** The attributes of the `<plugin-chart>` of a chart of a page. */
export function chartAttributes(state: PageState, chartId: string) {
  return write(elementFields, { ...state, filter: state.filters.get(chartId) });
}
