/** How many points of a line have to be asked for, so that they cover a range. */
import { type Range, rangeMs } from '../../draw/range.ts';
import type { Points } from '../../model/points.ts';

/** The newest points of a line, as far back as they were wanted. */
export interface LineHistory {
  readonly points: Points;
  /** How many were asked for. */
  readonly maxElements: number;
  /** Whether the server has no older ones: it gave less than was asked for. */
  readonly isAll: boolean;
}

/** What a server answered. */
export interface HistoryAnswer {
  readonly points: Points;
  /** Of all entries: those without a value are no points. */
  readonly entryCount: number;
}

/** Points come every half hour, on most charts. */
const usualIntervalMs = 30 * 60 * 1000;

/** More are never asked for: a page has to hold them. */
const mostElements = 1_000_000;

/** How many points cover a range where they come every half hour. */
export function maxElementsFor(range: Range): number {
  return Math.min(rangeMs(range) / usualIntervalMs + 1, mostElements);
}

/** Whether points that are here are all that a range needs. */
export function coversRange(history: LineHistory, range: Range): boolean {
  return nextMaxElements(history, range) === undefined;
}

/** Reads the points of a range; where a chart is denser than usual, it asks for more until they suffice. */
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

/** How many to ask for next; undefined where there are enough, or no more. */
function nextMaxElements({ points, maxElements, isAll }: LineHistory, range: Range): number | undefined {
  const wantedMs = rangeMs(range);
  const haveMs = (points.timestamps.at(-1) ?? 0) - (points.timestamps[0] ?? 0);
  if (isAll || haveMs >= wantedMs || maxElements >= mostElements) return undefined;
  const usual = maxElementsFor(range);
  if (maxElements < usual) return usual;
  const estimate = Math.ceil((maxElements * wantedMs * 1.05) / Math.max(haveMs, 1));
  return Math.min(Math.max(estimate, maxElements * 2), maxElements * 64, mostElements);
}
