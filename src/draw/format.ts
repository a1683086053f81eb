/**
 * Formats numbers, times and periods for people: numbers in English (en-US) with a minus sign (U+2212), times
 * in UTC or in the time zone that a page sets.
 */

import { type DataWindow, dayMs, lastTimeOf, type Period } from '../model/window.ts';
import { wallTime, zoneOf } from './reader-zone.ts';

/** Formats a number in few characters: 950, 1.2k, 3.4M, `over 1,000T`. */
export function formatShort(value: number): string {
  return beyondWords(value) ?? formatTick(value);
}

/** Like {@link formatShort}, but without an upper limit: `1.5e+21`. Axes need exact labels. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e20) return signOf(value) + size.toExponential(1).replace('.0', '');
  if (size < 999.5) return signOf(value) + inDigits(size, 3);
  const unit = units.find(({ from }) => size < from * 999.5) ?? largestUnit;
  return signOf(value) + inDigits(size / unit.from, size < unit.from * 9.95 ? 2 : 3) + unit.letter;
}

/**
 * Formats a number with all its integer digits and at most three decimals; small numbers get three
 * significant digits: 3,883, 0.125, 0.00123, `over 1,000T`.
 */
export function formatExact(value: number): string {
  const size = Math.abs(value);
  return beyondWords(value) ?? signOf(value) + (size < 0.1 ? inDigits(size, 3) : grouped(rounded(size)));
}

/** Returns words for a number too large for any real count or label; undefined for other numbers. */
function beyondWords(value: number): string | undefined {
  if (Math.abs(value) <= 1e15) return undefined;
  return value > 0 ? 'over 1,000T' : 'under −1,000T';
}

/** Formats a mean without insignificant decimals: 3,883, 12.5, 0.0123. */
export function formatMean(mean: number): string {
  return formatExact(Math.abs(mean) >= 100 ? Math.round(mean) : Number(mean.toPrecision(3)));
}

function signOf(value: number): string {
  return value < 0 ? '−' : '';
}

/** Formats a fraction as a percentage: 45%, 4.5%, <0.1%. */
export function formatShare(share: number): string {
  // Removes floating-point noise before rounding: the double of 57/200 is less than 28.5%.
  const tenths = Number((share * 1000).toPrecision(12));
  if (tenths !== 0 && Math.abs(tenths) < 0.5) return '<0.1%';
  return `${Math.abs(tenths) < 99.5 ? Math.round(tenths) / 10 : Math.round(tenths / 10)}%`;
}

/**
 * Lists names and the number of others: `a, b and c`, `a, b, c and 4 more`; `a, b, c and more` if the number
 * is unknown.
 */
export function listWords(named: readonly string[], restCount: number | undefined): string {
  const words = [...named];
  const rest = restCount === undefined ? 'more' : `${formatExact(restCount)} more`;
  const last = restCount === undefined || restCount > 0 ? rest : (words.pop() ?? '');
  return words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** Formats the date of a time: 12 Nov 2025. */
export function formatDate(timestamp: number): string {
  return formatDay(wallTime(timestamp));
}

/** Formats the UTC date that contains a time, for steps and windows. */
export function formatDay(timestamp: number): string {
  const date = new Date(timestamp);
  return `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()}`;
}

/** Formats a time to the minute: 12 Nov 2025, 14:30 UTC. */
export function formatDateTime(timestamp: number): string {
  return `${formatDate(timestamp)}, ${formatTime(wallTime(timestamp))} ${zoneOf(timestamp)}`;
}

/** Formats the UTC time of day: 14:30. */
export function formatTime(timestamp: number): string {
  const date = new Date(timestamp);
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`;
}

/** Returns the abbreviated name of a month: Nov. */
export function monthOf(date: Date): string {
  return months[date.getUTCMonth()] ?? '';
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const largestUnit = { from: 1e12, letter: 'T' };
const units = [
  { from: 1e3, letter: 'k' },
  { from: 1e6, letter: 'M' },
  { from: 1e9, letter: 'B' },
  largestUnit,
];

function inDigits(size: number, count: number): string {
  return grouped(Number(size.toPrecision(count)));
}

/**
 * Inserts thousands separators. `Intl` is not used, because its first number format in a page takes 20 to 30
 * ms.
 */
function grouped(size: number): string {
  const [whole = '', decimals] = String(size).split('.');
  const thousands = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${thousands}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** Rounds to at most three decimals. */
function rounded(size: number): number {
  // Rounds the decimal text, because 1.0005 * 1000 is less than 1000.5.
  const [, kept, next] = /^(\d+\.\d{3})(\d)\d*$/.exec(`${size}`) ?? [];
  return next ? (Number(`${kept}e3`) + Number(next > '4')) / 1000 : size;
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0');
}

/**
 * Returns the subject of a chart: its title, followed by the plugin name if the title does not contain it.
 */
export function chartSubject({
  title,
  pluginName,
  isDefault,
}: {
  readonly title: string;
  readonly pluginName?: string | undefined;
  readonly isDefault?: boolean | undefined;
}): string {
  if (pluginName === undefined || title.includes(pluginName)) return title;
  return isDefault === true ? `${title} of servers using ${pluginName}` : `${title} (${pluginName})`;
}

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
