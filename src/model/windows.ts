/** Sets of windows of time: the windows are in ascending order, and no two of them overlap or touch. All times are Unix milliseconds. */
import { type DataWindow, firstFrom } from './window.ts';

/** A set of windows. */
export type Windows = readonly DataWindow[];

/** The most windows that a chart can have. */
export const maxWindows = 1000;

/** Adds a window, and joins it with those that it overlaps or touches. */
export function addWindow(windows: Windows, added: DataWindow): Windows {
  const before = windows.filter(({ to }) => to < added.from);
  const after = windows.filter(({ from }) => from > added.to);
  const touched = windows.slice(before.length, windows.length - after.length);
  const from = Math.min(added.from, touched[0]?.from ?? added.from);
  const to = Math.max(added.to, touched.at(-1)?.to ?? added.to);
  return [...before, { from, to }, ...after];
}

/**
 * Cuts times out of windows. If that leaves more windows than a chart can have, the shortest windows between two of the times are dropped, so that
 * an import of many points is possible.
 * @param times in ascending order.
 * @returns the same windows if none of the times lies in them.
 */
export function cutOut(windows: Windows, times: Float64Array): Windows {
  const left: DataWindow[] = [];
  const between: DataWindow[] = [];
  let isChanged = false;
  for (const { from: start, to } of windows) {
    let from = start;
    for (let at = firstFrom(times, start); at < times.length; at++) {
      const time = times[at] ?? to;
      if (time >= to) break;
      if (time > from) left.push({ from, to: time });
      if (time > from && from > start) between.push({ from, to: time });
      from = time + 1;
      isChanged = true;
    }
    if (from < to) left.push({ from, to });
  }
  if (!isChanged) return windows;
  return left.length > maxWindows ? withoutShortest(left, between) : left;
}

/** Drops windows, the shortest first, until half of the room is free for the rest of the same import. */
function withoutShortest(windows: Windows, optional: Windows): Windows {
  const byLength = optional.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  const starts = new Set(byLength.slice(0, windows.length - maxWindows / 2).map(({ from }) => from));
  return windows.filter(({ from }) => !starts.has(from));
}

/** True if a time lies in one of the windows. */
export function liesIn(windows: Windows, time: number): boolean {
  return windows.some(({ from, to }) => time >= from && time < to);
}

/** The last time up to which nothing is missing behind a time: the end of the window that begins there, or the time itself. */
export function endOfWindowBehind(windows: Windows, time: number): number {
  const window = windows.find(({ from, to }) => from <= time + 1 && to > time + 1);
  return window === undefined ? time : window.to - 1;
}

/** The parts of a window between those of a set. */
export function gapsBetween(windows: Windows, { from, to }: DataWindow): Windows {
  const gaps: DataWindow[] = [];
  let start = from;
  for (const window of windows) {
    const end = Math.min(window.from, to);
    if (end > start) gaps.push({ from: start, to: end });
    start = Math.max(start, window.to);
  }
  if (start < to) gaps.push({ from: start, to });
  return gaps;
}
