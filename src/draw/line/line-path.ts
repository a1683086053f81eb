/** The columns of a line as SVG path data. */
import type { LineShape } from './line-shape.ts';

/** The lowest and the highest point of each column of a line. */
export interface ColumnPoints {
  readonly columnCount: number;
  /** Lowest values and their times; `Infinity` in a column without points. */
  readonly lowValues: Float64Array;
  readonly lowTimestamps: Float64Array;
  /** Highest values and their times; `-Infinity` in a column without points. */
  readonly highValues: Float64Array;
  readonly highTimestamps: Float64Array;
  /** 1 for columns that are not joined to the column before. */
  readonly starts: Uint8Array;
}

/** Scales from points to pixels. */
interface PathPlace {
  readonly xAt: (timestamp: number) => number;
  readonly yAt: (value: number) => number;
}

/** Points joined by one line. */
export interface LineRun {
  /** Path data in relative coordinates, to one decimal. */
  readonly path: string;
  /** The length of the path in pixels; 0 for a single point. */
  readonly length: number;
  /** The x coordinate of the first point. */
  readonly startX: number;
}

/** The runs of a line, from left to right: the lowest and the highest point of each column, in the order of time. */
export function lineRuns(
  columns: ColumnPoints & Pick<LineShape, 'pointCount' | 'latestTimestamp' | 'latestValue'>,
  { xAt, yAt }: PathPlace,
): LineRun[] {
  const { lowValues, lowTimestamps, highValues, highTimestamps, starts, columnCount } = columns;
  if (columns.pointCount === 0) return [];
  const runs: LineRun[] = [];
  // In tenths of pixels, x and y in turn.
  const vertices = new Int32Array(4 * columnCount + 2);
  let start = 0;
  let end = 0;
  for (let column = 0; column < columnCount; column++) {
    const low = lowValues[column] ?? Number.POSITIVE_INFINITY;
    const high = highValues[column] ?? Number.NEGATIVE_INFINITY;
    if (low > high) continue;
    if (starts[column] === 1 && end > start) {
      runs.push(encodeRun(vertices, start, end));
      start = end;
    }
    const lowTimestamp = lowTimestamps[column] ?? 0;
    const highTimestamp = highTimestamps[column] ?? 0;
    const isLowFirst = lowTimestamp <= highTimestamp;
    vertices[end++] = tenthsOf(xAt(isLowFirst ? lowTimestamp : highTimestamp));
    vertices[end++] = tenthsOf(yAt(isLowFirst ? low : high));
    if (lowTimestamp === highTimestamp) continue;
    vertices[end++] = tenthsOf(xAt(isLowFirst ? highTimestamp : lowTimestamp));
    vertices[end++] = tenthsOf(yAt(isLowFirst ? high : low));
  }
  vertices[end++] = tenthsOf(xAt(columns.latestTimestamp));
  vertices[end++] = tenthsOf(yAt(columns.latestValue));
  runs.push(encodeRun(vertices, start, end));
  return runs;
}

/** Pixels, none of which are negative, in whole tenths: much faster than `Math.round`. */
export function tenthsOf(pixels: number): number {
  return (pixels * 10 + 0.5) | 0;
}

/** Writes vertices, x and y in turn and in tenths of pixels, as one run. */
export function encodeRun(vertices: Int32Array, start: number, end: number): LineRun {
  // Hundreds of small strings would take twice the time, and be garbage of five times the size.
  const bytes = new Uint8Array((end - start) * maxNumberBytes);
  const startX = vertices[start] ?? 0;
  let x = startX;
  let y = vertices[start + 1] ?? 0;
  bytes[0] = move;
  let at = putTenths(bytes, 1, x);
  bytes[at++] = space;
  at = putTenths(bytes, at, y);
  let length = 0;
  for (let index = start + 2; index < end; index += 2) {
    const dx = (vertices[index] ?? 0) - x;
    const dy = (vertices[index + 1] ?? 0) - y;
    // A level stretch needs its last vertex alone.
    if (dy === 0 && index + 2 < end && vertices[index + 3] === y) continue;
    x += dx;
    y += dy;
    if (dx === 0 && dy === 0) continue;
    bytes[at++] = dy === 0 ? across : dx === 0 ? down : line;
    if (dx !== 0) at = putTenths(bytes, at, dx);
    if (dx !== 0 && dy > 0) bytes[at++] = space;
    if (dy !== 0) at = putTenths(bytes, at, dy);
    length += Math.sqrt(dx * dx + dy * dy);
  }
  const path = ascii.decode(bytes.subarray(0, at));
  return { path: length === 0 ? `${path}h0` : path, length: length / 10, startX: startX / 10 };
}

/** Writes tenths as a number, -12 as -1.2 and 5 as .5, and returns the index after it. */
function putTenths(bytes: Uint8Array, start: number, tenths: number): number {
  let at = start;
  if (tenths < 0) bytes[at++] = minus;
  const size = Math.abs(tenths);
  const whole = (size / 10) | 0;
  const tenth = size - whole * 10;
  if (whole > 0 || tenth === 0) {
    let unit = 1;
    while (unit * 10 <= whole) unit *= 10;
    for (; unit >= 1; unit = (unit / 10) | 0) bytes[at++] = zero + (((whole / unit) | 0) % 10);
  }
  if (tenth > 0) {
    bytes[at++] = point;
    bytes[at++] = zero + tenth;
  }
  return at;
}

// ASCII.
const move = 77;
const line = 108;
const across = 104;
const down = 118;
const space = 32;
const minus = 45;
const point = 46;
const zero = 48;
const ascii = new TextDecoder();

/** Enough for a letter, a sign, the digits and a point: pictures are at most 1600 pixels wide. */
const maxNumberBytes = 10;
