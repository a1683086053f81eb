/** Round values and moments to mark on axes: about as many as are wanted, evenly spread, the same for equal data. */
import { maxTimestamp } from '../../model/points.ts';

/** An axis from one round value to another, with what is marked on it. */
export interface RoundScale {
  readonly from: number;
  readonly to: number;
  readonly values: readonly number[];
}

/** The round values around `low` to `high`; the two differ. The distance of two is 1, 2 or 5 times a power of ten. */
export function roundScale(low: number, high: number, count: number): RoundScale {
  const around = (step: number) => ({
    from: multiple(Math.floor(low / step), step),
    to: multiple(Math.ceil(high / step), step),
  });
  const narrow = around(roundStep(high - low, count));
  // The wider scale may want a wider step.
  const step = roundStep(narrow.to - narrow.from, count);
  const { from, to } = around(step);
  const first = Math.round(from / step);
  const length = Math.round(to / step) - first + 1;
  return { from, to, values: Array.from({ length }, (_, index) => multiple(first + index, step)) };
}

/** The round moments from one to another, in Unix milliseconds: midnights, Sundays, firsts of months, years in UTC. */
export function roundMoments(from: number, to: number, count: number): number[] {
  // A step is lost in numbers beyond what a Date can hold.
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

// None is shorter than a minute, which is the shortest that labels tell apart.
const steps = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 3, 6, 12].map((hours) => hours * hourMs),
  ...[dayMs, 2 * dayMs, weekMs, monthMs, 3 * monthMs, 12 * monthMs],
];

/** The step whose ratio to the wanted one is nearest to 1. */
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
    // Beyond what a Date can hold it is NaN.
    if (!(at <= to)) return moments;
    if (at >= from) moments.push(at);
  }
}

/** The step of 1, 2 or 5 times a power of ten whose ratio to the wanted one is nearest to 1. */
function roundStep(span: number, count: number): number {
  const wanted = span / count;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const ratio = wanted / power;
  return power * (ratio >= Math.sqrt(50) ? 10 : ratio >= Math.sqrt(10) ? 5 : ratio >= Math.SQRT2 ? 2 : 1);
}

/** `times * step` without the noise of a step that has no exact double, such as 0.1. */
function multiple(times: number, step: number): number {
  return step < 1 ? times / Math.round(1 / step) : times * step;
}
