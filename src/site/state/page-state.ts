/** The state of a plugin's page: what all of its charts show. It is in the address of the page. */
import { type HistoryUnit, historyUnits } from '../../draw/history/history-to-draw.ts';
import { withQuery } from '../address/paths.ts';
import { type ShownWindow, windowOf, windowParameters } from './shown-window.ts';

/** Views of a chart of shares: its newest data, or its history. */
export const chartViews = ['now', 'history'] as const;

/** One of {@link chartViews}. */
export type ChartView = (typeof chartViews)[number];

/** Axes of a line: cut at outliers, or with all values. */
export const lineAxes = ['linear', 'whole'] as const;

/** One of {@link lineAxes}. */
export type LineAxis = (typeof lineAxes)[number];

/** The window, the view and the unit of shares, and the axis of lines, of all charts of a page. */
export interface PageState {
  readonly window: ShownWindow;
  readonly view: ChartView;
  readonly unit: HistoryUnit;
  readonly axis: LineAxis;
}

/** The state in a query that a server has accepted. */
export function pageStateOf(query: URLSearchParams): PageState {
  return {
    window: windowOf((name) => query.get(name)),
    view: chartViews.find((view) => view === query.get('view')) ?? 'now',
    unit: historyUnits.find((unit) => unit === query.get('unit')) ?? 'percent',
    axis: lineAxes.find((axis) => axis === query.get('axis')) ?? 'linear',
  };
}

/** The query parameters of a state; those that have their defaults are undefined. */
export function pageStateParameters({
  window,
  view,
  unit,
  axis,
}: PageState): Record<string, string | undefined> {
  const times = windowParameters(window);
  return {
    ...times,
    range: times.range === '30d' ? undefined : times.range,
    view: view === 'now' ? undefined : view,
    unit: view === 'now' || unit === 'percent' ? undefined : unit,
    axis: axis === 'linear' ? undefined : axis,
  };
}

/** The address of a page in a state. */
export function pageAddress(path: string, state: PageState): string {
  return withQuery(path, pageStateParameters(state));
}

/** The attributes of `<plugin-chart>` for a state; undefined for those that it does not have. */
export function pageStateAttributes({
  window,
  view,
  unit,
  axis,
}: PageState): Record<string, string | undefined> {
  return { ...windowParameters(window), view, unit, axis: axis === 'linear' ? undefined : axis };
}
