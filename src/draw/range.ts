/** Describes periods in words. */
import { type DataWindow, dayMs, lastTimeOf, type Period } from '../model/window.ts';
import { formatDate, formatDateTime, formatDay } from './format.ts';

/** Lengths of ranges in words. */
export const rangeInWords = {
  '1d': 'day',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': 'year',
  all: 'whole history',
} as const;

/**
 * Time of the newest value or of the end of a period, in Unix milliseconds, and the current time of the
 * reader. Picture files have no reader: they are cached and must not depend on the current time.
 */
export interface NewestTime {
  readonly timestamp: number;
  readonly nowMs?: number | undefined;
}

/** Returns the end of a window, as the time of its newest value. */
export function endOf(window: DataWindow, nowMs?: number): NewestTime {
  return { timestamp: lastTimeOf(window), nowMs };
}

/** A value older than this does not count as current. */
const currentMs = 2 * dayMs;

function isCurrent({ timestamp, nowMs }: NewestTime): boolean {
  return nowMs !== undefined && nowMs - timestamp < currentMs;
}

/** Returns the day of a value; undefined if the value is current. */
export function pastDay(newest: NewestTime): string | undefined {
  return isCurrent(newest) ? undefined : formatDate(newest.timestamp);
}

/** Describes the time of a value: `now`, or its day, `on 30 Jun 2026`. */
export function timeWords(newest: NewestTime): string {
  return isCurrent(newest) ? 'now' : `on ${formatDate(newest.timestamp)}`;
}

/**
 * Describes a period: `in the last 30 days`, `from 1 May 2026 until 9 May 2026`. A range that ended earlier
 * is `in the 30 days to 30 Jun 2026`, or `in the 30 days before` if the sentence has already named that day
 * (`named`).
 */
export function rangeWords(period: Period, end: NewestTime, named?: number): string {
  if (typeof period === 'string') {
    const words = rangeInWords[period];
    if (period === 'all') return `in its ${words}`;
    if (isCurrent(end)) return `in the last ${words}`;
    const day = formatDate(end.timestamp);
    return `in the ${words} ${named !== undefined && formatDate(named) === day ? 'before' : `to ${day}`}`;
  }
  const { from, to } = period;
  const format = from % dayMs === 0 && to % dayMs === 0 ? formatDay : formatDateTime;
  return `from ${format(from)} until ${format(to)}`;
}
