/**
 * Loads lines for pictures: the points of a short window, and of a long one the mean, the lowest and the highest value by step; and the events on
 * them.
 */
import { EventColumns } from '../../draw/events.ts';
import type { HistoryToDraw } from '../../draw/history/history-to-draw.ts';
import { bandOf } from '../../draw/line/line-band.ts';
import { columnCountFor, columnsOf } from '../../draw/line/line-columns.ts';
import type { LineShape } from '../../draw/line/line-shape.ts';
import { sumToDraw } from '../../draw/line/sum.ts';
import { historyStep, lineStep } from '../../draw/time-step.ts';
import type { Chart } from '../../model/chart.ts';
import {
  type Columns,
  columnsWithin,
  copyColumns,
  joinPoints,
  lineOf,
  valuesOf,
} from '../../model/columns.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import {
  type DataWindow,
  type Period,
  type StepName,
  spanOver,
  steps,
  windowOverAll,
} from '../../model/window.ts';
import { type Aggregate, StepTimes, StepValues } from '../../series/steps.ts';

/** Lines over one window: that of a period, or what it has of them. Both ends are included. */
export interface LoadedLines {
  readonly from: number;
  readonly to: number;
  /** A shape for each line; that of a line without points has none. */
  readonly shapes: readonly LineShape[];
}

/** A line in the store. */
type StoredLine = Pick<Chart, 'uid' | 'type'>;

/** The period of a picture, and its width in pixels. */
interface LinesRequest {
  readonly range: Period;
  readonly width: number;
  /** `true` for lines with those of the period before. */
  readonly previous?: 'false' | 'true';
}

/** Loads lines; rejects as the view does. */
export async function loadLines(
  view: MetricsView,
  charts: readonly StoredLine[],
  { range, width, previous }: LinesRequest,
): Promise<LoadedLines> {
  const spans = await view.findSpans(charts.map(({ uid }) => uid));
  const window = windowOverAll(range, [...spans.values()]);
  const shapes: LineShape[] = [];
  const before = { from: 2 * window.from - window.to, to: window.from, width };
  for (const line of charts) {
    const shape = await shapeOf(view, line, { ...window, width });
    const past = previous === 'true' ? await shapeOf(view, line, before) : undefined;
    shapes.push(past === undefined || past.pointCount === 0 ? shape : { ...shape, previous: past });
  }
  return { from: window.from, to: window.to - 1, shapes };
}

/** More points of a short window are drawn by the shortest step. */
const maxPointCount = 250_000;

async function shapeOf(
  view: MetricsView,
  line: StoredLine,
  { width, ...window }: DataWindow & { readonly width: number },
): Promise<LineShape> {
  const ends = { from: window.from, to: window.to - 1 };
  const step = lineStep(ends.to - ends.from, width);
  const points = step === undefined ? await readPoints(view, line, window, maxPointCount) : undefined;
  if (points === undefined || points.times.length > maxPointCount)
    return readBand(view, line, window, step ?? '30m');
  return columnsOf(points, { ...ends, columnCount: columnCountFor(width) });
}

/** Reads the points of a line in a window, and stops after the first run with which they are too many. */
export async function readPoints(
  view: MetricsView,
  line: StoredLine,
  window: DataWindow,
  maxCount: number,
): Promise<Columns> {
  const runs: Columns[] = [];
  let pointCount = 0;
  for await (const points of view.readColumns(line, window)) {
    const run = columnsWithin(points, window);
    runs.push(copyColumns(run));
    pointCount += run.times.length;
    if (pointCount > maxCount) break;
    await nextTurn();
  }
  return joinPoints(runs);
}

async function readBand(
  view: MetricsView,
  line: StoredLine,
  window: DataWindow,
  step: StepName,
): Promise<LineShape> {
  const { times, columns, last } = await readSteps(view, line, { window, step }, ['mean', 'min', 'max']);
  const [means = times, lows = times, highs = times] = columns;
  const place = { from: window.from, to: window.to - 1, step, latest: last };
  return bandOf(place, { starts: times, means, lows, highs });
}

/** Reads a line by step: the beginnings of the steps that have points, a column for each aggregate, and the newest point; NaN without one. */
async function readSteps(
  view: MetricsView,
  line: StoredLine,
  { step, window }: { readonly window: DataWindow; readonly step: StepName },
  aggregates: readonly Aggregate[],
) {
  const stepped = { window, step: steps[step] };
  const found = new StepTimes(stepped);
  const gathered = aggregates.map((aggregate) => new StepValues({ ...stepped, aggregate }));
  let last = { timestamp: Number.NaN, value: Number.NaN };
  for await (const points of view.readColumns(line, window)) {
    const [times, values] = [points.times, valuesOf(points)];
    const range = found.add(times);
    for (const column of gathered) column.add(range, values);
    const { start, end } = range;
    if (start < end) last = { timestamp: times[end - 1] ?? 0, value: values[end - 1] ?? 0 };
    await nextTurn();
  }
  const columns = gathered.map((column) => column.finish(found));
  return { times: found.times.take(), columns, last };
}

/** Loads the sum of lines by step of time, as a history whose shares are the lines; rejects as the view does. */
export async function loadSum(
  view: MetricsView,
  charts: ReadonlyArray<StoredLine & { readonly name: string }>,
  { range, width, title }: LinesRequest & { readonly title: string },
): Promise<HistoryToDraw> {
  const spans = await view.findSpans(charts.map(({ uid }) => uid));
  const window = windowOverAll(range, [...spans.values()]);
  const [from, to] = [window.from, window.to - 1];
  const newest = Math.min(to, spanOver([...spans.values()])?.last ?? to);
  const step = historyStep(to - from, width);
  const lines: Parameters<typeof sumToDraw>[0][number][] = [];
  for (const line of charts) {
    const { times, columns } = await readSteps(view, line, { window, step }, ['mean', 'last']);
    const [means = times, lasts = times] = columns;
    lines.push({ name: line.name, means: lineOf(times, means), lasts: lineOf(times, lasts) });
  }
  return sumToDraw(lines, { title, from, to, newest, step });
}

/** A plugin, a range of time with both ends included, and the width of the picture in pixels. */
interface EventsRequest {
  readonly pluginId: number;
  readonly hasEvents: boolean;
  readonly from: number;
  readonly to: number;
  readonly width: number;
}

/** Loads the events of a plugin; undefined if it has none. Rejects as the view does. */
export async function loadEvents(
  view: MetricsView,
  { pluginId, hasEvents, width, from, to }: EventsRequest,
): Promise<EventColumns | undefined> {
  if (!hasEvents) return undefined;
  const events = new EventColumns({ from, to, columnCount: columnCountFor(width) });
  for await (const batch of view.listEvents(pluginId)) events.add(batch);
  return events;
}
