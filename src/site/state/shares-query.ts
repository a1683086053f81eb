/** The state of a page that compares charts of shares, side by side. */
import { comparePath, type QueryParameters, withQuery } from '../address/paths.ts';
import { chartFields, chartsOfShares, viewNames } from './chart-state.ts';
import { compareFields } from './compare-query.ts';
import { type StateOf, wordField, write } from './fields.ts';
import type { ShownState } from './page-state.ts';
import { filtersField } from './share-filter.ts';

/** Parameters of the page. It always has a view, which tells it from a comparison of lines. */
export const comparedSharesFields = {
  charts: chartsOfShares,
  window: chartFields.window,
  view: wordField(viewNames, undefined),
  unit: chartFields.unit,
  group: chartFields.group,
  /** By chart id, for all plugins. */
  filters: filtersField,
  add: compareFields.add,
};

/** State of the page; all of it is in the URL. */
export type ComparedShares = StateOf<typeof comparedSharesFields>;

/** Returns the state of its charts. */
export function shownShares({ view = 'now', ...shown }: ComparedShares): ShownState {
  return { ...shown, view, previous: 'false' };
}

/** Returns the query parameters of the page, without defaults. */
export function comparedSharesParameters(state: ComparedShares): QueryParameters {
  return write(comparedSharesFields, state);
}

/** Returns the URL of the page. */
export function comparedSharesAddress(state: ComparedShares): string {
  return withQuery(comparePath, comparedSharesParameters(state));
}
