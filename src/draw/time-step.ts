/** Steps of time: a picture with more times than columns shows the mean of each step. */
import {
  type DataWindow,
  dayMs,
  lastTimeOf,
  lengthOf,
  type Period,
  ranges,
  type StepName,
  steps,
} from '../model/window.ts';

/** Length of a step, and the name of its mean: `daily mean`. */
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

/** Returns a step by name. */
export function timeStep(name: StepName): TimeStep {
  return { ms: steps[name], mean: meansInWords[name] };
}

/** Maximum length of a window without steps; lines and files over longer windows show means by step. */
const longestWindowOfPoints = 60 * dayMs;

/**
 * Returns the step of a line for the length of a window and the width of a picture in pixels; undefined to
 * draw stored points.
 */
export function lineStep(lengthMs: number, width = Number.POSITIVE_INFINITY): StepName | undefined {
  if (lengthMs <= longestWindowOfPoints) return undefined;
  return lengthMs / dayMs <= 0.7 * width ? '1d' : '7d';
}

/** Returns the step of a history: the shortest one that is at least two pixels wide. */
export function historyStep(lengthMs: number, width: number): StepName {
  return stepNames.find((name) => lengthMs / steps[name] <= width / 2) ?? '7d';
}

/** Returns the usual step of a history over a period; shorter charts use finer steps. */
export function usualHistoryStep(period: Period, width: number): TimeStep {
  const lengthMs = typeof period === 'string' ? ranges[period] : lengthOf(period);
  return timeStep(historyStep(lengthMs, width));
}

const stepNames = Object.keys(steps) as readonly StepName[];

/** A range of indexes. */
export interface IndexRange {
  readonly start: number;
  /** Index after the last one. */
  readonly end: number;
}

/** A window that is divided into steps. */
interface SteppedTime {
  readonly window: DataWindow;
  /** Times at which gaps end; by default computed from the intervals. */
  readonly gapEnds?: ReadonlySet<number>;
}

/** Finds runs without gaps in the ascending steps of a window. */
export function stepRuns(times: Float64Array, stepMs: number, { window, gapEnds }: SteppedTime) {
  const { from } = window;
  const last = lastTimeOf(window);
  // A step ends at its length or at the start of the next step.
  const startOf = (index: number) => Math.max(from, times[index] ?? from);
  const endOf = (index: number) => Math.min((times[index] ?? last) + stepMs, times[index + 1] ?? last, last);
  const runs: IndexRange[] = [];
  let start = 0;
  for (let index = 1; index <= times.length; index++) {
    const time = times[index] ?? Number.POSITIVE_INFINITY;
    const interval = time - (times[index - 1] ?? 0);
    const isJoined = gapEnds
      ? index < times.length && !gapEnds.has(time)
      : interval <= 1.5 * stepMs || interval <= gapLimitMs(times, index, true);
    if (isJoined) continue;
    runs.push({ start, end: index });
    start = index;
  }
  return { middles: times.map((_, index) => (startOf(index) + endOf(index)) / 2), startOf, endOf, runs };
}

/** Number of intervals on each side that determine if there is a gap. */
const besideCount = 4;

/**
 * Returns the longest interval, in milliseconds, that a line bridges before the time at `index`. It depends
 * on the intervals on either side, so that times of any resolution are joined, even where the resolution
 * changes. One missing time is bridged, unless the times are steps.
 */
export function gapLimitMs(times: Float64Array, index: number, areSteps = false): number {
  let limit = 0;
  for (const start of [index - 1 - besideCount, index]) {
    let [longest, second, shortest] = [0, 0, Number.POSITIVE_INFINITY];
    const end = Math.min(start + besideCount, times.length - 1);
    for (let at = Math.max(0, start); at < end; at++) {
      const interval = (times[at + 1] ?? 0) - (times[at] ?? 0);
      second = Math.max(second, Math.min(interval, longest));
      longest = Math.max(longest, interval);
      shortest = Math.min(shortest, interval);
    }
    // The longest of several intervals may itself be a gap.
    const usual = second || longest;
    // A single missing step is a gap if steps are regular; irregular steps have natural pauses.
    if (usual > 0) limit = Math.max(limit, 2.5 * usual - (areSteps ? shortest : 0));
  }
  if (limit > 0) return limit;
  return times.length > 1 ? Number.POSITIVE_INFINITY : 2.5 * steps['30m'];
}
