/** Fetches as many of the newest points of a line as reach far enough back, from servers that have `/api/v1` alone. */
import type { Points } from '../../../model/points.ts';

/** The newest points of a line, as far back as needed. */
export interface NewestPoints {
  readonly points: Points;
  /** The number of points that was asked for. */
  readonly maxElements: number;
  /** True if the server has no older points: it sent fewer than asked for. */
  readonly isAll: boolean;
}

/** An answer with points. */
interface PointsAnswer {
  readonly points: Points;
  /** Number of entries; those without a value are not among the points. */
  readonly entryCount: number;
}

/** The usual interval of points: half an hour. */
const usualIntervalMs = 30 * 60 * 1000;

/** Most points to ask for: a page has to hold them. */
const mostElements = 1_000_000;

/** The number of half-hourly points that cover a length of time. */
function maxElementsFor(lengthMs: number): number {
  return Math.min(Math.ceil(lengthMs / usualIntervalMs) + 1, mostElements);
}

/** True if the points that have been fetched reach back this long from the newest one. */
export function coversLength(newest: NewestPoints, lengthMs: number): boolean {
  return nextMaxElements(newest, lengthMs) === undefined;
}

/** Fetches the points of a length of time. If a chart is denser than usual, it asks for more until they cover it. */
export async function fetchNewest(
  lengthMs: number,
  read: (maxElements: number) => Promise<PointsAnswer>,
): Promise<NewestPoints> {
  let wanted: number | undefined = maxElementsFor(lengthMs);
  for (;;) {
    const { points, entryCount }: PointsAnswer = await read(wanted);
    const newest = { points, maxElements: wanted, isAll: entryCount < wanted };
    wanted = nextMaxElements(newest, lengthMs);
    if (wanted === undefined) return newest;
  }
}

/** The number of points to ask for next; undefined if there are enough, or no more. */
function nextMaxElements({ points, maxElements, isAll }: NewestPoints, lengthMs: number): number | undefined {
  const haveMs = (points.timestamps.at(-1) ?? 0) - (points.timestamps[0] ?? 0);
  if (isAll || haveMs >= lengthMs || maxElements >= mostElements) return undefined;
  const usual = maxElementsFor(lengthMs);
  if (maxElements < usual) return usual;
  const estimate = Math.ceil((maxElements * lengthMs * 1.05) / Math.max(haveMs, 1));
  return Math.min(Math.max(estimate, maxElements * 2), maxElements * 64, mostElements);
}
