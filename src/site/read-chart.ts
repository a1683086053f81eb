/** Reads a chart of a store as `draw/` takes it. */
import type { ChartToDraw } from '../draw/chart-reading.ts';
import { gapLimitMs } from '../draw/line/gap.ts';
import { columnCountFor, LineColumns } from '../draw/line/line-columns.ts';
import { storageOf } from '../model/chart-data.ts';
import type { MetricsReader } from '../model/metrics-reader.ts';
import type { PluginChart } from '../model/plugin.ts';
import { readOneState } from './one-state.ts';
import { type LineReading, type LineRequest, readLine } from './read-line.ts';
import type { Steps } from './steps.ts';

/** A chart, what part of it where it is a line, and the width of its picture in pixels. */
export interface ChartRequest extends LineRequest {
  readonly width: number;
}

/** Reads a chart, and gives the steps that bring it into its form; rejects as the reader does. */
export async function readChart(reader: MetricsReader, request: ChartRequest): Promise<Steps<ChartToDraw>> {
  const reading = await readOneState(reader, () => readAll(reader, request));
  return chartToDraw(reading, request.width);
}

function* chartToDraw({ chart, line, json }: ReadChart, width: number): Steps<ChartToDraw> {
  const { type, title, isDefault, pluginName } = chart;
  const about = { type, title, isDefault, pluginName, settings: JSON.parse(chart.data) };
  if (storageOf(type) !== 'series')
    return { ...about, data: json === undefined ? undefined : JSON.parse(json) };
  const span = { from: line?.from ?? 0, to: line?.to ?? 0, width };
  return { ...about, data: yield* columnsOfLine(line, span) };
}

/** A chart with its line, or with its data as JSON. */
interface ReadChart {
  readonly chart: PluginChart;
  readonly line?: LineReading | undefined;
  readonly json?: string;
}

async function readAll(reader: MetricsReader, request: ChartRequest): Promise<ReadChart> {
  const { pluginId, chartId } = request;
  const chart = await reader.getChart(pluginId, chartId);
  if (storageOf(chart.type) === 'series') return { chart, line: await readLine(reader, request) };
  const data = await reader.readChartData(pluginId, chartId, 0);
  return data.storage === 'snapshot' ? { chart, json: data.json } : { chart };
}

/** What part of a line a picture shows, in Unix milliseconds, and its width in pixels. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** The columns of a line that has been read; none of them has a point where there is no line. */
export function* columnsOfLine(
  line: LineReading | undefined,
  { from, to, width }: LineSpan,
): Steps<LineColumns> {
  const maxGapMs = gapLimitMs(line?.newest.timestamps ?? []);
  const columns = new LineColumns({ from, to, columnCount: columnCountFor(width), maxGapMs });
  let count = 0;
  for (const run of line?.runs ?? []) {
    if (count++ > 0) yield '';
    columns.add(run);
  }
  return columns;
}
