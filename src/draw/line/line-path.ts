/** Lines and areas as SVG path data. */
import type { IndexRange } from '../time-step.ts';

/** Points joined by one line. */
interface LineRun {
  /** Path data in relative coordinates, to one decimal. */
  readonly path: string;
  /** The length of the path in pixels; 0 for a single point. */
  readonly length: number;
  /** The x coordinate of the first point. */
  readonly startX: number;
}

/** Pixels, none of which are negative, in whole tenths: much faster than `Math.round`. */
export function tenthsOf(pixels: number): number {
  return (pixels * 10 + 0.5) | 0;
}

/** The place of a run of steps, in pixels. */
interface EdgePlace extends IndexRange {
  /** Its ends, and the middle of each step. */
  readonly left: number;
  readonly right: number;
  readonly middles: Float64Array;
  readonly yAt: (value: number) => number;
}

/** The values of some steps as vertices: one in the middle of each step, and one at either end of all. */
export function edgeOf(
  values: Float64Array,
  { start, end, left, right, middles, yAt }: EdgePlace,
): Int32Array {
  const vertices = new Int32Array(2 * (end - start) + 4);
  let at = 2;
  for (let index = start; index < end; index++) {
    vertices[at++] = tenthsOf(middles[index] ?? 0);
    vertices[at++] = tenthsOf(yAt(values[index] ?? 0));
  }
  vertices[0] = tenthsOf(left);
  vertices[1] = vertices[3] ?? 0;
  vertices[at] = tenthsOf(right);
  vertices[at + 1] = vertices[at - 1] ?? 0;
  return vertices;
}

/** Writes vertices, x and y in turn and in tenths of pixels, as one run. */
export function encodeRun(vertices: Int32Array, start = 0, end = vertices.length): LineRun {
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
