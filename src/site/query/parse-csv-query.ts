/** Parses which part of a chart its CSV file has from the query of its address. */
import type { Query } from '../../http/query-parameter.ts';
import { parseChoice } from '../address/query-parameters.ts';
import { type CsvState, usualCsvRange } from '../state/csv-query.ts';
import { chartViews } from '../state/page-state.ts';
import { parseWindow } from './parse-window.ts';

/**
 * Parses `range`, or `from` and `to`, and `view`.
 * @throws AppError `invalid` for a value that is not allowed, and for a window that is not one.
 */
export function parseCsvQuery(query: Query): CsvState {
  return {
    window: parseWindow(query, usualCsvRange),
    view: parseChoice(query, 'view', { words: chartViews, fallback: 'now' }),
  };
}
