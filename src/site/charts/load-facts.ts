/** Loads the facts about charts of shares that determine their colours. */
import { joinColours } from '../../draw/shares/share-colours.ts';
import type { Chart } from '../../model/catalogue.ts';
import type { ShareFacts } from '../../model/chart-data.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../runtime/next-turn.ts';
import { factsOfData } from '../../series/share-facts.ts';

type ChartOfShares = Pick<Chart, 'chartId' | 'uid' | 'type'> & { readonly pluginId: number };

/** Loads the facts of a chart; without a history, they come from the data that it shows now. */
export async function loadFacts(view: MetricsView, chart: ChartOfShares): Promise<Partial<ShareFacts>> {
  // With many shares, a chart takes milliseconds of work.
  await nextTurn();
  const facts = await view.loadShareFacts(chart.uid);
  if (facts !== undefined) return facts;
  const data = await view.readChartData(chart.pluginId, chart.chartId, 0);
  return data.storage === 'latest' ? factsOfData(chart.type, data.json) : {};
}

/** Loads the facts of a chart; for several charts that are added up, only their colours. */
export async function loadJoinedFacts(
  view: MetricsView,
  charts: readonly ChartOfShares[],
): Promise<Partial<ShareFacts>> {
  const all: Partial<ShareFacts>[] = [];
  for (const chart of charts) all.push(await loadFacts(view, chart));
  const [only] = all;
  return all.length === 1 && only !== undefined
    ? only
    : { colours: joinColours(all.map(({ colours = [] }) => colours)) };
}
