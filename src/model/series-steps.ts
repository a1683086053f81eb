/** The lengths of steps that series can have, and the choice of one. */
import { type DataWindow, dayMs, monthMs, stepEnd, stepStart } from './window.ts';

const hourMs = dayMs / 24;

/** The steps with their lengths, the shortest first. A month is one of the calendar. */
export const seriesSteps = {
  '30m': hourMs / 2,
  '1h': hourMs,
  '2h': 2 * hourMs,
  '3h': 3 * hourMs,
  '6h': 6 * hourMs,
  '12h': 12 * hourMs,
  '1d': dayMs,
  '7d': 7 * dayMs,
  '1mo': monthMs,
} as const;

/** The name of a step. */
export type SeriesStep = keyof typeof seriesSteps;

const stepNames = Object.keys(seriesSteps) as readonly SeriesStep[];

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: hourMs / 60,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
  mo: monthMs,
  y: 365 * dayMs,
};

/** Parses a length such as `1d`: another one than those of steps is the next longer step, beyond a month a month. */
export function parseStep(text: string): SeriesStep | undefined {
  const [, count, unit = ''] = /^0*([1-9]\d{0,9})(s|m|h|d|w|mo|y)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const length = Number(count) * (units[unit] ?? 0);
  return stepNames.find((name) => seriesSteps[name] >= length) ?? '1mo';
}

/** The smallest step with which a window has at most so many, or a month. */
export function stepFor({ from, to }: DataWindow, maxCount: number): SeriesStep {
  const countOf = (step: number) => (stepEnd(stepStart(to - 1, step), step) - stepStart(from, step)) / step;
  const fits = (name: SeriesStep) => from >= to || Math.round(countOf(seriesSteps[name])) <= maxCount;
  return stepNames.find(fits) ?? '1mo';
}
