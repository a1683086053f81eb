/** The data of one chart as CSV, in parts of bounded size. */

import { formOf } from '../../model/chart-types.ts';
import { csvRow } from '../../model/csv-row.ts';
import { hasShares } from '../../model/data-shares.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginSummary } from '../../model/plugin.ts';
import type { Points } from '../../model/points.ts';
import type { SeriesAnswer } from '../../series/load-series.ts';
import { renderSeriesCsv } from '../../series/series-csv.ts';
import { loadStoredChart, parseSettings, type StoredChart } from '../charts/load-chart.ts';
import type { LineRequest } from '../charts/load-line.ts';
import type { ChartView } from '../state/page-state.ts';
import { loadHistoryColumns } from './history-csv.ts';
import { snapshotRows } from './snapshot-rows.ts';

/** Points in a part: a fraction of a millisecond. */
const rowsPerPart = 512;

/** Shortest part of other data in characters; one row may have any number of cells. */
const partLength = 16 * 1024;

/** Largest file. Bars and drilldown pies can take far more room as rows than as JSON. */
const maxCsvBytes = 16 * 1024 * 1024;

/** A chart, and the part of its data that a page shows. */
interface CsvRequest extends LineRequest {
  /** Of a chart of shares. */
  readonly view: ChartView;
}

/** A chart with its plugin, and its history if that is shown. */
interface CsvContent extends StoredChart {
  readonly plugin: PluginSummary;
  readonly history?: Pick<SeriesAnswer, 'times' | 'series'> | undefined;
}

/** Loads a chart, of a line the points of a range; rejects with `not_found` for a chart that the plugin does not have. */
export async function loadCsvContent(view: MetricsView, request: CsvRequest): Promise<CsvContent> {
  const { pluginId, chartId, range } = request;
  const plugin = await view.getPlugin(pluginId);
  if (request.view === 'history') {
    const chart = await view.getChart(pluginId, chartId);
    if (hasShares(chart.type))
      return { plugin, chart, history: await loadHistoryColumns(view, chart, { pluginId, range }) };
  }
  return { plugin, ...(await loadStoredChart(view, request)) };
}

/** Renders header and rows; if they are cut, the last row says so. */
export function* renderCsv(content: CsvContent): Generator<string> {
  let sizeBytes = 0;
  for (const part of csvParts(content)) {
    sizeBytes += Buffer.byteLength(part);
    if (sizeBytes > maxCsvBytes) {
      yield cutRow;
      return;
    }
    yield part;
  }
}

const cutRow = csvRow(['(cut here: the rest is in the data of the chart as JSON)']);

function* csvParts({ chart, line, json, history }: CsvContent): Generator<string> {
  if (history !== undefined) {
    yield* renderSeriesCsv(history, ({ name }) => name);
    return;
  }
  if (json !== undefined) {
    const form = formOf(chart.type);
    const data: unknown = form === 'other' ? json : JSON.parse(json);
    yield '';
    yield* inParts(snapshotRows(form, { data, settings: parseSettings(chart) }));
    return;
  }
  yield csvRow(['timestamp', 'value']);
  if (line?.isCut) yield csvRow(['(cut here: earlier points are in the data of the chart as JSON)']);
  for (const points of line?.runs ?? []) yield* pointRows(points);
}

function* pointRows({ timestamps, values }: Points): Generator<string> {
  for (let start = 0; start < timestamps.length; start += rowsPerPart) {
    let part = '';
    const end = Math.min(start + rowsPerPart, timestamps.length);
    for (let at = start; at < end; at++) part += `${isoTime(timestamps[at] ?? 0)},${values[at]}\r\n`;
    yield part;
  }
}

/** The time in ISO 8601, without milliseconds if they are 0. */
function isoTime(timestamp: number): string {
  const text = new Date(timestamp).toISOString();
  return timestamp % 1000 === 0 ? `${text.slice(0, -5)}Z` : text;
}

function* inParts(rows: Iterable<Parameters<typeof csvRow>[0]>): Generator<string> {
  let part = '';
  for (const row of rows) {
    part += csvRow(row);
    if (part.length < partLength) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
