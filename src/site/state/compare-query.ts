/** The state of a comparison page. */

import { type ChartName, parseChartName } from '../../model/catalogue.ts';
import { maxSearchLength, type Query } from '../../model/parameter.ts';
import { comparePath, type QueryParameters, withQuery } from '../address/paths.ts';
import { chartsOfLines, linesFields, linesInUse } from './chart-state.ts';
import { changed, named, parse, type StateOf, textField, write } from './fields.ts';

/** Parameters of the page of a comparison. */
export const compareFields = {
  ...linesFields,
  charts: chartsOfLines,
  /** Charts whose lines are hidden and excluded from a sum. */
  hidden: named('hide', chartsOfLines),
  /** Search text for plugins to add; blank for no search. */
  add: textField(maxSearchLength),
};

/** State of a comparison page; all of it is in the URL. */
export type CompareQuery = StateOf<typeof compareFields>;

/** Charts, and all other members that differ from the defaults. */
type ComparedCharts = Pick<CompareQuery, 'charts'> & Partial<CompareQuery>;

/** State of a page without a query. */
const usual = parse(compareFields, {});

/** True if a list contains a chart. */
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

/** Returns the charts of a comparison that are not hidden. */
export function shownCharts({ charts: all, hidden }: CompareQuery): readonly ChartName[] {
  return all.filter((chart) => !includesChart(hidden, chart));
}

/** Applies one change, in the notation of `data-set`: `mode=sum`, or `toggle` or `only` with a chart. */
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

/** True if the chart is the only one shown. */
export function isAlone(query: CompareQuery, chart: ChartName): boolean {
  const shown = shownCharts(query);
  return shown.length === 1 && includesChart(shown, chart);
}

/** Returns the query parameters of a comparison page, without defaults. */
export function compareParameters(compared: ComparedCharts): QueryParameters {
  return write(compareFields, hiddenAmongCharts({ ...usual, ...compared }));
}

/** Drops hidden charts that are not part of the comparison. */
function hiddenAmongCharts(query: CompareQuery): CompareQuery {
  const hidden = query.charts.filter((chart) => includesChart(query.hidden, chart));
  return linesInUse({ ...query, hidden });
}

/** Returns the URL of a comparison page. */
export function compareAddress(compared: ComparedCharts): string {
  return withQuery(comparePath, compareParameters(compared));
}

/**
 * True if another scale should be offered, because the smallest of the latest values looks flat next to the
 * largest.
 */
export function isScaleOffered({ mode, axis }: CompareQuery, values: readonly number[]): boolean {
  const above = values.filter((value) => value > 0);
  return mode === 'absolute' && axis === 'linear' && Math.max(...above) > 20 * Math.min(...above);
}
