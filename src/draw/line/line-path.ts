/** The columns of a line as SVG path data. */
import { madeOnce, tenthsText } from '../svg.ts';
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
    vertices[end++] = Math.round(xAt(isLowFirst ? lowTimestamp : highTimestamp) * 10);
    vertices[end++] = Math.round(yAt(isLowFirst ? low : high) * 10);
    if (lowTimestamp === highTimestamp) continue;
    vertices[end++] = Math.round(xAt(isLowFirst ? highTimestamp : lowTimestamp) * 10);
    vertices[end++] = Math.round(yAt(isLowFirst ? high : low) * 10);
  }
  vertices[end++] = Math.round(xAt(columns.latestTimestamp) * 10);
  vertices[end++] = Math.round(yAt(columns.latestValue) * 10);
  runs.push(lineRun(vertices, start, end));
  return runs;
}

function lineRun(vertices: Int32Array, start: number, end: number): LineRun {
  const startX = vertices[start] ?? 0;
  let x = startX;
  let y = vertices[start + 1] ?? 0;
  let path = `M${tenthsText(x)} ${tenthsText(y)}`;
  let length = 0;
  for (let index = start + 2; index < end; index += 2) {
    const dx = (vertices[index] ?? 0) - x;
    const dy = (vertices[index + 1] ?? 0) - y;
    x += dx;
    y += dy;
    if (dx !== 0 && dy !== 0) {
      path += across(dx) + down(dy);
      length += Math.sqrt(dx * dx + dy * dy);
    } else if (dx !== 0) {
      path += `h${tenthsText(dx)}`;
      length += dx;
    } else if (dy !== 0) {
      path += `v${tenthsText(dy)}`;
      length += Math.abs(dy);
    }
  }
  return { path: length === 0 ? `${path}h0` : path, length: length / 10, startX: startX / 10 };
}

// The steps of a line that is neither level nor upright: l1.2-3.4.
const across = madeOnce((tenths) => `l${tenthsText(tenths)}`);
const down = madeOnce((tenths) => (tenths < 0 ? tenthsText(tenths) : ` ${tenthsText(tenths)}`));
