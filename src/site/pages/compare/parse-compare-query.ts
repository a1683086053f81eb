/** Parses the state of a comparison page from the query of its address. */
import type { Query } from '../../../http/query-parameter.ts';
import { parseAxis, parseCharts, parseMode } from '../../address/compared-charts.ts';
import { parseSearch } from '../../address/query-parameters.ts';
import { parseWindow } from '../../query/parse-window.ts';
import { type CompareQuery, includesChart } from '../../state/compare-query.ts';

/**
 * Parses the query of a comparison page.
 * @throws AppError `invalid` for a parameter that is not allowed.
 */
export function parseCompareQuery(query: Query): CompareQuery {
  const charts = parseCharts(query);
  const hidden = parseCharts(query, 'hide');
  return {
    charts,
    mode: parseMode(query),
    axis: parseAxis(query),
    window: parseWindow(query),
    hidden: charts.filter((chart) => includesChart(hidden, chart)),
    add: parseSearch(query, 'add'),
  };
}
