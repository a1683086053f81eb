/**
 * Loads charts of shares, one or several that are added up: what they show now, and their history in a
 * period.
 */
import { type ChartToDraw, joinPast, type ShareGrouping } from '../../draw/chart-content.ts';
import { historyOfSeries } from '../../draw/history/history-series.ts';
import { type HistoryToDraw, maxHistoryShares } from '../../draw/history/history-to-draw.ts';
import { type ChartName, chartNamesText, type PluginChart } from '../../model/catalogue.ts';
import { hasShares, renderShares, sharesIn, sumByName } from '../../model/chart-forms.ts';
import { formOf } from '../../model/chart-types.ts';
import type { ShareValue } from '../../model/forms/share-values.ts';
import { malformedQuery } from '../../model/parameter.ts';
import { type Period, type Span, spanOver, windowUpTo } from '../../model/window.ts';
import { loadSharesOverTime, maxNamedShares } from '../../query/load-shares.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { type LoadBounds, TooManyValues } from '../../series/load-series.ts';
import { namesOfSum } from '../state/chart-words.ts';
import { loadPast } from './load-chart.ts';
import { loadJoinedFacts } from './load-facts.ts';
import type { StoreChart, StoreSource } from './store-source.ts';

/** Default bounds: some seconds of work, and 20 MB of names. */
const usualBounds: LoadBounds = { maxWeight: 10_000_000, maxShares: 50_000 };

/** One chart with its title and plugin, or several charts to add up. */
interface HistorySubject
  extends Pick<PluginChart, 'title' | 'type'>,
    Partial<Pick<PluginChart, 'isDefault' | 'pluginName'>> {
  readonly charts: readonly StoreChart[];
}

/**
 * Loads the history of a chart, or of the sum of several charts of one form. If it is too large, loads its
 * newest part; undefined without a history. Rejects as the view does.
 */
export async function loadHistory(
  source: StoreSource,
  { charts, ...chart }: HistorySubject,
  {
    range,
    width,
    group,
  }: { readonly range: Period; readonly width: number; readonly group?: ShareGrouping | undefined },
  bounds = usualBounds,
): Promise<HistoryToDraw | undefined> {
  const span = spanOver(charts.flatMap((one) => one.span ?? []));
  if (span === undefined) return undefined;
  const form = formOf(chart.type);
  const facts = await loadJoinedFacts(source.view, charts);
  // A minor line may combine many versions, so more of them are needed.
  const top = group === 'minor' ? maxNamedShares : maxHistoryShares;
  const loadPart: PartLoader<HistoryToDraw> = async (period, partBounds) => {
    const { query, ...shares } = await loadSharesOverTime(
      source.within(partBounds),
      { charts, span },
      { period, width, level: 1, top },
    );
    return historyOfSeries({ ...chart, form, ...facts }, query, shares, group);
  };
  const { loaded, isCut } = await loadNewestPart({ period: range, span }, loadPart, bounds);
  return isCut ? { ...loaded, title: `${chart.title} (newest part)` } : loaded;
}

/** Loads shares over a period, within bounds. Rejects with TooManyValues. */
type PartLoader<Loaded> = (part: Period, bounds?: LoadBounds) => Promise<Loaded>;

/**
 * Loads shares over a period; as long as there are too many values, it tries again with the newest quarter of
 * the period.
 */
export async function loadNewestPart<Loaded>(
  { period, span }: { readonly period: Period; readonly span: Span },
  load: PartLoader<Loaded>,
  bounds = usualBounds,
): Promise<{ readonly loaded: Loaded; readonly isCut: boolean }> {
  let { from, to } = windowUpTo(period, span);
  for (let part = period; ; part = { from, to }) {
    try {
      // The last attempt, with a single time, has no bounds; the number of its shares is limited anyway.
      const loaded = await load(part, to - from > 1 ? bounds : undefined);
      return { loaded, isCut: part !== period };
    } catch (error) {
      if (!(error instanceof TooManyValues)) throw error;
    }
    from = to - Math.ceil((to - from) / 4);
  }
}

/** Charts of shares of one form. */
interface AddedCharts {
  /** Their common title, or a word for the sum. */
  readonly label: string;
  readonly title: string;
  readonly type: string;
  readonly charts: readonly StoreChart[];
}

/**
 * Finds charts of shares.
 * @throws AppError `not_found` for an unknown plugin or chart, `invalid` for a chart of another form than the
 * first.
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

/**
 * Loads what charts of shares show now, added up; undefined for more than {@link maxNames} names. Rejects as
 * the view does.
 */
export async function loadSharesSum(
  { view }: StoreSource,
  { title, type, charts }: AddedCharts,
): Promise<ChartToDraw | undefined> {
  const form = formOf(type);
  const sums = new Map<string, ShareValue>();
  let timestamp: number | undefined;
  let past: ChartToDraw['past'];
  for (const chart of charts) {
    const { pluginId, chartId } = chart;
    const shown = await view.readChartData(pluginId, chartId, 0);
    if (shown.storage !== 'latest') continue;
    const shares = sharesIn(form, JSON.parse(shown.json));
    if (shares.length > maxNames) return undefined;
    sumByName(shares, sums);
    if (sums.size > maxNames) return undefined;
    if (shown.at !== null) timestamp = Math.max(timestamp ?? 0, shown.at);
    if (sums.size === 0) past = joinPast([past, await loadPast(view, { ...chart, ...shown })]);
    await nextTurn();
  }
  return {
    form,
    title,
    timestamp,
    past,
    ...(await loadJoinedFacts(view, charts)),
    data: JSON.parse(renderShares(type, [...sums.values()])),
  };
}
