/** The history of a chart of shares as CSV: a column for each share. */

import { longestRangeOfPoints } from '../../draw/time-step.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { type Period, periodMs } from '../../model/window.ts';
import { loadSeries, type SeriesAnswer } from '../../series/load-series.ts';

/** The part of a history that is shown. */
interface HistoryRequest {
  readonly pluginId: number;
  readonly range: Period;
}

/** Shares with a column of their own, as many as in `/api/v2/series`. */
const top = 20;

/** Loads the columns of a history: of a long window means by day. */
export async function loadHistoryColumns(
  view: MetricsView,
  { chartId }: PluginChart,
  { pluginId, range }: HistoryRequest,
): Promise<Pick<SeriesAnswer, 'times' | 'series'> | undefined> {
  const charts = [{ pluginId, chartId }];
  const step = periodMs(range) > longestRangeOfPoints ? '1d' : null;
  const query = { charts, window: range, step, aggregate: 'mean', top, level: 1, isSum: false } as const;
  for await (const answer of loadSeries(view, query)) {
    if (answer !== undefined) return answer;
    await nextTurn();
  }
  return undefined;
}
