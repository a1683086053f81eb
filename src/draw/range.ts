/** The ranges of time that a picture of a line can show, counted back from the newest point of the chart. */
import { formatDate, formatDateTime, formatDay } from './format.ts';

/** Each range with its length in days and in words, the shortest first. */
const ranges = {
  '1d': [1, 'day'],
  '7d': [7, '7 days'],
  '30d': [30, '30 days'],
  '90d': [90, '90 days'],
  '1y': [365, 'year'],
  all: [Number.POSITIVE_INFINITY, 'whole history'],
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

/** The length of a period in milliseconds; infinite for `all`. */
export function periodMs(period: Period): number {
  return typeof period === 'string' ? rangeMs(period) : period.to - period.from;
}

/** The time of the newest value in Unix milliseconds, and that of its reader. Pictures have no reader's: they are kept, and show what they showed. */
export interface NewestTime {
  readonly timestamp: number;
  readonly nowMs?: number | undefined;
}

/** A value that is older than this is not that of now. */
const currentMs = 2 * 24 * 60 * 60 * 1000;

function isCurrent({ timestamp, nowMs }: NewestTime): boolean {
  return nowMs !== undefined && nowMs - timestamp < currentMs;
}

/** The day of a value; undefined if it is that of now. */
export function pastDay(newest: NewestTime): string | undefined {
  return isCurrent(newest) ? undefined : formatDate(newest.timestamp);
}

/** The time of a value in a sentence: `now`, or its day: `on 30 Jun 2026`. */
export function timeWords(newest: NewestTime): string {
  return isCurrent(newest) ? 'now' : `on ${formatDate(newest.timestamp)}`;
}

/**
 * A period in a sentence: `in the last 30 days`, `from 1 May 2026 until 9 May 2026`. A range that ended earlier is `in the 30 days to 30 Jun 2026`
 * or, where the day is named before, `in the 30 days before`.
 */
export function rangeWords(period: Period, newest: NewestTime, end: 'to' | 'before' = 'to'): string {
  if (typeof period === 'string') {
    const [, words] = ranges[period];
    if (period === 'all') return `in its ${words}`;
    if (isCurrent(newest)) return `in the last ${words}`;
    return `in the ${words} ${end === 'to' ? `to ${formatDate(newest.timestamp)}` : end}`;
  }
  const { from, to } = period;
  const format = from % dayMs === 0 && to % dayMs === 0 ? formatDay : formatDateTime;
  return `from ${format(from)} until ${format(to)}`;
}

const dayMs = 24 * 60 * 60 * 1000;
