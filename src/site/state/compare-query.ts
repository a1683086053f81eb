/** The state of a comparison page. */

import { type ChartName, parseChartName } from '../../model/chart.ts';
import { maxSearchLength, type Query } from '../../model/parameter.ts';
import { comparePath, type QueryParameters, withQuery } from '../address/paths.ts';
import { chartsOfLines, linesFields, linesInUse } from './chart-state.ts';
import { changed, named, parse, type StateOf, textField, write } from './fields.ts';

/** The page of a comparison. */
export const compareFields = {
  ...linesFields,
  charts: chartsOfLines,
  /** Some of the charts: lines that are not drawn, and no part of a sum. */
  hidden: named('hide', chartsOfLines),
  /** Search for plugins to add; blank for no search. */
  add: textField(maxSearchLength),
};

/** The state of a comparison page; all of it is in the address. */
export type CompareQuery = StateOf<typeof compareFields>;

/** Charts, and what differs from the state that a comparison page has at first. */
type ComparedCharts = Pick<CompareQuery, 'charts'> & Partial<CompareQuery>;

/** The state of a page without a query. */
const usual = parse(compareFields, {});

/** Finds a chart in a list. */
export function includesChart(charts: readonly ChartName[], { pluginId, chartId }: ChartName): boolean {
  return charts.some((chart) => chart.pluginId === pluginId && chart.chartId === chartId);
}

/**
 * Parses the query of a comparison page.
 * @throws AppError `invalid` for a parameter that is not allowed.
 */
export function parseCompareQuery(query: Query): CompareQuery {
  return hiddenAmongCharts(parse(compareFields, query));
}

/** The charts of a comparison that are not hidden. */
export function shownCharts({ charts: all, hidden }: CompareQuery): readonly ChartName[] {
  return all.filter((chart) => !includesChart(hidden, chart));
}

/** A comparison with one change, as its links name it in `data-set`: `mode=sum`, or `toggle` or `only` with a chart. */
export function changedComparison(query: CompareQuery, change: string): CompareQuery {
  const [name = '', value = ''] = change.split('=');
  const chart = parseChartName(value);
  if (chart === undefined || (name !== 'toggle' && name !== 'only'))
    return changed(compareFields, query, change);
  const isThere = (each: ChartName) => includesChart([chart], each);
  const others = query.charts.filter((each) => !isThere(each));
  if (name === 'only') return { ...query, hidden: isAlone(query, chart) ? [] : others };
  const isHidden = query.hidden.some(isThere);
  return {
    ...query,
    hidden: isHidden ? query.hidden.filter((each) => !isThere(each)) : [...query.hidden, chart],
  };
}

/** True if a line is the only one that is shown. */
export function isAlone(query: CompareQuery, chart: ChartName): boolean {
  const shown = shownCharts(query);
  return shown.length === 1 && includesChart(shown, chart);
}

/** The query parameters of a comparison page, without defaults. */
export function compareParameters(compared: ComparedCharts): QueryParameters {
  return write(compareFields, hiddenAmongCharts({ ...usual, ...compared }));
}

/** Only charts of a comparison are hidden in it. */
function hiddenAmongCharts(query: CompareQuery): CompareQuery {
  const hidden = query.charts.filter((chart) => includesChart(query.hidden, chart));
  return linesInUse({ ...query, hidden });
}

/** The address of a comparison page. */
export function compareAddress(compared: ComparedCharts): string {
  return withQuery(comparePath, compareParameters(compared));
}

/** True if the smallest of these latest values looks flat beside the largest: other scales show both. */
export function isScaleOffered({ mode, axis }: CompareQuery, values: readonly number[]): boolean {
  const above = values.filter((value) => value > 0);
  return mode === 'absolute' && axis === 'linear' && Math.max(...above) > 20 * Math.min(...above);
}
