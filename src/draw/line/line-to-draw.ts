/** A loaded line, and the part of it that a picture shows. */
import { type Columns, sliceColumns, valuesOf } from '../../model/columns.ts';
import { type DataWindow, firstFrom, type StepName, steps } from '../../model/window.ts';
import { type TimeStep, timeStep } from '../time-step.ts';
import type { bandOf } from './line-band.ts';
import { columnCountFor, columnsOf } from './line-columns.ts';
import type { LineShape } from './line-shape.ts';

/** A line over a window. */
export interface LineToDraw {
  readonly window: DataWindow;
  /** Stored points or, over a long window, the means of steps at the starts of the steps. */
  readonly points: Columns;
  /** Only for means: the step, and the lowest and highest value of each step. */
  readonly band?: { readonly step: StepName; readonly lows: Float64Array; readonly highs: Float64Array };
  /** Newest stored point of the window; NaN without one. */
  readonly newest: { readonly time: number; readonly value: number };
  /** The line over the previous window, if that is shown too. */
  readonly previous?: LineToDraw | undefined;
}

/** A line in a picture. */
export interface LineReading {
  readonly shape: LineShape;
  /** Points of the picture, or the means of its steps at the starts of the steps. */
  readonly points: Columns;
  /** Only for means: the step, and the lowest and highest value of each step. */
  readonly band?: { readonly step: TimeStep; readonly lows: Float64Array; readonly highs: Float64Array };
}

/**
 * Extracts the part of a line within a window.
 * @param drawBand makes the shape of means with their band; required if the line has a band.
 */
export function readLine(
  line: LineToDraw,
  { window, width }: { readonly window: DataWindow; readonly width: number },
  drawBand?: typeof bandOf,
): LineReading {
  const { previous } = line;
  const reading = readWindow(line, { window, width }, drawBand);
  const past = previous && readWindow(previous, { window: previous.window, width }, drawBand).shape;
  return past?.pointCount ? { ...reading, shape: { ...reading.shape, previous: past } } : reading;
}

function readWindow(
  { points, band, newest }: LineToDraw,
  { window, width }: { readonly window: DataWindow; readonly width: number },
  drawBand: typeof bandOf | undefined,
): LineReading {
  const start = firstFrom(
    points.times,
    band === undefined ? window.from : window.from - steps[band.step] + 1,
  );
  const shown = sliceColumns(points, start, firstFrom(points.times, window.to));
  if (band === undefined || drawBand === undefined)
    return { shape: columnsOf(points, { window, columnCount: columnCountFor(width) }), points: shown };
  const { step } = band;
  const end = start + shown.times.length;
  const [lows, highs] = [band.lows.subarray(start, end), band.highs.subarray(start, end)];
  const [starts, means] = [shown.times, valuesOf(shown)];
  // For a part of the line, the newest known value may be a mean.
  const latest =
    newest.time < window.to
      ? { timestamp: newest.time, value: newest.value }
      : { timestamp: starts.at(-1) ?? Number.NaN, value: means.at(-1) ?? Number.NaN };
  const shape = drawBand({ window, step, latest }, { starts, means, lows, highs });
  return { shape, points: shown, band: { step: timeStep(step), lows, highs } };
}
