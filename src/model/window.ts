/** Parts of time: by the name of a range or by their ends, and the steps that they are divided into. All times are Unix milliseconds, in UTC. */

const hourMs = 60 * 60 * 1000;

/** The latest time that a JavaScript Date can show. */
export const maxTimestamp = 8.64e15;

/** A day in milliseconds. */
export const dayMs = 24 * hourMs;

/** The ranges that end with the newest value, with their lengths, the shortest first. */
export const ranges = {
  '1d': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
  '1y': 365 * dayMs,
  all: Number.POSITIVE_INFINITY,
} as const;

/** The name of a range. */
export type RangeName = keyof typeof ranges;

/** The names of the ranges, the shortest first. */
export const rangeNames = Object.keys(ranges) as readonly RangeName[];

/** A window of time onto data. */
export interface DataWindow {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** A part of time: a range, or a window. */
export type Period = RangeName | DataWindow;

/** The times of the first and the last value of a chart, or of several. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The span of several charts; undefined if none has one. */
export function spanOver(spans: readonly Span[]): Span | undefined {
  if (spans.length === 0) return undefined;
  return {
    first: Math.min(...spans.map(({ first }) => first)),
    last: Math.max(...spans.map(({ last }) => last)),
  };
}

/** The window of a period over values between two times, both included. A range is cut where they begin. */
export function windowOver(period: Period, { first, last }: Span): DataWindow {
  if (typeof period !== 'string') return period;
  return { from: Math.max(first, last - ranges[period]), to: last + 1 };
}

/** The same, cut behind the last value too; never empty. */
export function windowUpTo(period: Period, span: Span): DataWindow {
  const { from, to } = windowOver(period, span);
  return { from, to: Math.max(from + 1, Math.min(to, span.last + 1)) };
}

/** The window of a period over several charts; their ends are those of all. */
export function windowOverAll(period: Period, spans: readonly Span[]): DataWindow {
  return windowOver(period, spanOver(spans) ?? { first: 0, last: 0 });
}

/** The period for a chart of several that show the same window: a window where a range would be another one over this chart alone. */
export function sharedPeriod(period: Period, own: Span | undefined, shared: Span | undefined): Period {
  if (own === undefined || shared === undefined) return period;
  const window = windowOver(period, shared);
  return isSamePeriod(windowOver(period, own), window) ? period : window;
}

/** True if a chart may have values in a window, as far as its span says. */
export function mayBeIn(window: DataWindow, span: Span | undefined): boolean {
  return span !== undefined && span.last >= window.from && span.first < window.to;
}

/** Compares periods. */
export function isSamePeriod(a: Period, b: Period): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return a.from === b.from && a.to === b.to;
}

/** Steps with their lengths, the shortest first. */
export const steps = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
} as const;

/** The name of a step. */
export type StepName = keyof typeof steps;

/** 5 January 1970 was a Monday. */
const firstMonday = 4 * dayMs;

/** The length that stands for a month of the calendar. */
export const monthMs = 30 * dayMs;

/** The beginning of the step with a time; weeks begin on Monday. */
export function stepStart(time: number, stepMs: number): number {
  if (stepMs === monthMs) return monthStart(time, 0);
  const offset = stepMs % steps['7d'] === 0 ? firstMonday : 0;
  return Math.floor((time - offset) / stepMs) * stepMs + offset;
}

/** The end of a step by its beginning. */
export function stepEnd(start: number, stepMs: number): number {
  // The last month that a Date can show has no end.
  return stepMs === monthMs ? monthStart(start, 1) || Number.POSITIVE_INFINITY : start + stepMs;
}

function monthStart(time: number, monthsLater: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
}

/** The beginning of the UTC day with a time. */
export function dayStart(time: number): number {
  return Math.floor(time / dayMs) * dayMs;
}

/** Finds the index of the first time that is not before `time`. */
export function firstFrom(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
