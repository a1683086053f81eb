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
  const ends: StepEnds = {
    lefts: starts.map((start) => tenthsOf(xAt(Math.max(from, start)))),
    rights: starts.map((start) => tenthsOf(xAt(Math.min(to, start + step.ms)))),
  };
  const ysOf = (column: Float64Array) => column.map((value) => tenthsOf(yAt(value)));
  const meanYs = ysOf(means);
  const [lowYs, highYs] = hasBand ? [ysOf(lows), ysOf(highs)] : [meanYs, meanYs];
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
  readonly lefts: Float64Array;
  readonly rights: Float64Array;
}

/** Lists the vertices of some steps, x and y in turn: one in the middle of each, and one at either end of all. */
function edgeOf({ start, end }: IndexRange, { lefts, rights }: StepEnds, ys: Float64Array): Int32Array {
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
