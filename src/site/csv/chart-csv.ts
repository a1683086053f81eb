/** The data of one chart as CSV, in parts of bounded size. */
import type { Range } from '../../draw/range.ts';
import type { BodyPart } from '../../http/endpoint.ts';
import { unknownChart } from '../../model/app-error.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsReader } from '../../model/metrics-reader.ts';
import type { PluginDetail } from '../../model/plugin.ts';
import type { Points } from '../../model/points.ts';
import { readLine } from '../read-line.ts';
import { csvRow } from './csv-row.ts';
import { snapshotRows } from './snapshot-rows.ts';

/** How many rows a part has: a fraction of a millisecond. */
const rowsPerPart = 512;

/**
 * Header and rows; of a line the points of a range.
 * @throws AppError `not_found` for a chart that the plugin does not have.
 */
export async function* chartCsv(
  reader: MetricsReader,
  plugin: PluginDetail,
  { chartId, range }: { readonly chartId: string; readonly range: Range },
): AsyncGenerator<BodyPart> {
  const chart = plugin.charts.find((each) => each.chartId === chartId);
  if (chart === undefined) throw unknownChart(plugin.id, chartId);
  if (storageOf(chart.type) === 'series') {
    yield csvRow(['timestamp', 'value']);
    const line = await readLine(reader, { pluginId: plugin.id, chartId, range });
    for (const points of line?.runs ?? []) yield* pointRows(points);
    return;
  }
  const data = await reader.readChartData(plugin.id, chartId, 0);
  if (data.storage !== 'snapshot') return;
  const parsed = { data: JSON.parse(data.json) as unknown, settings: JSON.parse(chart.data) as unknown };
  yield* inParts(snapshotRows(chart.type, parsed));
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
  let count = 0;
  for (const row of rows) {
    part += csvRow(row);
    if (++count % rowsPerPart > 0) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}
