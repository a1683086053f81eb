/** Parses what all charts of a plugin's page show from the query of its address. */
import { historyUnits } from '../../draw/history/history-unit.ts';
import type { Query } from '../../http/query-parameter.ts';
import { parseChoice } from '../address/query-parameters.ts';
import { chartViews, type PageState } from '../state/page-state.ts';
import { parseShareFilters } from './parse-share-filter.ts';
import { parseWindow } from './parse-window.ts';

/**
 * Parses `range`, or `from` and `to`, `view`, `unit`, `hide` and `only`.
 * @throws AppError `invalid` for a value that is not allowed, and for a window that is not one.
 */
export function parsePageState(query: Query): PageState {
  return {
    window: parseWindow(query),
    view: parseChoice(query, 'view', { words: chartViews, fallback: 'now' }),
    unit: parseChoice(query, 'unit', { words: historyUnits, fallback: 'percent' }),
    filters: parseShareFilters(query),
  };
}
