/** Loads the history of a chart of shares: the means of each step, and the latest values. */
import { type HistoryQuery, historyQuery } from '../draw/history/history-series.ts';
import type { ChartName } from '../model/catalogue.ts';
import type { SeriesAnswer, SeriesQuery, SeriesSource } from '../model/series-source.ts';
import type { Period, Span } from '../model/window.ts';

/** History over a window. */
export interface SharesToDraw {
  readonly query: HistoryQuery;
  readonly means: SeriesAnswer;
  readonly latest: SeriesAnswer;
}

/** Period, width of the chart in pixels, and the shares to load. */
interface SharesRequest extends Pick<SeriesQuery, 'level'> {
  readonly period: Period;
  readonly width: number;
  /** Number of the largest shares over the window; the others form one series. */
  readonly top: number;
}

/** Maximum number of named shares in a response. */
export const maxNamedShares = 100;

/** Loads the history of a chart, or of the sum of several charts. Rejects as the source does. */
export async function loadSharesOverTime(
  source: SeriesSource,
  { charts, span }: { readonly charts: readonly ChartName[]; readonly span: Span },
  { period, width, level, top }: SharesRequest,
): Promise<SharesToDraw> {
  const query = historyQuery(period, span, width);
  const { window, step } = query;
  const asked = { charts, step, level, isSum: charts.length > 1 } as const;
  const [means, latest] = await Promise.all([
    source.series({ ...asked, window, aggregate: 'mean', top }),
    source.series({ ...asked, window: query.latest, aggregate: 'last', top: maxNamedShares }),
  ]);
  return { query, means, latest };
}
