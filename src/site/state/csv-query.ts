/** The query of the CSV file of a chart. */
import type { Period } from '../../model/window.ts';
import type { QueryParameters } from '../address/paths.ts';
import type { ChartView } from './page-state.ts';
import { windowQuery } from './shown-window.ts';

/** The part of a chart that its file has. */
export interface CsvState {
  /** Of a line, or of a history. */
  readonly window: Period;
  readonly view: ChartView;
}

/** The range of a file without parameters. */
export const usualCsvRange = 'all';

/** The parameters of a file; those with their defaults are undefined. */
export function csvQuery({ window, view }: CsvState): QueryParameters {
  return {
    view: view === 'now' ? undefined : view,
    ...windowQuery(window, usualCsvRange),
  };
}
