/** Parts of time: by the name of a range or by their ends, and the steps that they are divided into. All times are Unix milliseconds, in UTC. */

const hourMs = 60 * 60 * 1000;

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
export type Range = keyof typeof ranges;

/** The names of the ranges, the shortest first. */
export const rangeNames = Object.keys(ranges) as readonly Range[];

/** A window of time. */
export interface TimeWindow {
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** A part of time: a range, or a window. */
export type Period = Range | TimeWindow;

/** The window of a period over values between two times, both included. A range is cut where they begin. */
export function windowOver(
  period: Period,
  { first, last }: { readonly first: number; readonly last: number },
): TimeWindow {
  if (typeof period !== 'string') return period;
  return { from: Math.max(first, last - ranges[period]), to: last + 1 };
}

/** The same, cut behind the last value too; never empty. */
export function windowUpTo(
  period: Period,
  span: { readonly first: number; readonly last: number },
): TimeWindow {
  const { from, to } = windowOver(period, span);
  return { from, to: Math.max(from + 1, Math.min(to, span.last + 1)) };
}

/** The window of a period over several charts; their ends are those of all. */
export function windowOverAll(
  period: Period,
  spans: ReadonlyArray<{ readonly first: number; readonly last: number }>,
): TimeWindow {
  const first = Math.min(...spans.map((span) => span.first));
  const last = Math.max(...spans.map((span) => span.last));
  return windowOver(period, spans.length === 0 ? { first: 0, last: 0 } : { first, last });
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

/** The beginning of the step with a time; weeks begin on Monday. */
export function stepStart(time: number, stepMs: number): number {
  const offset = stepMs % steps['7d'] === 0 ? firstMonday : 0;
  return Math.floor((time - offset) / stepMs) * stepMs + offset;
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
