/** Fetches as many points of a line as cover a range. */
import { type Range, rangeMs } from '../../../draw/range.ts';
import type { Points } from '../../../model/points.ts';

/** The newest points of a line, as far back as needed. */
export interface LineHistory {
  readonly points: Points;
  /** The number of points that was asked for. */
  readonly maxElements: number;
  /** True if the server has no older points: it sent fewer than asked for. */
  readonly isAll: boolean;
}

/** An answer with points. */
interface HistoryAnswer {
  readonly points: Points;
  /** Number of entries; those without a value are not among the points. */
  readonly entryCount: number;
}

/** The usual interval of points: half an hour. */
const usualIntervalMs = 30 * 60 * 1000;

/** Most points to ask for: a page has to hold them. */
const mostElements = 1_000_000;

/** The number of half-hourly points that cover a range. */
function maxElementsFor(range: Range): number {
  return Math.min(rangeMs(range) / usualIntervalMs + 1, mostElements);
}

/** True if the points that have been fetched cover a range. */
export function coversRange(history: LineHistory, range: Range): boolean {
  return nextMaxElements(history, range) === undefined;
}

/** Fetches the points of a range. If a chart is denser than usual, it asks for more until they cover the range. */
export async function fetchHistory(
  range: Range,
  read: (maxElements: number) => Promise<HistoryAnswer>,
): Promise<LineHistory> {
  let wanted: number | undefined = maxElementsFor(range);
  for (;;) {
    const { points, entryCount }: HistoryAnswer = await read(wanted);
    const history = { points, maxElements: wanted, isAll: entryCount < wanted };
    wanted = nextMaxElements(history, range);
    if (wanted === undefined) return history;
  }
}

/** The number of points to ask for next; undefined if there are enough, or no more. */
function nextMaxElements({ points, maxElements, isAll }: LineHistory, range: Range): number | undefined {
  const wantedMs = rangeMs(range);
  const haveMs = (points.timestamps.at(-1) ?? 0) - (points.timestamps[0] ?? 0);
  if (isAll || haveMs >= wantedMs || maxElements >= mostElements) return undefined;
  const usual = maxElementsFor(range);
  if (maxElements < usual) return usual;
  const estimate = Math.ceil((maxElements * wantedMs * 1.05) / Math.max(haveMs, 1));
  return Math.min(Math.max(estimate, maxElements * 2), maxElements * 64, mostElements);
}
