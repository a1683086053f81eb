/** Reads the points of a line that a picture shows, however dense they are. */
import { formatExact } from '../../draw/format.ts';
import { type Range, rangeMs } from '../../draw/range.ts';
import type { MetricsView } from '../../model/metrics-reader.ts';
import { concatPoints, type Points, slicePoints } from '../../model/points.ts';

/** A line chart and how much of it is wanted. */
export interface LineRequest {
  readonly pluginId: number;
  readonly chartId: string;
  readonly range: Range;
}

/** The points of a line within a range. */
export interface LoadedLine {
  /**
   * Where the range begins, in Unix milliseconds: countWords back from the newest point, but not before the first point that
   * the chart has.
   */
  readonly from: number;
  /** The time of the newest point. */
  readonly to: number;
  /** True if points of the range are left out, because there are more than {@link maxPointCount}. */
  readonly isCut: boolean;
  /** The newest points, within the range or not: some hundred, or all that there are. */
  readonly newest: Points;
  /** The points from `from` to `to` in ascending runs; each takes less than a millisecond to decode when it is taken. */
  readonly runs: Iterable<Points>;
}

/** The half-hourly points of a range, one before it included; more are read where a chart is denser. */
const usualIntervalMs = 30 * 60 * 1000;

/** Up to this many points are read in one go, in a fraction of a millisecond. */
const maxSmallCount = 8000;

/** How many of the newest points are read where all are too many for one go. */
const newestCount = 128;

const growth = 4;

/** Most points of a line that are read: fetching the chunks of as many takes some ten milliseconds in one go. */
export const maxPointCount = 1_000_000;

/** Note for the title of lines that do not show all points of their range; empty if they do. */
export function cutWords(lines: readonly (LoadedLine | undefined)[]): string {
  return lines.some((line) => line?.isCut) ? ` (newest ${formatExact(maxPointCount)} points)` : '';
}

/**
 * The points of a line chart; undefined for one that has none, or is no line chart. Rejects as `readChartData` does, and
 * taking a run throws as there.
 */
export async function loadLine(view: MetricsView, request: LineRequest): Promise<LoadedLine | undefined> {
  const lengthMs = rangeMs(request.range);
  const usualCount = Math.min(lengthMs / usualIntervalMs + 1, Number.MAX_SAFE_INTEGER);
  if (usualCount > maxSmallCount) return loadDenseLine(view, request, usualCount);
  const points = concatPoints([...(await loadRuns(view, request, usualCount)).runs]);
  const { timestamps } = points;
  const [first] = timestamps;
  const to = timestamps.at(-1);
  if (first === undefined || to === undefined) return undefined;
  if (timestamps.length === usualCount && first > to - lengthMs)
    return loadDenseLine(view, request, usualCount * growth);
  const from = Math.max(first, to - lengthMs);
  return { from, to, isCut: false, newest: points, runs: [pointsWithin(points, from, to)] };
}

/** Asks for more until the range is covered; only the first run of what came before is decoded. */
async function loadDenseLine(
  view: MetricsView,
  request: LineRequest,
  startCount: number,
): Promise<LoadedLine | undefined> {
  const newest = concatPoints([...(await loadRuns(view, request, newestCount)).runs]);
  const to = newest.timestamps.at(-1);
  if (to === undefined) return undefined;
  const start = to - rangeMs(request.range);
  let before = Number.NaN;
  for (let count = Math.min(startCount, maxPointCount); ; count = Math.min(count * growth, maxPointCount)) {
    const data = await loadRuns(view, request, count);
    const runs = data.runs[Symbol.iterator]();
    const head = runs.next();
    const first = head.done === true ? undefined : head.value.timestamps[0];
    if (head.done === true || first === undefined) return undefined;
    // The first point that the chart has stays the first, however many are asked for.
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
  return slicePoints(points, countBefore(timestamps, from), countBefore(timestamps, to + 1));
}

/** How many of ascending timestamps are before a time. */
function countBefore(timestamps: Float64Array, time: number): number {
  let start = 0;
  let end = timestamps.length;
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((timestamps[middle] ?? 0) < time) start = middle + 1;
    else end = middle;
  }
  return start;
}
