/** Loads a chart from the store, ready to draw. */

import type { ChartToDraw } from '../../draw/chart-content.ts';
import { columnCountFor, gapLimitMs, LineColumns } from '../../draw/line/line-columns.ts';
import type { Turns } from '../../http/turns.ts';
import type { WorkReader } from '../../http/work/work-reader.ts';
import { AppError } from '../../model/app-error.ts';
import { formOf } from '../../model/chart-types.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import type { PluginChart } from '../../model/plugin.ts';
import { inSnapshot } from '../snapshot.ts';
import { condense } from './condense.ts';
import { cutWords, type LineRequest, type LoadedLine, loadLine } from './load-line.ts';
import { parseData, parseSettings } from './parse-data.ts';
import { type Steps, takeSteps } from './steps.ts';

/** A chart, the range if it is a line, and the width of its picture in pixels. */
interface ChartRequest extends LineRequest {
  readonly width: number;
}

/** Loads a chart, condensed to what a picture can show; rejects as the reader does. */
export async function loadChart(
  reader: WorkReader,
  request: ChartRequest,
  turns: Turns,
): Promise<ChartToDraw> {
  const stored = await inSnapshot(reader, (view) => loadStoredChart(view, request));
  return takeSteps(chartToDraw(stored, request.width), turns);
}

function* chartToDraw({ chart, line, json }: StoredChart, width: number): Steps<ChartToDraw> {
  const { type, title, isDefault, pluginName } = chart;
  const form = formOf(type);
  const about = { form, title, isDefault, pluginName, settings: parseSettings(chart) };
  if (form !== 'line') {
    if (json === undefined) return { ...about, data: undefined };
    yield;
    const { data, isCut } = parseData(form, json);
    yield;
    return { ...about, data: yield* condense(form, data), isCut };
  }
  const span = { from: line?.from ?? 0, to: line?.to ?? 0, width };
  return { ...about, title: title + cutWords([line]), data: yield* columnsOfLine(line, span) };
}

/** A chart with its line, or with its data as JSON. */
export interface StoredChart {
  readonly chart: PluginChart;
  readonly line?: LoadedLine | undefined;
  readonly json?: string;
}

/** Loads a chart with its data, of a line the points of a range; rejects as the view does. */
export async function loadStoredChart(view: MetricsView, request: LineRequest): Promise<StoredChart> {
  const { pluginId, chartId } = request;
  const chart = await view.getChart(pluginId, chartId);
  if (formOf(chart.type) === 'line') return { chart, line: await loadLine(view, request) };
  const data = await view.readChartData(pluginId, chartId, 0);
  return data.storage === 'snapshot' ? { chart, json: data.json } : { chart };
}

/** The part of a line in a picture, in Unix milliseconds, and the width of the picture in pixels. */
interface LineSpan {
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** The columns of a loaded line; without a line they have no points. */
export function* columnsOfLine(
  line: LoadedLine | undefined,
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

/** Finds a chart; undefined if its plugin does not have it. Rejects with `not_found` for an unknown plugin. */
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
