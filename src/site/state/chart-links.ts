/** The links below a chart, which follow what the chart shows. */

import { comparePath, withQuery } from '../address/paths.ts';
import type { PageState } from './page-state.ts';
import { windowParameters } from './shown-window.ts';

/** A chart, as its links name it. */
interface LinkedChart {
  /** `1337:players`. */
  readonly name: string;
  readonly isLine: boolean;
  /** The address of its data as CSV. */
  readonly csvPath: string;
}

/** The addresses of the data and of the comparison of a chart. */
export function chartLinks(
  { name, isLine, csvPath }: LinkedChart,
  { window, view }: PageState,
): { readonly csv: string; readonly compare: string } {
  const range = 'range' in window ? window.range : undefined;
  const isHistory = !isLine && view === 'history';
  const isLong = range === '1y' || range === 'all';
  const series = { charts: name, ...windowParameters(window), step: isHistory && isLong ? '1d' : undefined };
  const hasOwnFile = isLine ? range !== undefined : !isHistory;
  return {
    csv: hasOwnFile
      ? withQuery(csvPath, { range: isLine ? range : undefined })
      : withQuery('/api/v2/series.csv', series),
    compare: withQuery(comparePath, { charts: name, ...windowParameters(window) }),
  };
}
