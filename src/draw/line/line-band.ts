/** A line over a long time: the mean of each step, within a band from its lowest to its highest value. */
import { type DataWindow, lastTimeOf, type StepName, steps } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { type IndexRange, stepRuns, timeStep } from '../time-step.ts';
import { edgeOf, encodeRun } from './line-path.ts';
import { drawEnd, type LineDrawing, type LineLook, type LineShape, lineJoints } from './line-shape.ts';

/** The part of a line to draw. */
interface LineBandOptions {
  readonly window: DataWindow;
  readonly step: StepName;
  /** Newest point. */
  readonly latest: { readonly timestamp: number; readonly value: number };
}

/** Steps of a line that have points, as in `/api/v2/series`; the arrays are parallel. */
interface BandColumns {
  /** Starts of the steps, in Unix milliseconds; the first may lie before the window. */
  readonly starts: Float64Array;
  readonly means: Float64Array;
  readonly lows: Float64Array;
  readonly highs: Float64Array;
}

/** Makes a line of means with its band. */
export function bandOf({ window, step, latest }: LineBandOptions, columns: BandColumns): LineShape {
  const { starts } = columns;
  const [means, lows, highs] = [columns.means.map(clamp), columns.lows.map(clamp), columns.highs.map(clamp)];
  // Steps with only one value each always count as whole.
  const hasOneValue = (index: number) => index in lows && lows[index] === highs[index];
  const whole = wholeSteps(
    starts,
    { window, stepMs: steps[step] },
    (index, neighbour) => hasOneValue(index) && hasOneValue(neighbour),
  );
  const shown = means.subarray(whole.start, whole.end);
  const drawn = { starts, means, lows, highs };
  return {
    window,
    pointCount: starts.length,
    low: lowestOf(lows),
    high: highestOf(highs),
    highs,
    latestTimestamp: latest.timestamp,
    latestValue: clamp(latest.value),
    endValue: shown.at(-1) ?? Number.NaN,
    indexBase: shown.find((mean) => mean !== 0),
    means: { ...whole, step: timeStep(step), low: lowestOf(shown), high: highestOf(shown), highs: means },
    draw(look, drawing) {
      return drawBand(this, drawn, look, drawing);
    },
  };
}

/**
 * Finds the steps whose means are shown: the first and last are left out if less than nine tenths of them lie
 * in the window, because the mean of half a day depends mostly on the time of day. If no step is whole, all
 * are shown. `isSure` tells that the step at an index counts as whole.
 */
export function wholeSteps(
  starts: Float64Array,
  { window, stepMs }: { readonly window: DataWindow; readonly stepMs: number },
  isSure: (index: number, neighbour: number) => boolean = () => false,
): IndexRange {
  const isWhole = (index: number, neighbour: number) => {
    const start = starts[index] ?? 0;
    const lengthMs = Math.min(lastTimeOf(window), start + stepMs) - Math.max(window.from, start);
    return lengthMs >= 0.9 * stepMs || isSure(index, neighbour);
  };
  const first = starts.findIndex((_, index) => isWhole(index, index + 1));
  if (first === -1) return { start: 0, end: starts.length };
  return { start: first, end: starts.findLastIndex((_, index) => isWhole(index, index - 1)) + 1 };
}

// Loops are used, because array functions would allocate an object for each number.

function lowestOf(values: Float64Array): number {
  let low = Number.POSITIVE_INFINITY;
  for (const value of values) low = Math.min(low, value);
  return low;
}

function highestOf(values: Float64Array): number {
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) high = Math.max(high, value);
  return high;
}

/** Draws the means as a line, with the band if the picture has it. Steps without points are gaps. */
function drawBand(
  shape: LineShape,
  { starts, lows, highs, means }: BandColumns,
  look: LineLook,
  drawing: LineDrawing,
): string {
  const { ink, hasBand = true, yAt } = look;
  const { xAt, paint } = drawing;
  const { step, ...whole } = shape.means ?? { step: { ms: 0 }, start: 0, end: 0 };
  const { middles: times, startOf, endOf, runs } = stepRuns(starts, step.ms, shape);
  const middles = times.map(xAt);
  let outlines = '';
  let lines = '';
  for (const run of runs) {
    const edge = (values: Float64Array, { start, end } = run) => {
      const [left, right] = [xAt(startOf(start)), xAt(endOf(end - 1))];
      return edgeOf(values, { start, end, left, right, middles, yAt });
    };
    if (hasBand) outlines += outlineOf(edge(highs), edge(lows));
    const part = { start: Math.max(run.start, whole.start), end: Math.min(run.end, whole.end) };
    if (part.start < part.end) lines += encodeRun(edge(means, part)).path;
  }
  const area = hasBand ? `<path d="${outlines}"${paint.fill(ink)} fill-opacity=".2"/>` : '';
  return `${area}<path d="${lines}"${paint.stroke(ink)}${lineJoints(drawing)}/>${drawEnd(shape, look, drawing)}`;
}

/** Returns the outline between two edges: along the upper edge, and back along the lower. */
function outlineOf(upper: Int32Array, lower: Int32Array): string {
  const { length } = upper;
  const vertices = new Int32Array(2 * length);
  vertices.set(upper);
  for (let at = 0; at < length; at += 2) {
    vertices[length + at] = lower[length - at - 2] ?? 0;
    vertices[length + at + 1] = lower[length - at - 1] ?? 0;
  }
  return `${encodeRun(vertices).path}Z`;
}
