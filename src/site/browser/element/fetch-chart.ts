/** Fetches a chart and its data from a server. The drawing says what is wrong with them. */
import type { ChartName } from '../../../model/chart.ts';
import { linesFields } from '../../state/compare-query.ts';
import { accept } from '../../state/fields.ts';
import { loadPart } from '../load-part.ts';
import type { LoadedChart, WantedChart } from './drawing.ts';
import { fetchLines } from './fetch-line.ts';
import { fetchKnownPlugin } from './known-plugin.ts';
import { lineChart } from './line-chart.ts';
import { RequestFailure } from './shared-requests.ts';

/** The server has no such chart. */
class NoSuchChart extends Error {}

/** True for an error that says that the server has no such plugin or chart; asking again would not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof NoSuchChart || (error instanceof RequestFailure && error.status === 404);
}

/**
 * Fetches the chart of an element with its data, of lines those of a window.
 * @throws NoSuchChart, RequestFailure, PartFailure, and the errors of `fetch` and `JSON.parse`
 */
export async function fetchChart(element: HTMLElement, wanted: WantedChart): Promise<LoadedChart> {
  const { server, named, isComparison } = addressOf(element);
  const comparing = isComparison ? loadPart(import('./comparison-view.ts')) : undefined;
  const charts = await Promise.all(
    named.map(async ({ pluginId, chartId }) => {
      const { plugin, events, chartOf } = await fetchKnownPlugin(server, pluginId);
      const known = chartOf(chartId);
      if (known === undefined || (isComparison && known.chart.form !== 'line')) throw new NoSuchChart();
      return { name: `${pluginId}:${encodeURIComponent(chartId)}`, chartId, plugin, events, known };
    }),
  );
  const [one] = charts;
  if (one === undefined) throw new NoSuchChart();
  if (comparing !== undefined) return (await comparing).loadComparison({ server, charts }, wanted);
  const { name, events, known } = one;
  const { chart, span } = known;
  const lengthMs = span && span.last - span.first;
  const loadLinks = () => (events.length > 0 ? loadPart(import('./event-links.ts')) : undefined);
  if (chart.form === 'line') {
    const [[line], eventLinks] = await Promise.all([fetchLines({ server, charts }, wanted), loadLinks()]);
    if (line === undefined) throw new NoSuchChart();
    return { ...lineChart(chart, { line, events, eventLinks }), lengthMs };
  }
  const loadShares = loadPart(import('./shares-drawing.ts'));
  const isHistory = ({ view }: WantedChart) => view === 'history' && chart.form !== 'other';
  const loadHistory = async () => {
    const [{ loadHistoryInPage }, eventLinks] = await Promise.all([
      loadPart(import('./history-view.ts')),
      loadLinks(),
    ]);
    return loadHistoryInPage({ server, name, known, events, eventLinks }, wanted);
  };
  const [{ sharesChart }, history] = await Promise.all([
    loadShares,
    isHistory(wanted) ? loadHistory() : undefined,
  ]);
  const shares = sharesChart(chart);
  return {
    ...shares,
    lengthMs,
    hasAll: (now) => !isHistory(now) || history?.hasAll(now) === true,
    draw: (now, place) => (isHistory(now) ? (history ?? shares) : shares).draw(now, place),
  };
}

/** The server that this script came from. */
const ownServer = new URL('.', import.meta.url).href;

/** Reads the charts that the attributes of an element name: one, or those that are compared. */
function addressOf(element: HTMLElement) {
  const server = URL.parse(element.getAttribute('server') || ownServer, document.baseURI);
  const list = element.getAttribute('charts');
  const charts =
    list === null ? oneChart(element) : accept(linesFields, new URLSearchParams({ charts: list })).charts;
  if (charts.length === 0 || server === null) throw new NoSuchChart();
  // The URL in front of `api/v2`, with a slash at its end.
  return { server: server.href.replace(/\/?(?:[?#].*)?$/, '/'), named: charts, isComparison: list !== null };
}

function oneChart(element: HTMLElement): readonly ChartName[] {
  const plugin = element.getAttribute('plugin') ?? '';
  const chartId = element.getAttribute('chart') ?? '';
  const pluginId = /^\d+$/.test(plugin) ? Number(plugin) : Number.NaN;
  return Number.isSafeInteger(pluginId) && chartId !== '' ? [{ pluginId, chartId }] : [];
}
