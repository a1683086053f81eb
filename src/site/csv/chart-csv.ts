/** The data of one chart as CSV, in parts of bounded size. */
import type { BodyPart } from '../../http/endpoint.ts';
import { unknownChart } from '../../model/app-error.ts';
import type { Chart } from '../../model/chart.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PluginDetail } from '../../model/plugin.ts';
import type { Points } from '../../model/points.ts';
import { type LineReading, type LineRequest, readLine } from '../read-line.ts';
import { csvRow } from './csv-row.ts';
import { snapshotRows } from './snapshot-rows.ts';

/** How many points a part has: a fraction of a millisecond. */
const rowsPerPart = 512;

/** How long a part of other data is at least; one row may have any number of cells. */
const partLength = 16 * 1024;

/** What is read for it. */
export interface CsvReading {
  readonly plugin: PluginDetail;
  readonly chart: Chart;
  /** The points of a line. */
  readonly line: LineReading | undefined;
  /** The data of another chart. */
  readonly json: string | undefined;
}

/**
 * Reads a chart, of a line the points of a range.
 * @throws AppError `not_found` for a chart that the plugin does not have.
 */
export async function readCsv(reader: MetricsReader, request: LineRequest): Promise<CsvReading> {
  const { pluginId, chartId } = request;
  const plugin = await reader.getPlugin(pluginId);
  const chart = plugin.charts.find((each) => each.chartId === chartId);
  if (chart === undefined) throw unknownChart(pluginId, chartId);
  if (storageOf(chart.type) === 'series')
    return { plugin, chart, line: await readLine(reader, request), json: undefined };
  const data = await reader.readChartData(pluginId, chartId, 0);
  return { plugin, chart, line: undefined, json: data.storage === 'snapshot' ? data.json : undefined };
}

/** Header and rows. */
export function* chartCsv({ chart, line, json }: CsvReading): Generator<BodyPart> {
  if (json !== undefined) {
    const parsed = { data: JSON.parse(json) as unknown, settings: JSON.parse(chart.data) as unknown };
    yield* inParts(snapshotRows(chart.type, parsed));
    return;
  }
  yield csvRow(['timestamp', 'value']);
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

/** To the second, unless the time has a fraction of one. */
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
