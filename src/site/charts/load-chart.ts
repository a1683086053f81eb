/** Reads a chart of a store as `draw/` takes it. */
import type { ChartToDraw } from '../../draw/chart-reading.ts';
import { columnCountFor, gapLimitMs, LineColumns } from '../../draw/line/line-columns.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import { AppError } from '../../model/app-error.ts';
import { storageOf } from '../../model/chart-data.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { inSnapshot } from '../snapshot.ts';
import { condense } from './condense.ts';
import { cutWords, type LineReading, type LineRequest, readLine } from './load-line.ts';
import { parseData, parseSettings } from './parse-data.ts';
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
  const reading = await inSnapshot(reader, (view) => readAll(view, request));
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

/** Finds a chart; undefined where its plugin does not have it. Rejects with `not_found` for a plugin that is not there. */
export async function findChart(
  view: MetricsView,
  pluginId: number,
  chartId: string,
): Promise<PluginChart | undefined> {
  try {
    return await view.getChart(pluginId, chartId);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unknown-chart') return undefined;
    throw error;
  }
}
