/** Charts of shares that are added up by name. */
import type { ChartToDraw } from '../../draw/chart-content.ts';
import { type ChartName, chartNamesText } from '../../model/chart.ts';
import { hasShares, renderShares, sharesIn, sumByName } from '../../model/chart-forms.ts';
import { formOf } from '../../model/chart-types.ts';
import type { ShareValue } from '../../model/forms/share-values.ts';
import { malformedQuery } from '../../model/parameter.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { namesOfSum } from '../state/chart-words.ts';
import { loadJoinedFacts } from './load-facts.ts';
import type { StoreChart, StoreSource } from './store-source.ts';

/** Charts of shares of one form. */
export interface AddedCharts {
  /** Their common title, or a word for the sum. */
  readonly label: string;
  readonly title: string;
  readonly type: string;
  readonly charts: readonly StoreChart[];
}

/**
 * Finds charts of shares.
 * @throws AppError `not_found` for an unknown plugin or chart, `invalid` for a chart of another form than the first.
 */
export async function findSharesCharts(
  source: StoreSource,
  names: readonly ChartName[],
): Promise<AddedCharts> {
  const charts: StoreChart[] = [];
  for (const name of names) {
    const chart = await source.getChart(name.pluginId, name.chartId);
    const form = formOf(charts[0]?.type ?? chart.type);
    if (!hasShares(chart.type) || formOf(chart.type) !== form)
      throw malformedQuery('charts', 'charts of shares of one form', chartNamesText([name]));
    charts.push(chart);
  }
  return { ...namesOfSum(charts), type: charts[0]?.type ?? '', charts };
}

/** The most names of a sum: more would hold up other requests while they are ranked and drawn. */
const maxNames = 20_000;

/** The words for a sum with more names. */
export const tooManyNames = 'Too many names to add up.';

/** Loads what charts of shares show now, added up; undefined for more than {@link maxNames} names. Rejects as the view does. */
export async function loadSharesSum(
  { view }: StoreSource,
  { title, type, charts }: AddedCharts,
): Promise<ChartToDraw | undefined> {
  const form = formOf(type);
  const sums = new Map<string, ShareValue>();
  let timestamp: number | undefined;
  for (const { pluginId, chartId } of charts) {
    const shown = await view.readChartData(pluginId, chartId, 0);
    if (shown.storage !== 'latest') continue;
    sumByName(sharesIn(form, JSON.parse(shown.json)), sums);
    if (sums.size > maxNames) return undefined;
    if (shown.at !== null) timestamp = Math.max(timestamp ?? 0, shown.at);
    await nextTurn();
  }
  return {
    form,
    title,
    timestamp,
    ...(await loadJoinedFacts(view, charts)),
    data: JSON.parse(renderShares(type, [...sums.values()])),
  };
}
