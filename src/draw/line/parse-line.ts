/** Parses the data of a line. Servers may send anything. */
import { orderPoints, type Points, pointsOf } from '../../model/points.ts';
import { type Period, ranges } from '../../model/window.ts';
import { columnCountFor, gapLimitMs, LineColumns } from './line-columns.ts';

/**
 * The points of `[[timestamp, value], …]` in ascending order. Other entries are left out, such as those with null; undefined if
 * none is a point.
 */
export function parseLine(data: unknown): Points | undefined {
  if (!Array.isArray(data)) return undefined;
  const entries = data.filter(isPoint);
  return entries.length === 0 && data.length > 0 ? undefined : orderPoints(pointsOf(entries));
}

/** The columns of the points in a period; a range counts back from the newest point. */
export function columnsOf(
  points: Points,
  { range, width }: { readonly range: Period; readonly width: number },
): LineColumns {
  const last = points.timestamps.at(-1) ?? 0;
  const columns = new LineColumns({
    ...(typeof range === 'string'
      ? { from: Math.max(points.timestamps[0] ?? 0, last - ranges[range]), to: last }
      : { from: range.from, to: range.to - 1 }),
    columnCount: columnCountFor(width),
    maxGapMs: gapLimitMs(points.timestamps),
  });
  columns.add(points);
  return columns;
}

function isPoint(entry: unknown): entry is [timestamp: number, value: number] {
  return Array.isArray(entry) && Number.isFinite(entry[0]) && Number.isFinite(entry[1]);
}
