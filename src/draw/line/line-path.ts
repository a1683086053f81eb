/** The columns of a line as SVG path data. */
import type { LineColumns } from './line-columns.ts';

/** From points to pixels. */
export interface PathPlace {
  readonly xAt: (timestamp: number) => number;
  readonly yAt: (value: number) => number;
  /** Longer runs are cut into pieces, each of which begins where the one before ends. Any length unless given. */
  readonly maxPointCount?: number;
}

/** Points that are joined. */
export interface LineRun {
  /** Path data in relative coordinates, to one decimal. */
  readonly path: string;
  /** How long the path is, in pixels; 0 for a single point. */
  readonly length: number;
  /** The x coordinate where it begins. */
  readonly startX: number;
}

/** The runs of a line, from left to right: the lowest and the highest point of each column, in the order of time. */
export function lineRuns(
  columns: LineColumns,
  { xAt, yAt, maxPointCount = Number.POSITIVE_INFINITY }: PathPlace,
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
      runs.push(lineRun(vertices, start, end));
      start = end;
    } else if (end - start >= 2 * maxPointCount) {
      runs.push(lineRun(vertices, start, end));
      start = end - 2;
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
  runs.push(lineRun(vertices, start, end));
  return runs;
}

/** Pixels, none of which are negative, in whole tenths: much faster than `Math.round`. */
function tenthsOf(pixels: number): number {
  return (pixels * 10 + 0.5) | 0;
}

function lineRun(vertices: Int32Array, start: number, end: number): LineRun {
  const bytes = bytesFor(end - start);
  const startX = vertices[start] ?? 0;
  let x = startX;
  let y = vertices[start + 1] ?? 0;
  bytes[0] = letters.move;
  let at = putTenths(bytes, 1, x);
  bytes[at++] = letters.space;
  at = putTenths(bytes, at, y);
  let length = 0;
  for (let index = start + 2; index < end; index += 2) {
    const dx = (vertices[index] ?? 0) - x;
    const dy = (vertices[index + 1] ?? 0) - y;
    // Of a level piece the last vertex will do.
    if (dy === 0 && index + 2 < end && vertices[index + 3] === y) continue;
    x += dx;
    y += dy;
    if (dx !== 0 && dy !== 0) {
      bytes[at++] = letters.line;
      at = putTenths(bytes, at, dx);
      if (dy > 0) bytes[at++] = letters.space;
      at = putTenths(bytes, at, dy);
      length += Math.sqrt(dx * dx + dy * dy);
    } else if (dx !== 0) {
      bytes[at++] = letters.across;
      at = putTenths(bytes, at, dx);
      length += dx;
    } else if (dy !== 0) {
      bytes[at++] = letters.down;
      at = putTenths(bytes, at, dy);
      length += Math.abs(dy);
    }
  }
  const path = ascii.decode(bytes.subarray(0, at));
  return { path: length === 0 ? `${path}h0` : path, length: length / 10, startX: startX / 10 };
}

/** Writes tenths as a number, -12 as -1.2 and 5 as .5, and gives the index behind it. */
function putTenths(bytes: Uint8Array, start: number, tenths: number): number {
  let at = start;
  if (tenths < 0) bytes[at++] = letters.minus;
  const size = Math.abs(tenths);
  const whole = (size / 10) | 0;
  const tenth = size - whole * 10;
  if (whole > 0 || tenth === 0) {
    let unit = 1;
    while (unit * 10 <= whole) unit *= 10;
    for (; unit >= 1; unit = (unit / 10) | 0) bytes[at++] = letters.zero + (((whole / unit) | 0) % 10);
  }
  if (tenth > 0) {
    bytes[at++] = letters.point;
    bytes[at++] = letters.zero + tenth;
  }
  return at;
}

const letters = {
  move: 77,
  line: 108,
  across: 104,
  down: 118,
  space: 32,
  minus: 45,
  point: 46,
  zero: 48,
} as const;
const ascii = new TextDecoder();

// A path is put together as bytes: hundreds of small strings take twice the time, and are garbage of five times its size.
let scratch = new Uint8Array(0);

/** Room for so many numbers, each with a letter, for as long as a path is made. */
function bytesFor(numberCount: number): Uint8Array {
  const size = numberCount * maxNumberBytes;
  if (scratch.length < size) scratch = new Uint8Array(size);
  return scratch;
}

/** A letter, a sign, ten digits and a point. */
const maxNumberBytes = 13;
