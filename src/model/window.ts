/**
 * Periods of time, given as a range or a window, the steps that divide them, and sets of windows. All times
 * are Unix milliseconds, in UTC.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Latest time that a JavaScript Date supports. */
export const maxTimestamp = 8.64e15;

/** One day in milliseconds. */
export const dayMs = 24 * hourMs;

/** Ranges, which end at the newest value, with their lengths, shortest first. */
export const ranges = {
  '1d': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
  all: Number.POSITIVE_INFINITY,
} as const;

/** Name of a range. */
export type RangeName = keyof typeof ranges;

/** Names of the ranges, shortest first. */
export const rangeNames = Object.keys(ranges) as readonly RangeName[];

/** A window of time. */
export interface DataWindow {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The last time of a window. */
export function lastTimeOf({ to }: DataWindow): number {
  return to - 1;
}

/** The time from the first to the last time of a window, in milliseconds. */
export function lengthOf(window: DataWindow): number {
  return lastTimeOf(window) - window.from;
}

/** The window before another one, as long as that. */
export function windowBefore({ from, to }: DataWindow): DataWindow {
  return { from: 2 * from - to, to: from };
}

/**
 * Rounds a window outwards to whole days, hours or minutes, whichever its length allows, so that its address
 * is short; at least ten minutes long.
 */
export function roundedWindow(from: number, to: number): DataWindow {
  const lengthMs = to - from;
  const unitMs = lengthMs >= 4 * dayMs ? dayMs : lengthMs >= 6 * hourMs ? hourMs : minuteMs;
  const start = Math.max(0, Math.floor(from / unitMs) * unitMs);
  return { from: start, to: Math.max(Math.ceil(to / unitMs) * unitMs, start + 10 * minuteMs) };
}

/** A period of time: a range or a window. */
export type Period = RangeName | DataWindow;

/** Times of the first and the last value of one or several charts. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Returns the combined span of several charts; undefined without spans. */
export function spanOver(spans: readonly Span[]): Span | undefined {
  if (spans.length === 0) return undefined;
  return {
    first: Math.min(...spans.map(({ first }) => first)),
    last: Math.max(...spans.map(({ last }) => last)),
  };
}

/**
 * Returns the window of a period over values from `first` to `last`, both inclusive. A range begins at
 * `first` at the earliest.
 */
export function windowOver(period: Period, { first, last }: Span): DataWindow {
  if (typeof period !== 'string') return period;
  return { from: Math.max(first, last - ranges[period]), to: last + 1 };
}

/** As {@link windowOver}, but the window also ends with the last value; it is never empty. */
export function windowUpTo(period: Period, span: Span): DataWindow {
  const { from, to } = windowOver(period, span);
  return { from, to: Math.max(from + 1, Math.min(to, span.last + 1)) };
}

/** Returns the window of a period over the combined span of several charts. */
export function windowOverAll(period: Period, spans: readonly Span[]): DataWindow {
  return windowOver(period, spanOver(spans) ?? { first: 0, last: 0 });
}

/** True if the span of a chart overlaps a window. */
export function mayBeIn(window: DataWindow, span: Span | undefined): boolean {
  return span !== undefined && span.last >= window.from && span.first < window.to;
}

/** Compares periods. */
export function isSamePeriod(a: Period, b: Period): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.from === b.from && a.to === b.to;
}

/** Steps with their lengths, shortest first. */
export const steps = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
} as const;

/** Name of a step. */
export type StepName = keyof typeof steps;

/** Monday, 5 January 1970: weeks begin on Monday. */
const firstMonday = 4 * dayMs;

/** Nominal length that stands for a calendar month. */
export const monthMs = 30 * dayMs;

/** Returns the start of the step that contains a time; weeks begin on Monday. */
export function stepStart(time: number, stepMs: number): number {
  if (stepMs === monthMs) return monthStart(time, 0);
  const offset = stepMs % steps['7d'] === 0 ? firstMonday : 0;
  return Math.floor((time - offset) / stepMs) * stepMs + offset;
}

/** Returns the end of the step that begins at `start`. */
export function stepEnd(start: number, stepMs: number): number {
  // A Date cannot represent the end of the last month.
  return stepMs === monthMs ? monthStart(start, 1) || Number.POSITIVE_INFINITY : start + stepMs;
}

function monthStart(time: number, monthsLater: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}

/** Returns the start of the UTC day that contains a time. */
export function dayStart(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

/** Returns the index of the first time at or after `time`. */
export function firstFrom(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Usual interval of points. */
const usualIntervalMs = 30 * 60 * 1000;

/**
 * Returns the start of the first of the last `dayCount` whole UTC days before the newest point. A day counts
 * as whole once it has its last half-hour.
 */
export function startOfDays(newest: number, dayCount: number): number {
  return Math.floor((newest + usualIntervalMs) / dayMs) * dayMs - dayCount * dayMs;
}

/**
 * Relative change between two means: 0.1 means 10% more. Undefined if one is unknown, or if the first is not
 * above 0.
 */
export function changeBetween(before: number | undefined, now: number | undefined): number | undefined {
  const change = before !== undefined && before > 0 && now !== undefined ? now / before - 1 : Number.NaN;
  // Sums of huge numbers may overflow.
  return Number.isFinite(change) ? change : undefined;
}

/**
 * Mean of the days with points; NaN marks a day without. Undefined if fewer than four of seven days have
 * points.
 */
export function meanOfDays(days: Float64Array): number | undefined {
  const known = days.filter((mean) => !Number.isNaN(mean));
  if (known.length * 7 < days.length * 4) return undefined;
  return known.reduce((sum, mean) => sum + mean, 0) / known.length;
}

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
