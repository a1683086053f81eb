/** The state of a plugin's page: what all of its charts show. It is in the address of the page. */

import { type HistoryUnit, historyUnits } from '../../draw/history/history-unit.ts';
import type { Period } from '../../model/window.ts';
import { type QueryParameters, withQuery } from '../address/paths.ts';
import { filterAttributes, filterParameters, filtersInQuery, type ShareFilter } from './share-filter.ts';
import { windowOf, windowParameters, windowQuery } from './shown-window.ts';

/** Views of a chart of shares: its newest data, or its history. */
export const chartViews = ['now', 'history'] as const;

/** One of {@link chartViews}. */
export type ChartView = (typeof chartViews)[number];

/** The state of a chart: its window, and the view and the unit of shares. */
export interface ChartState {
  readonly window: Period;
  readonly view: ChartView;
  readonly unit: HistoryUnit;
}

/** The state of all charts of a page, and the shares that some of them show. */
export interface PageState extends ChartState {
  /** By chart id. */
  readonly filters: ReadonlyMap<string, ShareFilter>;
}

/** The state in a query that a server has accepted. */
export function pageStateOf(query: URLSearchParams): PageState {
  return { ...chartStateOf(query), filters: filtersInQuery((kind) => query.getAll(kind)) };
}

/** The state of a chart in a query or in attributes. */
export function chartStateOf(query: URLSearchParams): ChartState {
  return {
    window: windowOf((name) => query.get(name)),
    view: chartViews.find((view) => view === query.get('view')) ?? 'now',
    unit: historyUnits.find((unit) => unit === query.get('unit')) ?? 'percent',
  };
}

/** The query parameters of a state; those that have their defaults are undefined. */
export function pageStateParameters({ window, view, unit, filters }: PageState): QueryParameters {
  return {
    ...windowQuery(window),
    view: view === 'now' ? undefined : view,
    unit: view === 'now' || unit === 'percent' ? undefined : unit,
    ...filterParameters(filters),
  };
}

/** The address of a page in a state. */
export function pageAddress(path: string, state: PageState): string {
  return withQuery(path, pageStateParameters(state));
}

/** The attributes of the `<plugin-chart>` of a chart of a page; undefined for those that it does not have. */
export function chartAttributes(
  { window, view, unit, filters }: PageState,
  chartId: string,
): Record<string, string | undefined> {
  return {
    ...windowParameters(window),
    view,
    unit,
    ...filterAttributes(filters.get(chartId)),
  };
}
