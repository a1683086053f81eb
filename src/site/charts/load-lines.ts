/** Loads lines for pictures: the points of a short window, and of a long one the mean, the lowest and the highest value by step. */
import { LineBand } from '../../draw/line/line-band.ts';
import { columnCountFor, gapLimitMs, LineColumns } from '../../draw/line/line-columns.ts';
import type { LineShape } from '../../draw/line/line-shape.ts';
import { lineStep } from '../../draw/time-step.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { nextTurn } from '../../model/next-turn.ts';
import { concatPoints, copyPoints, type Points, slicePoints } from '../../model/points.ts';
import {
  firstFrom,
  type Period,
  type StepName,
  steps,
  type TimeWindow,
  windowOverAll,
} from '../../model/window.ts';
import { type Aggregate, StepTimes, StepValues } from '../../series/steps.ts';

/** A picture of lines. */
export interface PictureOfLines {
  /** In pixels. */
  readonly width: number;
}

/** Lines over one window: that of a period, or what it has of them. Both ends are included. */
export interface LoadedLines {
  readonly from: number;
  readonly to: number;
  /** For each line a shape for each picture; a line without points has shapes without points. */
  readonly shapes: readonly (readonly LineShape[])[];
}

/** Loads lines by their uid; rejects as the view does. */
export async function loadLines(
  view: MetricsView,
  charts: readonly { readonly uid: number }[],
  { range, pictures }: { readonly range: Period; readonly pictures: readonly PictureOfLines[] },
): Promise<LoadedLines> {
  const spans = await view.findSpans(charts.map(({ uid }) => uid));
  const window = windowOverAll(range, [...spans.values()]);
  const shapes: (readonly LineShape[])[] = [];
  for (const { uid } of charts) shapes.push(await shapesOf(view, uid, { window, pictures }));
  return { from: window.from, to: window.to - 1, shapes };
}

/** More points of a short window are drawn by the shortest step. */
const maxPointCount = 250_000;

async function shapesOf(
  view: MetricsView,
  uid: number,
  { window, pictures }: { readonly window: TimeWindow; readonly pictures: readonly PictureOfLines[] },
): Promise<readonly LineShape[]> {
  const ends = { from: window.from, to: window.to - 1 };
  const step = lineStep(ends.to - ends.from, Math.max(...pictures.map(({ width }) => width)));
  const points = step === undefined ? await readPoints(view, uid, { ...window, maxPointCount }) : undefined;
  if (points === undefined || points.timestamps.length > maxPointCount) {
    const band = await readBand(view, uid, { window, step: step ?? '30m' });
    return pictures.map(() => band);
  }
  return pictures.map(({ width }) => {
    const maxGapMs = gapLimitMs(points.timestamps);
    const columns = new LineColumns({ ...ends, columnCount: columnCountFor(width), maxGapMs });
    columns.add(points);
    return columns;
  });
}

/** Reads the points of a line in a window, and stops after the first run with which they are too many. */
export async function readPoints(
  view: MetricsView,
  uid: number,
  { from, to, maxPointCount: most }: TimeWindow & { readonly maxPointCount: number },
): Promise<Points> {
  const runs: Points[] = [];
  let pointCount = 0;
  for await (const points of view.readPoints(uid, { from, to })) {
    const { timestamps } = points;
    const run = slicePoints(points, firstFrom(timestamps, from), firstFrom(timestamps, to));
    runs.push(copyPoints(run));
    pointCount += run.timestamps.length;
    if (pointCount > most) break;
    await nextTurn();
  }
  return concatPoints(runs);
}

async function readBand(
  view: MetricsView,
  uid: number,
  { window, step }: { readonly window: TimeWindow; readonly step: StepName },
): Promise<LineBand> {
  const { times, columns, last } = await readSteps(view, uid, {
    window,
    step,
    aggregates: ['mean', 'min', 'max'],
  });
  const [means = times, lows = times, highs = times] = columns;
  const place = { from: window.from, to: window.to - 1, step, latest: last };
  return new LineBand(place, { starts: times, means, lows, highs });
}

/** A line by step. */
export interface LineBySteps {
  /** The beginnings of the steps that have points, and the number of points in each. */
  readonly times: Float64Array;
  readonly counts: Float64Array;
  /** A column for each aggregate. */
  readonly columns: readonly Float64Array[];
  /** The newest point; NaN without one. */
  readonly last: { readonly timestamp: number; readonly value: number };
}

/** Reads a line by step in several aggregates at once. */
export async function readSteps(
  view: MetricsView,
  uid: number,
  {
    window,
    step,
    aggregates,
  }: { readonly window: TimeWindow; readonly step: StepName; readonly aggregates: readonly Aggregate[] },
): Promise<LineBySteps> {
  const stepped = { ...window, step: steps[step] };
  const found = new StepTimes(stepped);
  const gathered = aggregates.map((aggregate) => new StepValues({ ...stepped, aggregate }));
  let last = { timestamp: Number.NaN, value: Number.NaN };
  for await (const { timestamps, values } of view.readPoints(uid, window)) {
    const range = found.add(timestamps);
    for (const column of gathered) column.add(range, values);
    const { start, end } = range;
    if (start < end) last = { timestamp: timestamps[end - 1] ?? 0, value: values[end - 1] ?? 0 };
    await nextTurn();
  }
  const columns = gathered.map((column) => column.finish(found));
  return { times: found.times.take(), counts: found.counts.take(), columns, last };
}
