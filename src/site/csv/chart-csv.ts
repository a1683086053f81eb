/** The data of one chart as CSV, in parts of bounded size. */

import { lineStep } from '../../draw/time-step.ts';
import { formOf } from '../../model/chart-types.ts';
import { csvRow } from '../../model/csv-row.ts';
import { hasShares, sharesIn } from '../../model/data-shares.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart, PluginSummary } from '../../model/plugin.ts';
import type { Points } from '../../model/points.ts';
import { type Period, windowUpTo } from '../../model/window.ts';
import { type HistoryBounds, loadSeries, type SeriesAnswer } from '../../series/load-series.ts';
import { renderSeriesCsv } from '../../series/series-csv.ts';
import { parseSettings } from '../charts/load-chart.ts';
import { loadNewestPart } from '../charts/load-history.ts';
import { readPoints } from '../charts/load-lines.ts';
import type { ChartView } from '../state/page-state.ts';
import { sharesNow } from './shares-now.ts';

/** Shortest part of other data in characters; one row may have any number of cells. */
const partLength = 16 * 1024;

/** Largest file. Bars can take far more room as rows than as JSON. */
const maxCsvBytes = 16 * 1024 * 1024;

/** Most points of a file: more do not fit. */
const maxPointCount = maxCsvBytes / '1970-01-01T00:00:00Z,0\r\n'.length;

/** A chart, and the part of its data that a page shows. */
interface CsvRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly window: Period;
  /** Of a chart of shares. */
  readonly view: ChartView;
}

/** A plugin, and the rows of its chart. */
interface CsvContent {
  readonly plugin: PluginSummary;
  readonly parts: Iterable<string>;
}

/** Loads a chart, of a line the points of a window; rejects with `not_found` for a chart that the plugin does not have. */
export async function loadCsvContent(view: MetricsView, request: CsvRequest): Promise<CsvContent> {
  const plugin = await view.getPlugin(request.pluginId);
  const chart = await view.getChart(request.pluginId, request.chartId);
  return { plugin, parts: await loadParts(view, chart, request) };
}

async function loadParts(
  view: MetricsView,
  chart: PluginChart,
  { pluginId, window, view: shown }: CsvRequest,
): Promise<Iterable<string>> {
  const { chartId, uid, type } = chart;
  const form = formOf(type);
  if (form === 'line' || (shown === 'history' && hasShares(type))) {
    const span = (await view.findSpans([uid])).get(uid) ?? { first: 0, last: 0 };
    const asked = windowUpTo(window, span);
    if (form === 'line') return renderPoints(await readPoints(view, uid, { ...asked, maxPointCount }));
    const step = lineStep(asked.to - 1 - Math.max(asked.from, span.first)) ?? null;
    const query = {
      charts: [{ pluginId, chartId }],
      step,
      aggregate: 'mean',
      top,
      level: 1,
      isSum: false,
    } as const;
    const load = (part: Period, bounds?: HistoryBounds) =>
      loadSeries(view, { ...query, window: part }, bounds);
    return renderShares(await loadNewestPart({ period: window, span }, load));
  }
  const { storage, ...data } = await view.readChartData(pluginId, chartId, 0);
  const json = 'json' in data ? data.json : '';
  if (form === 'other') return [csvRow(['json']), csvRow([json])];
  const shares = sharesIn(form, JSON.parse(json));
  return inParts(sharesNow(form, { shares, settings: parseSettings(chart) }));
}

/** Shares of a history with a column of their own, as many as in `/api/v2/series`. */
const top = 20;

function* renderShares({
  loaded,
  isCut,
}: {
  readonly loaded: SeriesAnswer;
  readonly isCut: boolean;
}): Generator<string> {
  yield* renderSeriesCsv(loaded, ['time', ...loaded.series.map(({ name }) => name)]);
  if (isCut) yield csvRow(['(this is the newest part: the rest is in the data of the chart as JSON)']);
}

function renderPoints({ timestamps, values }: Points): Iterable<string> {
  // Times without milliseconds, if they are 0.
  const timeOf = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');
  return renderSeriesCsv({ times: timestamps, series: [{ values }] }, ['timestamp', 'value'], timeOf);
}

/** Renders header and rows; if they are cut, the last row says so. */
export function* renderCsv({ parts }: CsvContent): Generator<string> {
  let sizeBytes = 0;
  for (const part of parts) {
    sizeBytes += Buffer.byteLength(part);
    if (sizeBytes > maxCsvBytes) {
      yield csvRow(['(cut here: the rest is in the data of the chart as JSON)']);
      return;
    }
    yield part;
  }
}

function* inParts(rows: Iterable<Parameters<typeof csvRow>[0]>): Generator<string> {
  let part = '';
  for (const row of rows) {
    part += csvRow(row);
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  yield part;
}
