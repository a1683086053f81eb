/** Loads the points of a line in a range, at any density. */
import { formatExact } from '../../draw/format.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { concatPoints, copyPoints, type Points, slicePoints } from '../../model/points.ts';
import { type Period, ranges } from '../../model/window.ts';
import { firstFrom } from '../../series/steps.ts';

/** A line chart and a range of it. */
export interface LineRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly range: Period;
}

/** The points of a line within a range. */
export interface LoadedLine {
  /**
   * The start of the range in Unix milliseconds: counted back from the newest point, but not before the first point of the chart.
   */
  readonly from: number;
  /** The time of the newest point, or the last time of a window that ends before it. */
  readonly to: number;
  /** True if points of the range are left out, because there are more than {@link maxPointCount}. */
  readonly isCut: boolean;
  /** The newest points, in the range or not: their intervals say which gaps the line bridges. */
  readonly newest: Points;
  /** The points from `from` to `to` in ascending runs. A run is decoded when it is taken, and valid until the next one is. */
  readonly runs: Iterable<Points>;
}

/** The usual interval of points. If a chart is denser, more points are read. */
const usualIntervalMs = 30 * 60 * 1000;

/** Most points to read at once, in a fraction of a millisecond. */
const maxSmallCount = 8000;

/** The number of newest points that are read if all are too many to read at once. */
const newestCount = 128;

const growth = 4;

/** Most points of a line to read: fetching their chunks takes tens of milliseconds at once. */
export const maxPointCount = 1_000_000;

/** The note in the title of lines that leave points of their range out; '' if they do not. */
export function cutWords(lines: readonly (object | undefined)[]): string {
  return lines.some((line) => line !== undefined && 'isCut' in line && line.isCut === true)
    ? ` (newest ${formatExact(maxPointCount)} points)`
    : '';
}

/**
 * Loads the points of a line; undefined for a chart that has none, or is no line. Rejects as `readChartData` does, and so does
 * taking a run.
 */
export async function loadLine(view: MetricsView, request: LineRequest): Promise<LoadedLine | undefined> {
  if (typeof request.range !== 'string') return loadDenseLine(view, request, newestCount);
  const lengthMs = ranges[request.range];
  const usualCount = Math.min(lengthMs / usualIntervalMs + 1, Number.MAX_SAFE_INTEGER);
  if (usualCount > maxSmallCount) return loadDenseLine(view, request, usualCount);
  const points = concatPoints(Array.from((await loadRuns(view, request, usualCount)).runs, copyPoints));
  const { timestamps } = points;
  const [first] = timestamps;
  const to = timestamps.at(-1);
  if (first === undefined || to === undefined) return undefined;
  if (timestamps.length === usualCount && first > to - lengthMs)
    return loadDenseLine(view, request, usualCount * growth);
  const from = Math.max(first, to - lengthMs);
  return { from, to, isCut: false, newest: points, runs: [pointsWithin(points, from, to)] };
}

/** Loads more and more points until the range is covered. Of each try only the first run is decoded. */
async function loadDenseLine(
  view: MetricsView,
  request: LineRequest,
  startCount: number,
): Promise<LoadedLine | undefined> {
  const newest = concatPoints(Array.from((await loadRuns(view, request, newestCount)).runs, copyPoints));
  const last = newest.timestamps.at(-1);
  if (last === undefined) return undefined;
  const { range } = request;
  const isWindow = typeof range !== 'string';
  const to = isWindow ? Math.min(last, range.to - 1) : last;
  const start = isWindow ? range.from : last - ranges[range];
  let before = Number.NaN;
  for (let count = Math.min(startCount, maxPointCount); ; count = Math.min(count * growth, maxPointCount)) {
    const data = await loadRuns(view, request, count);
    const runs = data.runs[Symbol.iterator]();
    const head = runs.next();
    const first = head.done === true ? undefined : head.value.timestamps[0];
    if (head.done === true || first === undefined) return undefined;
    // If a larger try begins with the same point, it is the first of the chart.
    if (first > start && first !== before && count < maxPointCount) before = first;
    else {
      const from = Math.max(first, start);
      const isCut = first > start && data.pointCount === maxPointCount;
      return { from, to, isCut, newest, runs: runsWithin(head.value, runs, { from, to }) };
    }
  }
}

async function loadRuns(
  view: MetricsView,
  { pluginId, chartId }: LineRequest,
  count: number,
): Promise<{ readonly pointCount: number; readonly runs: Iterable<Points> }> {
  const data = await view.readChartData(pluginId, chartId, count);
  return data.storage === 'series' ? data : { pointCount: 0, runs: [] };
}

function* runsWithin(
  head: Points,
  rest: Iterator<Points>,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<Points> {
  yield pointsWithin(head, from, to);
  for (let next = rest.next(); next.done !== true; next = rest.next())
    yield pointsWithin(next.value, from, to);
}

/** A view of the points from one time to another, both included. */
function pointsWithin(points: Points, from: number, to: number): Points {
  const { timestamps } = points;
  return slicePoints(points, firstFrom(timestamps, from), firstFrom(timestamps, to + 1));
}
