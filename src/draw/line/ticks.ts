/** Round values and times for the ticks of axes: evenly spread, and about as many as asked for. */
import { maxTimestamp } from '../../model/points.ts';

/** A scale from one round value to another, with its ticks. */
export interface RoundScale {
  readonly from: number;
  readonly to: number;
  readonly values: readonly number[];
}

/** Round values from below `low` to above `high`, which differ. The step is 1, 2 or 5 times a power of ten. */
export function roundScale(low: number, high: number, count: number): RoundScale {
  const around = (step: number) => ({
    from: multiple(Math.floor(low / step), step),
    to: multiple(Math.ceil(high / step), step),
  });
  const narrow = around(roundStep(high - low, count));
  // Rounding outwards makes the scale wider, which may need a wider step.
  const step = roundStep(narrow.to - narrow.from, count);
  const { from, to } = around(step);
  const first = Math.round(from / step);
  const length = Math.round(to / step) - first + 1;
  return { from, to, values: Array.from({ length }, (_, index) => multiple(first + index, step)) };
}

/** Round times between two, in Unix milliseconds: hours, midnights, Sundays, first days of months and years, in UTC. */
export function roundMoments(from: number, to: number, count: number): number[] {
  // Times beyond the range of a Date have no ticks.
  if (Math.max(-from, to) > maxTimestamp) return [];
  const wanted = (to - from) / count;
  if (wanted >= yearMs / Math.SQRT2)
    return firstsOfMonths(from, to, 12 * Math.max(1, roundStep((to - from) / yearMs, count)));
  const stepMs = nearestStep(wanted);
  if (stepMs >= monthMs) return firstsOfMonths(from, to, stepMs / monthMs);
  const start = stepMs === weekMs ? firstSunday : 0;
  const moments: number[] = [];
  for (let at = start + Math.ceil((from - start) / stepMs) * stepMs; at <= to; at += stepMs) moments.push(at);
  return moments;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
const monthMs = 30 * dayMs;
const yearMs = 365 * dayMs;
const firstSunday = 3 * dayMs;

// Labels cannot tell apart less than a minute.
const steps = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  ...[dayMs, 2 * dayMs, weekMs, monthMs, 3 * monthMs, 12 * monthMs],
];

/** The step closest to the wanted one, by ratio. */
function nearestStep(wantedMs: number): number {
  const above = steps.findIndex((step) => step >= wantedMs);
  const larger = steps[above] ?? yearMs;
  const smaller = steps[above - 1] ?? larger;
  return wantedMs / smaller < larger / wantedMs ? smaller : larger;
}

function firstsOfMonths(from: number, to: number, monthCount: number): number[] {
  const start = new Date(from);
  const moments: number[] = [];
  // Months are counted from year 0, so that steps of quarters, years and decades begin with theirs.
  let month = Math.ceil((start.getUTCFullYear() * 12 + start.getUTCMonth()) / monthCount) * monthCount;
  for (; ; month += monthCount) {
    const at = Date.UTC(Math.floor(month / 12), month % 12);
    // NaN beyond the range of a Date.
    if (!(at <= to)) return moments;
    if (at >= from) moments.push(at);
  }
}

/** The step of 1, 2 or 5 times a power of ten closest to the wanted one, by ratio. */
function roundStep(span: number, count: number): number {
  const wanted = span / count;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const ratio = wanted / power;
  return power * (ratio >= Math.sqrt(50) ? 10 : ratio >= Math.sqrt(10) ? 5 : ratio >= Math.SQRT2 ? 2 : 1);
}

/** `times * step`, exact also for a step such as 0.1, which has no exact double. */
function multiple(times: number, step: number): number {
  return step < 1 ? times / Math.round(1 / step) : times * step;
}
