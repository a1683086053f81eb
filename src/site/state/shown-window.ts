/** The window of time that charts show, in addresses and in attributes. */

import { parseIsoTime } from '../../model/iso-time.ts';
import { dayMs, isRange, type Period, type Range, type TimeWindow } from '../../model/window.ts';

/** The window that attributes or parameters name; `30d` unless they name one. */
export function windowOf(read: (name: 'range' | 'from' | 'to') => string | null): Period {
  const from = parseWindowTime(read('from') ?? '') ?? Number.NaN;
  const to = parseWindowTime(read('to') ?? '') ?? Number.NaN;
  if (from < to) return { from, to };
  const range = read('range');
  return range !== null && isRange(range) ? range : '30d';
}

/** The year 10000. */
const endOfTimes = 253_402_300_800_000;

/** A time in ISO 8601 or in Unix milliseconds, up to the year 9999; undefined for anything else. */
export function parseWindowTime(text: string): number | undefined {
  // A plus sign in a query is a space.
  const time = /^\d{1,15}$/.test(text) ? Number(text) : parseIsoTime(text.replace(' ', '+'))?.timestamp;
  return time !== undefined && time >= 0 && time < endOfTimes ? time : undefined;
}

/** A time as short as it can be: `2026-06-30`, `2026-06-30T12:30Z`. */
function windowTimeText(time: number): string {
  return new Date(time)
    .toISOString()
    .replace(/\.000Z$/, 'Z')
    .replace(/:00Z$/, 'Z')
    .replace(/T00:00Z$/, '');
}

/** The parameters or attributes of a window, each of the three; undefined for one that it does not have. */
export function windowParameters(
  window: Period,
): Readonly<Record<'range' | 'from' | 'to', string | undefined>> {
  return typeof window === 'string'
    ? { range: window, from: undefined, to: undefined }
    : { range: undefined, from: windowTimeText(window.from), to: windowTimeText(window.to) };
}

/** The dates that a window lies between, for fields without times of day; empty for a range. */
export function windowDates(window: Period): Readonly<Record<'from' | 'to', string>> {
  if (typeof window === 'string') return { from: '', to: '' };
  const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const lastDate = endOfTimes - 1;
  return { from: dateOf(window.from), to: dateOf(Math.min(window.to + dayMs - 1, lastDate)) };
}

/** The query parameters of a window; undefined for those that it does not have, and for the range that is meant without them. */
export function windowQuery(window: Period, usual: Range = '30d'): ReturnType<typeof windowParameters> {
  const times = windowParameters(window);
  return times.range === usual ? { ...times, range: undefined } : times;
}

/** The values of a chart between two times as JSON. `chart` is `1337:players`, percent-encoded. */
export function seriesPath(chart: string, { from, to }: TimeWindow): string {
  return `/api/v2/series?charts=${chart}&from=${from}&to=${to}`;
}
