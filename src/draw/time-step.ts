/** Steps of time: a picture with more times than columns shows the mean of each step. */
import { dayMs, type StepName } from '../model/window.ts';

/** The length of a step, and the words for a mean over it: `daily mean`. */
export interface TimeStep {
  readonly ms: number;
  readonly mean: string;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const weekMs = 7 * dayMs;

const usualSteps: readonly TimeStep[] = [
  { ms: secondMs, mean: 'mean of each second' },
  { ms: 10 * secondMs, mean: 'mean of 10 seconds' },
  { ms: minuteMs, mean: 'mean of each minute' },
  { ms: 5 * minuteMs, mean: 'mean of 5 minutes' },
  { ms: 30 * minuteMs, mean: 'mean of 30 minutes' },
  { ms: hourMs, mean: 'hourly mean' },
  { ms: 6 * hourMs, mean: 'mean of 6 hours' },
  { ms: dayMs, mean: 'daily mean' },
  { ms: weekMs, mean: 'weekly mean' },
  { ms: 4 * weekMs, mean: 'mean of 4 weeks' },
];

/**
 * The shortest usual step, of `leastMs` or more, that divides a span of time into at most `maxCount` steps; for long spans a multiple of
 * weeks.
 */
export function stepFor(
  spanMs: number,
  { maxCount, leastMs = 0 }: { readonly maxCount: number; readonly leastMs?: number },
): TimeStep {
  const usual = usualSteps.find(({ ms }) => ms >= leastMs && spanMs / ms <= maxCount);
  if (usual !== undefined) return usual;
  const weeks = Math.ceil(spanMs / maxCount / weekMs);
  return { ms: weeks * weekMs, mean: `mean of ${weeks} weeks` };
}

/** The step of a line over a window of this length, in a picture of this width in pixels; undefined for points as they are stored. */
export function lineStep(lengthMs: number, width = Number.POSITIVE_INFINITY): StepName | undefined {
  if (lengthMs <= longestRangeOfPoints) return undefined;
  return lengthMs / dayMs <= 0.7 * width ? '1d' : '7d';
}

/** A range of indexes. */
export interface IndexRange {
  readonly start: number;
  /** The index after the last one. */
  readonly end: number;
}

/** Divides ascending times into runs without gaps. A gap is longer than 1.5 intervals: one time is missing. */
export function runsOfTimes(times: Float64Array, intervalMs: number): IndexRange[] {
  const runs: IndexRange[] = [];
  let start = 0;
  for (let index = 1; index <= times.length; index++) {
    if ((times[index] ?? Number.POSITIVE_INFINITY) - (times[index - 1] ?? 0) <= 1.5 * intervalMs) continue;
    runs.push({ start, end: index });
    start = index;
  }
  return runs;
}

/**
 * The usual interval of ascending times: the step that they are in or, if that is longer, the one that nine of ten intervals do not exceed. Of
 * regular times it is the regular interval; irregular ones are joined but for the longest pauses.
 */
export function intervalOf(times: Float64Array, stepMs: number): number {
  const intervals = times.slice(1);
  let longest = 0;
  for (let index = 0; index < intervals.length; index++) {
    const interval = (intervals[index] ?? 0) - (times[index] ?? 0);
    intervals[index] = interval;
    longest = Math.max(longest, interval);
  }
  // Steps without a gap, as most are, need no order.
  if (longest <= stepMs) return stepMs;
  return Math.max(stepMs, intervals.sort()[Math.floor(0.9 * (intervals.length - 1))] ?? 0);
}

/** Over longer ranges, lines are drawn by step. */
export const longestRangeOfPoints = 60 * dayMs;

/** The step of bands in a picture of this width in pixels: a day, a week, or several weeks. */
export function bandStep(spanMs: number, width: number): TimeStep {
  return stepFor(spanMs, { maxCount: width * 0.7, leastMs: dayMs });
}
