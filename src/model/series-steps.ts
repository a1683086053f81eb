/** Lengths of steps for series, and how one is chosen. */
import { type DataWindow, dayMs, monthMs, stepEnd, stepStart } from './window.ts';

const hourMs = dayMs / 24;

/** Steps with their lengths, shortest first. A month is a calendar month. */
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

/** Name of a step. */
export type SeriesStep = keyof typeof seriesSteps;

const stepNames = Object.keys(seriesSteps) as readonly SeriesStep[];

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: hourMs / 60,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
  mo: monthMs,
  y: 365 * dayMs,
};

/**
 * Parses a length such as `1d`. Other lengths are rounded up to the next step; longer ones than a month
 * become a month.
 */
export function parseStep(text: string): SeriesStep | undefined {
  const [, count, unit = ''] = /^0*([1-9]\d{0,14})(ms|s|m|h|d|w|mo|y)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const length = Number(count) * (units[unit] ?? 0);
  return stepNames.find((name) => seriesSteps[name] >= length) ?? '1mo';
}

/** Returns the smallest step that divides a window into at most `maxCount` steps, or else a month. */
export function stepFor({ from, to }: DataWindow, maxCount: number): SeriesStep {
  const countOf = (step: number) => (stepEnd(stepStart(to - 1, step), step) - stepStart(from, step)) / step;
  const fits = (name: SeriesStep) => from >= to || Math.round(countOf(seriesSteps[name])) <= maxCount;
  return stepNames.find(fits) ?? '1mo';
}
