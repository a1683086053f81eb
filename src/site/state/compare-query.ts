/** The state of a comparison page, in its address. */

import type { AxisKind } from '../../draw/line/line-layout.ts';
import { type ChartName, chartNamesText } from '../../model/chart.ts';
import type { Period } from '../../model/window.ts';
import type { CompareMode } from '../address/compare-modes.ts';
import { comparePath, withQuery } from '../address/paths.ts';
import { windowQuery } from './shown-window.ts';

/** The state of a comparison page; all of it is in the address. */
export interface CompareQuery {
  readonly charts: readonly ChartName[];
  readonly mode: CompareMode;
  readonly axis: AxisKind;
  readonly window: Period;
  /** Some of the charts: lines that are not drawn, and no part of a sum. */
  readonly hidden: readonly ChartName[];
  /** Search for plugins to add; blank for no search. */
  readonly add: string;
}

/** Charts, and what differs from the state that a comparison page has at first. */
type ComparedCharts = Pick<CompareQuery, 'charts'> & Partial<CompareQuery>;

/** Finds a chart in a list. */
export function includesChart(charts: readonly ChartName[], { pluginId, chartId }: ChartName): boolean {
  return charts.some((chart) => chart.pluginId === pluginId && chart.chartId === chartId);
}

/** The query parameters of a comparison page; those that have their defaults are undefined. */
export function compareParameters({
  charts,
  mode = 'absolute',
  axis = 'linear',
  window = '30d',
  hidden = [],
  add = '',
}: ComparedCharts): Readonly<Record<string, string | undefined>> {
  const listed = (names: readonly ChartName[]) => (names.length === 0 ? undefined : chartNamesText(names));
  return {
    charts: listed(charts),
    mode: mode === 'absolute' ? undefined : mode,
    axis: axis === 'linear' ? undefined : axis,
    ...windowQuery(window),
    hide: listed(hidden.filter((chart) => includesChart(charts, chart))),
    add: add === '' ? undefined : add,
  };
}

/** The address of a comparison page. */
export function compareAddress(compared: ComparedCharts): string {
  return withQuery(comparePath, compareParameters(compared));
}
