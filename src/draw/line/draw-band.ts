/** Draws a line of means in its band. */
import { type IndexRange, intervalOf, runsOfTimes, type TimeStep } from '../time-step.ts';
import { drawEnd, lineJoints } from './draw-columns.ts';
import { encodeRun, tenthsOf } from './line-path.ts';
import type { LineDrawing, LineLook, LineShape } from './line-shape.ts';

/** The steps of a band that have points, an element of each column for each. */
export interface DrawnSteps {
  /** Their beginnings, in Unix milliseconds; that of the first may be before the range. */
  readonly starts: Float64Array;
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  readonly means: Float64Array;
  /**
   * Those whose means are drawn. The first and the last step are not among them if the range has less than nine tenths of them: the mean of half
   * a day says more about the time of the day than about the day.
   */
  readonly whole: IndexRange;
}

/** A line by step. */
export interface BandShape extends LineShape {
  readonly step: TimeStep;
  readonly drawn: DrawnSteps;
}

/** Draws the means as a line, in the band if the picture has it. Steps without points are a gap. */
export function drawBand(band: BandShape, look: LineLook, drawing: LineDrawing): string {
  const { ink, dash, hasBand = true, yAt } = look;
  const { xAt, paint } = drawing;
  const { from, to, step, drawn } = band;
  const { starts, lows, highs, means, whole } = drawn;
  const ends = endsOf(starts, { from, to, stepMs: step.ms }, xAt);
  const meanYs = ysOf(means, yAt);
  const [lowYs, highYs] = hasBand ? [ysOf(lows, yAt), ysOf(highs, yAt)] : [meanYs, meanYs];
  let outlines = '';
  let lines = '';
  for (const run of runsOfTimes(starts, intervalOf(starts, step.ms))) {
    if (hasBand) outlines += outlineOf(edgeOf(run, ends, highYs), edgeOf(run, ends, lowYs));
    const part = { start: Math.max(run.start, whole.start), end: Math.min(run.end, whole.end) };
    if (part.start < part.end) lines += pathOf(edgeOf(part, ends, meanYs));
  }
  const area = hasBand ? `<path d="${outlines}"${paint.fill(ink)} fill-opacity=".2"/>` : '';
  const dashes = dash === undefined ? ' stroke-linecap="round"' : ` stroke-dasharray="${dash}"`;
  return `${area}<path d="${lines}"${paint.stroke(ink)}${lineJoints(drawing)}${dashes}/>${drawEnd(band, look, drawing)}`;
}

/** The left and the right end of each step, in tenths of pixels. */
interface StepEnds {
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
}

// Loops: `map` makes an object of each number that it passes on.

function endsOf(
  starts: Float64Array,
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
  xAt: LineDrawing['xAt'],
): StepEnds {
  const lefts = new Int32Array(starts.length);
  const rights = new Int32Array(starts.length);
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index] ?? 0;
    lefts[index] = tenthsOf(xAt(Math.max(from, start)));
    rights[index] = tenthsOf(xAt(Math.min(to, start + stepMs)));
  }
  return { lefts, rights };
}

function ysOf(values: Float64Array, yAt: LineLook['yAt']): Int32Array {
  const ys = new Int32Array(values.length);
  for (let index = 0; index < values.length; index++) ys[index] = tenthsOf(yAt(values[index] ?? 0));
  return ys;
}

/** Lists the vertices of some steps, x and y in turn: one in the middle of each, and one at either end of all. */
function edgeOf({ start, end }: IndexRange, { lefts, rights }: StepEnds, ys: Int32Array): Int32Array {
  const vertices = new Int32Array(2 * (end - start) + 4);
  let at = 0;
  vertices[at++] = lefts[start] ?? 0;
  vertices[at++] = ys[start] ?? 0;
  for (let index = start; index < end; index++) {
    vertices[at++] = ((lefts[index] ?? 0) + (rights[index] ?? 0)) >> 1;
    vertices[at++] = ys[index] ?? 0;
  }
  vertices[at++] = rights[end - 1] ?? 0;
  vertices[at++] = ys[end - 1] ?? 0;
  return vertices;
}

/** The outline between two edges: along the upper one, and back along the lower one. */
function outlineOf(upper: Int32Array, lower: Int32Array): string {
  const { length } = upper;
  const vertices = new Int32Array(2 * length);
  vertices.set(upper);
  for (let at = 0; at < length; at += 2) {
    vertices[length + at] = lower[length - at - 2] ?? 0;
    vertices[length + at + 1] = lower[length - at - 1] ?? 0;
  }
  return `${pathOf(vertices)}Z`;
}

function pathOf(vertices: Int32Array): string {
  return encodeRun(vertices, 0, vertices.length).path;
}
