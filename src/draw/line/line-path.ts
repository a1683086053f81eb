/** Renders lines and areas as SVG path data. */
import type { IndexRange } from '../time-step.ts';

/** A polyline. */
interface LineRun {
  /** Path data in relative coordinates, with one decimal. */
  readonly path: string;
  /** Length of the path in pixels; 0 for a single point. */
  readonly length: number;
  /** x coordinate of the first point. */
  readonly startX: number;
}

/** Converts pixels, which must not be negative, to rounded tenths; much faster than `Math.round`. */
export function tenthsOf(pixels: number): number {
  return (pixels * 10 + 0.5) | 0;
}

/** Place of a run of steps, in pixels. */
interface EdgePlace extends IndexRange {
  /** Left and right end of the run, and the middle of each step. */
  readonly left: number;
  readonly right: number;
  readonly middles: Float64Array;
  readonly yAt: (value: number) => number;
}

/**
 * Converts the values of steps to vertices: one in the middle of each step, and one at each end of the run.
 */
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

/** Encodes vertices, given as alternating x and y in tenths of a pixel, as one path. */
export function encodeRun(vertices: Int32Array, start = 0, end = vertices.length): LineRun {
  // Writes bytes: hundreds of small strings would take twice the time and create five times the garbage.
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
    // A horizontal stretch needs only its last vertex.
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

/** Writes a number of tenths (-12 as -1.2, 5 as .5); returns the index after it. */
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

// ASCII codes.
const move = 77;
const line = 108;
const across = 104;
const down = 118;
const space = 32;
const minus = 45;
const point = 46;
const zero = 48;
const ascii = new TextDecoder();

/** Enough for a letter, a sign, the digits and a point, because pictures are at most 1600 pixels wide. */
const maxNumberBytes = 10;
