/** The ranges of time that a picture of a line can show, counted back from the newest point of the chart. */
import { formatDate, formatDateTime } from './format.ts';

/** Each range with its length in days and its words in a sentence, the shortest first. */
const ranges = {
  '1d': [1, 'in the last day'],
  '7d': [7, 'in the last 7 days'],
  '30d': [30, 'in the last 30 days'],
  '90d': [90, 'in the last 90 days'],
  '1y': [365, 'in the last year'],
  all: [Number.POSITIVE_INFINITY, 'in its whole history'],
} as const;

/** The name of a range. */
export type Range = keyof typeof ranges;

/** The names of the ranges, the shortest first. */
export const rangeNames = Object.keys(ranges) as readonly Range[];

/** True for a text that names a range. */
export function isRange(text: string): text is Range {
  return Object.hasOwn(ranges, text);
}

/** The length of a range in milliseconds; infinite for `all`. */
export function rangeMs(range: Range): number {
  return ranges[range][0] * 24 * 60 * 60 * 1000;
}

/** A range, or a window between two times in Unix milliseconds: `from` is in it, `to` is not. */
export type Period = Range | { readonly from: number; readonly to: number };

/** A period in a sentence: `in the last 30 days`, `from 1 May 2026 until 9 May 2026`. */
export function rangeWords(period: Period): string {
  if (typeof period === 'string') return ranges[period][1];
  const { from, to } = period;
  const format = from % dayMs === 0 && to % dayMs === 0 ? formatDate : formatDateTime;
  return `from ${format(from)} until ${format(to)}`;
}

const dayMs = 24 * 60 * 60 * 1000;
