/** Steps of time: a picture with more times than columns shows the mean of each step. */
import { dayMs, type Period, ranges, type StepName, steps } from '../model/window.ts';

/** The length of a step, and the words for a mean over it: `daily mean`. */
export interface TimeStep {
  readonly ms: number;
  readonly mean: string;
}

const meansInWords: Readonly<Record<StepName, string>> = {
  '30m': 'mean of 30 minutes',
  '1h': 'hourly mean',
  '6h': 'mean of 6 hours',
  '1d': 'daily mean',
  '7d': 'weekly mean',
};

/** A step by its name. */
export function timeStep(name: StepName): TimeStep {
  return { ms: steps[name], mean: meansInWords[name] };
}

/** Over longer windows, lines and files have means by step. */
const longestWindowOfPoints = 60 * dayMs;

/** The step of a line over a window of this length, in a picture of this width in pixels; undefined for points as they are stored. */
export function lineStep(lengthMs: number, width = Number.POSITIVE_INFINITY): StepName | undefined {
  if (lengthMs <= longestWindowOfPoints) return undefined;
  return lengthMs / dayMs <= 0.7 * width ? '1d' : '7d';
}

/** The step of a history over a window of this length: the shortest one that is two pixels wide. */
export function historyStep(lengthMs: number, width: number): StepName {
  return stepNames.find((name) => lengthMs / steps[name] <= width / 2) ?? '7d';
}

/** The usual step of a history in a period: charts that are shorter have finer ones. */
export function usualHistoryStep(period: Period, width: number): TimeStep {
  const lengthMs = typeof period === 'string' ? ranges[period] : period.to - period.from;
  return timeStep(historyStep(lengthMs, width));
}

const stepNames = Object.keys(steps) as readonly StepName[];

/** A range of indexes. */
export interface IndexRange {
  readonly start: number;
  /** The index after the last one. */
  readonly end: number;
}

/** Ascending steps of a range, and their runs without gaps. A gap is longer than 1.5 intervals: one time is missing. */
export function stepRuns(
  times: Float64Array,
  stepMs: number,
  { from, to }: { readonly from: number; readonly to: number },
) {
  // A step lasts until the next one.
  const startOf = (index: number) => Math.max(from, times[index] ?? from);
  const endOf = (index: number) => Math.min(to, (times[index] ?? to) + stepMs);
  const maxGapMs = 1.5 * intervalOf(times, stepMs);
  const runs: IndexRange[] = [];
  let start = 0;
  for (let index = 1; index <= times.length; index++) {
    if ((times[index] ?? Number.POSITIVE_INFINITY) - (times[index - 1] ?? 0) <= maxGapMs) continue;
    runs.push({ start, end: index });
    start = index;
  }
  return { middles: times.map((_, index) => (startOf(index) + endOf(index)) / 2), startOf, endOf, runs };
}

/**
 * The usual interval of ascending times: the step that they are in or, if that is longer, the one that nine of ten intervals do not exceed. Of
 * regular times it is the regular interval; irregular ones are joined but for the longest pauses.
 */
function intervalOf(times: Float64Array, stepMs: number): number {
  const intervals = new Float64Array(Math.max(0, times.length - 1));
  let longest = 0;
  for (let index = 0; index < intervals.length; index++) {
    const interval = (times[index + 1] ?? 0) - (times[index] ?? 0);
    intervals[index] = interval;
    longest = Math.max(longest, interval);
  }
  // Steps without a gap, as most are, need no order.
  if (longest <= stepMs) return stepMs;
  return Math.max(stepMs, intervals.sort()[Math.floor(0.9 * (intervals.length - 1))] ?? 0);
}
