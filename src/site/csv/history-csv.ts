/** The history of a chart of shares as CSV: a column for each share that is shown. */

import { longestRangeOfPoints } from '../../draw/line/line-band.ts';
import { countryName } from '../../draw/shares/country-name.ts';
import { shownName } from '../../draw/shares/parse-shares.ts';
import { type DataForm, formOf } from '../../model/chart-types.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { type Period, periodMs } from '../../model/window.ts';
import { loadSeries, type SeriesAnswer } from '../../series/load-series.ts';
import type { Series } from '../../series/merge-series.ts';
import { type ShareFilter, shareTest } from '../state/share-filter.ts';

/** The part of a history that is shown. */
interface HistoryRequest {
  readonly pluginId: number;
  readonly range: Period;
  readonly filter: ShareFilter | undefined;
}

/** Shares with a column of their own, as many as in `/api/v2/series`. */
const top = 20;

/** Loads the columns of a history: of a long window means by day. */
export async function loadHistoryColumns(
  view: MetricsView,
  { chartId, type }: PluginChart,
  { pluginId, range, filter }: HistoryRequest,
): Promise<Pick<SeriesAnswer, 'times' | 'series'> | undefined> {
  const charts = [{ pluginId, chartId }];
  const step = periodMs(range) > longestRangeOfPoints ? '1d' : null;
  const query = { charts, window: range, step, aggregate: 'mean', top, level: 1, isSum: false } as const;
  for await (const answer of loadSeries(view, query)) {
    if (answer !== undefined) return { ...answer, series: shownSeries(answer.series, formOf(type), filter) };
    await nextTurn();
  }
  return undefined;
}

/** The shares that a filter leaves; all of them if nothing in them is above 0, as in a picture. */
function shownSeries(
  series: readonly Series[],
  form: DataForm,
  filter: ShareFilter | undefined,
): readonly Series[] {
  const isShown = shareTest(filter);
  const nameOf = form === 'map' ? countryName : shownName;
  const shown = series.filter(({ name, mark }) => isShown(mark === 'isOther' ? undefined : nameOf(name)));
  return shown.some(({ values }) => values.some((value) => value > 0)) ? shown : series;
}
