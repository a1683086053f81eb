/** Reduces a line to what a picture can show: the lowest and highest point of each column. */
import { type Columns, valuesOf } from '../../model/columns.ts';
import { type DataWindow, dayMs, firstFrom, lengthOf } from '../../model/window.ts';
import { clamp } from '../clamp.ts';
import { coordinate } from '../svg.ts';
import { gapLimitMs } from '../time-step.ts';
import { encodeRun, tenthsOf } from './line-path.ts';
import { drawEnd, type LineDrawing, type LineLook, type LineShape, lineJoints } from './line-shape.ts';

/** Window and resolution of the line. */
interface LineColumnsOptions {
  /** Points outside the window are ignored. */
  readonly window: DataWindow;
  /** About one column per two pixels of the picture: see `columnCountFor`. */
  readonly columnCount: number;
}

/** Returns the number of columns for a picture width in pixels. */
export function columnCountFor(width: number): number {
  return Math.max(1, Math.round(width / 2));
}

/** Vertices of a line, in order of time. */
interface Vertices {
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Indexes of vertices that are not joined to the previous one. */
  readonly starts: readonly number[];
}

/**
 * Reduces finite points in ascending order. No peak is lost, and memory depends only on the number of
 * columns.
 */
export function columnsOf(points: Columns, { window, columnCount }: LineColumnsOptions): LineShape {
  const { from, to } = window;
  const lengthMs = lengthOf(window);
  const [timestamps, values] = [points.times, valuesOf(points)];
  const start = firstFrom(timestamps, from);
  const end = firstFrom(timestamps, to);
  // A gap within one column is too narrow to be visible.
  const columnMs = lengthMs / columnCount;
  // Room for the lowest and highest point of each column, and the newest point.
  const times = new Float64Array(2 * columnCount + 1);
  const kept = new Float64Array(2 * columnCount + 1);
  const starts: number[] = [];
  const highs = new Float64Array(columnCount);
  let keptCount = 0;
  let highCount = 0;
  const keep = (index: number) => {
    times[keptCount] = timestamps[index] ?? 0;
    kept[keptCount++] = clamp(values[index] ?? 0);
  };
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let column = 0;
  let columnEnd = from;
  for (let index = start; index < end; ) {
    const timestamp = timestamps[index] ?? 0;
    // The last column includes the end.
    while (timestamp >= columnEnd && column < columnCount)
      columnEnd = ++column === columnCount ? to : from + (column / columnCount) * lengthMs;
    const interval = timestamp - (timestamps[index - 1] ?? 0);
    if (index === start || (interval > columnMs && interval > gapLimitMs(timestamps, index)))
      starts.push(keptCount);
    let lowest = index;
    let highest = index;
    for (index++; index < end && (timestamps[index] ?? 0) < columnEnd; index++) {
      const value = values[index] ?? 0;
      if (value < (values[lowest] ?? 0)) lowest = index;
      else if (value > (values[highest] ?? 0)) highest = index;
    }
    keep(Math.min(lowest, highest));
    if (lowest !== highest) keep(Math.max(lowest, highest));
    low = Math.min(low, clamp(values[lowest] ?? 0));
    const top = clamp(values[highest] ?? 0);
    highs[highCount++] = top;
    high = Math.max(high, top);
  }
  if (start < end) keep(end - 1);
  const drawn = { times: times.subarray(0, keptCount), values: kept.subarray(0, keptCount), starts };
  const latestValue = drawn.values.at(-1) ?? Number.NaN;
  return {
    window,
    pointCount: end - start,
    low,
    high,
    latestTimestamp: drawn.times.at(-1) ?? Number.NEGATIVE_INFINITY,
    latestValue,
    endValue: latestValue,
    highs: highs.subarray(0, highCount),
    get indexBase() {
      return firstDayMean(points, start, end);
    },
    draw(look, drawing) {
      return drawColumns(this, drawn, look, drawing);
    },
  };
}

/** Returns the mean of the day that begins with the first nonzero value. */
function firstDayMean(points: Columns, start: number, end: number): number | undefined {
  const [timestamps, values] = [points.times, valuesOf(points)];
  let first = start;
  while (first < end && values[first] === 0) first++;
  const dayEnd = Math.min(end, firstFrom(timestamps, (timestamps[first] ?? 0) + dayMs));
  let sum = 0;
  for (let index = first; index < dayEnd; index++) sum += clamp(values[index] ?? 0);
  return sum === 0 ? undefined : sum / (dayEnd - first);
}

/** Draws a line, the area under it, and a dot at its newest point. */
function drawColumns(
  shape: LineShape,
  { times, values, starts }: Vertices,
  look: LineLook,
  drawing: LineDrawing,
): string {
  const { ink, hasArea, yAt } = look;
  const { xAt, paint } = drawing;
  const vertices = new Int32Array(2 * times.length);
  for (let index = 0; index < times.length; index++) {
    vertices[2 * index] = tenthsOf(xAt(times[index] ?? 0));
    vertices[2 * index + 1] = tenthsOf(yAt(values[index] ?? 0));
  }
  // Line and area share one path, which halves the size. A dash of the exact length of the line keeps the
  // rest of the outline invisible.
  const paths = starts.map((start, index) => {
    const { path, length, startX } = encodeRun(vertices, 2 * start, 2 * (starts[index + 1] ?? times.length));
    if (length === 0) return `<path d="${path}" stroke-width="${dotSize}" stroke-linecap="round"/>`;
    const area = hasArea ? `V${coordinate(yAt(0))}H${coordinate(startX)}` : '';
    const dashes = hasArea ? ` stroke-dasharray="${coordinate(length)} 99999"` : '';
    return `<path d="${path}${area}"${dashes}/>`;
  });
  const colours = hasArea ? `${paint.fillAndStroke(ink)} fill-opacity=".1"` : paint.stroke(ink);
  return `<g${colours}${lineJoints(drawing)}>${paths.join('')}</g>${drawEnd(shape, look, drawing)}`;
}

/** Diameter of a point between two gaps, in pixels. */
const dotSize = 3;
