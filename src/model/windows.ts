/** Sets of time windows: ascending, and neither overlapping nor adjacent. All times are Unix milliseconds. */
import { type DataWindow, firstFrom } from './window.ts';

/** A set of windows. */
export type Windows = readonly DataWindow[];

/** Maximum number of windows of a chart. */
export const maxWindows = 1000;

/** Adds a window, and joins it with windows that it overlaps or touches. */
export function addWindow(windows: Windows, added: DataWindow): Windows {
  const before = windows.filter(({ to }) => to < added.from);
  const after = windows.filter(({ from }) => from > added.to);
  const touched = windows.slice(before.length, windows.length - after.length);
  const from = Math.min(added.from, touched[0]?.from ?? added.from);
  const to = Math.max(added.to, touched.at(-1)?.to ?? added.to);
  return [...before, { from, to }, ...after];
}

/**
 * Removes single times from windows, which splits the windows. If the result exceeds the limit of a chart,
 * the shortest windows between two removed times are dropped, so that importing many points is possible.
 * @param times in ascending order.
 * @returns the same windows if none of them contains one of the times.
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

/** Drops the shortest optional windows until half of the limit is free for the rest of the same import. */
function withoutShortest(windows: Windows, optional: Windows): Windows {
  const byLength = optional.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  const starts = new Set(byLength.slice(0, windows.length - maxWindows / 2).map(({ from }) => from));
  return windows.filter(({ from }) => !starts.has(from));
}

/** True if a window contains the time. */
export function liesIn(windows: Windows, time: number): boolean {
  return windows.some(({ from, to }) => time >= from && time < to);
}

/**
 * Returns the last time up to which nothing is missing after a time: the end of the window that begins right
 * after it, or the time itself.
 */
export function endOfWindowBehind(windows: Windows, time: number): number {
  const window = windows.find(({ from, to }) => from <= time + 1 && to > time + 1);
  return window === undefined ? time : window.to - 1;
}

/** Returns the parts of a window that lie between the windows of a set. */
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
