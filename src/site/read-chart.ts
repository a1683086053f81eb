/** Reads a chart of a store as `draw/` takes it. */
import type { ChartToDraw } from '../draw/chart-reading.ts';
import { gapLimitMs } from '../draw/line/gap.ts';
import { columnCountFor, LineColumns } from '../draw/line/line-columns.ts';
import type { Turns } from '../http/turns.ts';
import type { WorkReader } from '../http/work/work-reader.ts';
import { storageOf } from '../model/chart-data.ts';
import type { MetricsView } from '../model/metrics-reader.ts';
import type { PluginChart } from '../model/plugin.ts';
import { condense } from './condense.ts';
import { parseData, parseSettings } from './parse-data.ts';
import { cutWords, type LineReading, type LineRequest, readLine } from './read-line.ts';
import { readState } from './read-state.ts';
import { type Steps, takeSteps } from './steps.ts';

/** A chart, what part of it where it is a line, and the width of its picture in pixels. */
export interface ChartRequest extends LineRequest {
  readonly width: number;
}

/** Reads a chart and brings it into its form; rejects as the reader does. */
export async function readChart(
  reader: WorkReader,
  request: ChartRequest,
  turns: Turns,
): Promise<ChartToDraw> {
  const reading = await readState(reader, (view) => readAll(view, request));
  return takeSteps(chartToDraw(reading, request.width), turns);
}

function* chartToDraw({ chart, line, json }: ReadChart, width: number): Steps<ChartToDraw> {
  const { type, title, isDefault, pluginName } = chart;
  const about = { type, title, isDefault, pluginName, settings: parseSettings(chart) };
  if (storageOf(type) !== 'series') {
    if (json === undefined) return { ...about, data: undefined };
    yield;
    const { data, isCut } = parseData(type, json);
    yield;
    return { ...about, data: yield* condense(type, data), isCut };
  }
  const span = { from: line?.from ?? 0, to: line?.to ?? 0, width };
  return { ...about, title: title + cutWords([line]), data: yield* columnsOfLine(line, span) };
}

/** A chart with its line, or with its data as JSON. */
interface ReadChart {
  readonly chart: PluginChart;
  readonly line?: LineReading | undefined;
  readonly json?: string;
}

async function readAll(view: MetricsView, request: ChartRequest): Promise<ReadChart> {
  const { pluginId, chartId } = request;
  const chart = await view.getChart(pluginId, chartId);
  if (storageOf(chart.type) === 'series') return { chart, line: await readLine(view, request) };
  const data = await view.readChartData(pluginId, chartId, 0);
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
    if (count++ > 0) yield;
    columns.add(run);
  }
  return columns;
}
